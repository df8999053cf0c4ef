//! The rows of an operation as its answer: a status, the address of what is new, and JSON.

use std::sync::Arc;

use millrace_model::{DetachedElements, Error, ErrorKind, Result as ModelResult, Value};

use super::super::failure::Failure;
use super::super::root;
use super::{AnswerKind, Element, Kind, OfLabels, OfProperties, Operation, StatementRows};
use crate::json::{to_json, write_string};
use crate::neo4j_http::results::ElementKind;
use crate::neo4j_http::results::transaction_counters;
use crate::neo4j_http::results::{
    Head, address, write, write_list, write_map, write_node, write_relationship, write_texts,
};

/// An answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// The HTTP status.
    pub status: u16,
    /// The address of what was made.
    pub location: Option<String>,
    /// JSON.
    pub body: Option<String>,
}

/// What answers need besides their rows.
pub(in super::super) struct Answering<'a> {
    /// `http://host:port/db/data`; `None`: only the statuses are wanted.
    pub(in super::super) base: Option<&'a str>,
    /// The version of Neo4j that is spoken.
    pub(in super::super) version: &'a str,
    /// The numbers of elements.
    pub(in super::super) number: &'a dyn Fn(Element) -> i64,
}

type Answered = Result<Answer, Failure>;

impl Operation {
    /// The answer to a request of its own. `base` is `http://host:port/db/data`.
    pub fn answer(&self, rows: &StatementRows, base: &str, version: &str) -> Answered {
        let number = |element| match element {
            Element::Number(number) => number,
            Element::MadeBy(_) => 0,
        };
        self.answer_rows(rows, &Answering { base: Some(base), version, number: &number })
    }

    /// The answer to rows of its own statement.
    pub(in super::super) fn answer_rows(
        &self,
        rows: &StatementRows,
        answering: &Answering<'_>,
    ) -> Answered {
        if let Kind::Whole(whole) = &self.0 {
            let status = if matches!(whole.answer, AnswerKind::Dropped(_)) { 204 } else { 200 };
            let Some(base) = answering.base.filter(|_| status == 200) else {
                return Ok(Answer { status, ..Answer::default() });
            };
            let body = whole_body(&whole.answer, rows, base, answering.version)
                .map_err(|error| Failure::of(&error))?;
            return Ok(Answer { status, location: None, body: Some(body) });
        }
        match rows.rows().next() {
            Some([_, results @ ..]) => self.answer_row(results, &rows.elements, answering),
            Some([]) | None => Err(self.missing(answering.number)),
        }
    }

    /// The answer to the results of its row.
    pub(in super::super) fn answer_row(
        &self,
        results: &[Value],
        elements: &DetachedElements,
        answering: &Answering<'_>,
    ) -> Answered {
        let result = results.first();
        match &self.0 {
            Kind::Properties(_, OfProperties::Get(key)) if result.is_none_or(Value::is_null) => {
                return Err(self.no_property(key, answering.number));
            }
            Kind::Properties(_, OfProperties::Remove(key))
                if result != Some(&Value::Bool(true)) =>
            {
                return Err(self.no_property(key, answering.number));
            }
            _ => {}
        }
        let status = self.status();
        let Some(base) = answering.base else { return Ok(Answer { status, ..Answer::default() }) };
        let mut answer = Answer { status, ..Answer::default() };
        if status == 204 {
            return Ok(answer);
        }
        let mut body = String::new();
        let written = match &self.0 {
            Kind::CreateNode { properties } => {
                let number = result.and_then(Value::as_int).unwrap_or_default();
                answer.location = Some(address(base, ElementKind::Node, number));
                write_node(&mut body, (base, number), &[], |out| write_map(out, properties))
            }
            Kind::CreateRelationship { start, end, label, properties } => {
                let number = result.and_then(Value::as_int).unwrap_or_default();
                answer.location = Some(address(base, ElementKind::Relationship, number));
                let (start, end) = ((answering.number)(*start), (answering.number)(*end));
                let head = Head { number, start, end, label };
                write_relationship(&mut body, base, &head, |out| write_map(out, properties))
            }
            _ => write(&mut body, result.unwrap_or(&Value::Null), elements, base, 0),
        };
        written.map_err(|error| Failure::of(&error))?;
        answer.body = Some(body);
        Ok(answer)
    }

    fn status(&self) -> u16 {
        match &self.0 {
            Kind::CreateNode { .. } | Kind::CreateRelationship { .. } => 201,
            Kind::Get(_)
            | Kind::Relationships(_)
            | Kind::Degree(_)
            | Kind::Properties(_, OfProperties::GetAll | OfProperties::Get(_))
            | Kind::Labels(_, OfLabels::Get)
            | Kind::Whole(_) => 200,
            Kind::Delete(_) | Kind::Properties(..) | Kind::Labels(..) => 204,
        }
    }

    /// The failure of an element that is not there.
    pub(in super::super) fn missing(&self, number: &dyn Fn(Element) -> i64) -> Failure {
        let missing = |exception, status, what: String| {
            Failure::new((status, exception), ErrorKind::NotFound, what)
        };
        if let Kind::CreateRelationship { start, end, .. } = &self.0 {
            let what = format!("there is no node {} or no node {}", number(*start), number(*end));
            return missing("StartNodeNotFoundException", 404, what);
        }
        match self.subject(0) {
            Some(subject) => {
                let exception = match subject.kind {
                    ElementKind::Node => "NodeNotFoundException",
                    ElementKind::Relationship => "RelationshipNotFoundException",
                };
                let (kind, number) = (subject.kind.word(), number(subject.element));
                missing(exception, 404, format!("there is no {kind} {number}"))
            }
            None => missing("NotFoundException", 404, "there is no row".to_owned()),
        }
    }

    /// The failure of a relationship one of whose nodes is not there, once it is known whether its first one is.
    pub(in super::super) fn missing_node(
        &self,
        has_start: bool,
        number: &dyn Fn(Element) -> i64,
    ) -> Failure {
        let Kind::CreateRelationship { start, end, .. } = &self.0 else {
            return self.missing(number);
        };
        let (status, exception, node) = match has_start {
            false => (404, "StartNodeNotFoundException", start),
            true => (400, "EndNodeNotFoundException", end),
        };
        let what = format!("there is no node {}", number(*node));
        Failure::new((status, exception), ErrorKind::NotFound, what)
    }

    /// Where its row is missing, the operation whose row says whether its first node is there.
    pub fn probe(&self) -> Option<Operation> {
        let Kind::CreateRelationship { start, .. } = &self.0 else { return None };
        let subject = super::Subject { kind: ElementKind::Node, element: *start };
        Some(Operation(Kind::Get(subject)))
    }

    /// The failure of a request of its own without a row, and with the rows of its probe.
    pub fn missing_after(&self, probed: Option<&StatementRows>) -> Failure {
        let number = |element| match element {
            Element::Number(number) => number,
            Element::MadeBy(_) => 0,
        };
        self.missing_node(probed.is_some_and(|rows| !rows.values.is_empty()), &number)
    }

    fn no_property(&self, key: &Arc<str>, number: &dyn Fn(Element) -> i64) -> Failure {
        let of = self.subject(0).map(|own| format!("{} {}", own.kind.word(), number(own.element)));
        let what = format!("{} has no property `{key}`", of.unwrap_or_default());
        Failure::new((404, "NoSuchPropertyException"), ErrorKind::NotFound, what)
    }
}

fn whole_body(
    answer: &AnswerKind,
    rows: &StatementRows,
    base: &str,
    version: &str,
) -> ModelResult<String> {
    let mut out = String::new();
    match answer {
        AnswerKind::Root => out = root::body(base, version),
        AnswerKind::Known(body) => out.push_str(body),
        AnswerKind::Table { has_stats } => {
            out.push_str("{\"columns\":");
            write_texts(&mut out, &rows.columns);
            out.push_str(",\"data\":[");
            for (index, row) in rows.rows().enumerate() {
                out.push_str(if index == 0 { "" } else { "," });
                write_row(&mut out, row, rows, base)?;
            }
            out.push(']');
            if *has_stats {
                out.push_str(",\"stats\":");
                out.push_str(&transaction_counters(&rows.counts));
            }
            out.push('}');
        }
        AnswerKind::Script if rows.values.len() == 1 => {
            write(&mut out, &rows.values[0], &rows.elements, base, 0)?;
        }
        AnswerKind::Values | AnswerKind::Script => write_row(&mut out, &rows.values, rows, base)?,
        AnswerKind::Indexes => write_definitions(&mut out, rows, false),
        AnswerKind::Constraint if rows.values.is_empty() => {
            return Err(Error::new(ErrorKind::NotFound, "there is no such constraint"));
        }
        AnswerKind::Constraints | AnswerKind::Constraint => {
            write_definitions(&mut out, rows, true);
        }
        AnswerKind::Dropped(_) => {}
    }
    Ok(out)
}

fn write_row(out: &mut String, row: &[Value], rows: &StatementRows, base: &str) -> ModelResult<()> {
    write_list(out, row, |out, value| write(out, value, &rows.elements, base, 0))
}

/// Writes rows of labels or types, keys, and types of constraints.
fn write_definitions(out: &mut String, rows: &StatementRows, has_type: bool) {
    out.push('[');
    let mut is_first = true;
    for row in rows.rows() {
        let [labels, keys, rest @ ..] = row else { continue };
        let Value::List(labels) = labels else { continue };
        let is_of_nodes = rest.last().and_then(Value::as_str) != Some("RELATIONSHIP");
        out.push_str(if is_first { "{" } else { ",{" });
        is_first = false;
        out.push_str(if is_of_nodes { "\"label\":" } else { "\"relationshipType\":" });
        write_string(out, labels.first().and_then(Value::as_str).unwrap_or_default());
        if let Some(kind) = rest.first().and_then(Value::as_str).filter(|_| has_type) {
            out.push_str(",\"type\":");
            write_string(out, kind);
        }
        if !has_type {
            out.push_str(",\"labels\":");
            out.push_str(&to_json(&Value::List(Arc::clone(labels))));
        }
        out.push_str(",\"property_keys\":");
        out.push_str(&to_json(keys));
        out.push('}');
    }
    out.push(']');
}
