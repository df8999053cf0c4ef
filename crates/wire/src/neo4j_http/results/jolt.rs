//! Jolt: a line of JSON for the header of a result, each of its rows and its summary, and values with short types.
//!
//! In its sparse form a value that JSON has itself is plain; in the strict one each value has its type. Version 1 has
//! elements by their numbers, version 2 by their texts. In a sequence (RFC 7464) each line begins with a separator.

use std::borrow::Cow;
use std::fmt::Write;
use std::sync::Arc;

use millrace_model::value::Point;
use millrace_model::{DetachedElements, EdgeId, Result, Value, VertexId, java_float};

use super::element::{self, Id, Properties};
use super::kind::{Kind, deeper, key_text, write_list, write_object};
use super::plan::Plan;
use super::reply::{TransactionReply, notification};
use crate::bolt::Failure;
use crate::json::write_string;

/// The separator in front of each line of a sequence.
const RECORD_SEPARATOR: char = '\u{1e}';

/// A form of Jolt.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Jolt {
    /// Whether each value has its type.
    pub is_strict: bool,
    /// The version that the client names: 2, or 1, which is that without one, too.
    pub version: Option<u8>,
    /// Whether a separator begins each line.
    pub is_sequence: bool,
}

impl Jolt {
    /// Whether an element has a textual id, as in version 2.
    fn has_element_ids(self) -> bool {
        self.version == Some(2)
    }

    fn begin(self, out: &mut String, name: &str) {
        if self.is_sequence {
            out.push(RECORD_SEPARATOR);
        }
        out.push_str("{\"");
        out.push_str(name);
        out.push_str("\":");
    }

    /// Writes a row as a line.
    pub(super) fn write_row(
        self,
        out: &mut String,
        row: &[Value],
        elements: &DetachedElements,
    ) -> Result<()> {
        self.begin(out, "data");
        let writer = Writer { jolt: self, elements };
        write_list(out, row, |out, value| writer.value(out, value, 0))?;
        out.push_str("}\n");
        Ok(())
    }

    /// The lines of a statement's result; without a summary where it failed behind some rows.
    pub(super) fn statement(
        self,
        columns: &[Arc<str>],
        rows: &str,
        summary: Option<(Option<&str>, Option<&Plan>)>,
    ) -> String {
        let mut out = String::with_capacity(rows.len() + 128);
        self.begin(&mut out, "header");
        out.push_str("{\"fields\":");
        write_texts(&mut out, columns.iter().map(|column| &**column));
        out.push_str("}}\n");
        out.push_str(rows);
        let Some((stats, plan)) = summary else { return out };
        self.begin(&mut out, "summary");
        let start = out.len();
        if let Some(stats) = stats {
            out.push_str(",\"stats\":");
            out.push_str(stats);
        }
        if let Some(plan) = plan {
            plan.write_of_statement(&mut out);
        }
        match out.len() == start {
            true => out.push('{'),
            false => out.replace_range(start..=start, "{"),
        }
        out.push_str("}}\n");
        out
    }

    /// The whole answer to a request of a transaction.
    pub(super) fn transaction(self, reply: &TransactionReply<'_>) -> String {
        let TransactionReply { results, failure, open, bookmark, .. } = reply;
        let mut out = results.concat();
        if let Some(failure) = failure {
            self.write_failure(&mut out, failure);
        }
        self.begin(&mut out, "info");
        let mut fields = Vec::new();
        let notifications = reply.notifications.iter().map(|own| notification(own, false));
        let mut notifications: Vec<String> = notifications.collect();
        if !self.has_element_ids() {
            notifications.extend(std::iter::repeat_n(self.deprecation(), reply.whole_results()));
        }
        if !notifications.is_empty() {
            fields.push(format!("\"notifications\":[{}]", notifications.join(",")));
        }
        let quoted = |text: &str| {
            let mut out = String::new();
            write_string(&mut out, text);
            out
        };
        if let Some((commit, expires)) = open {
            fields.push(format!("\"commit\":{}", quoted(commit)));
            fields.push(format!("\"transaction\":{{\"expires\":{}}}", quoted(expires)));
        }
        fields.extend(bookmark.map(|own| format!("\"lastBookmarks\":[{}]", quoted(own))));
        out.push('{');
        out.push_str(&fields.join(","));
        out.push_str("}}\n");
        out
    }

    fn write_failure(self, out: &mut String, failure: &Failure) {
        self.begin(out, "error");
        out.push_str("{\"errors\":[{\"code\":");
        self.write_text(out, &failure.code);
        out.push_str(",\"message\":");
        self.write_text(out, &failure.message);
        out.push_str("}]}}\n");
    }

    fn write_text(self, out: &mut String, text: &str) {
        out.push_str(if self.is_strict { "{\"U\":" } else { "" });
        write_string(out, text);
        out.push_str(if self.is_strict { "}" } else { "" });
    }

    /// Version 1 is answered with a notification for each statement, as in Neo4j.
    fn deprecation(self) -> String {
        let end = if self.is_sequence { "+json-seq" } else { "" };
        format!(
            "{{\"code\":\"Neo.ClientNotification.Request.DeprecatedFormat\",\"severity\":\"WARNING\",\
             \"title\":\"The client made a request for a format which has been deprecated.\",\
             \"description\":\"The requested format has been deprecated. ('application/vnd.neo4j.jolt{end}' and \
             'application/vnd.neo4j.jolt-v1{end}' have been deprecated and will be removed in a future version. \
             Please use 'application/vnd.neo4j.jolt-v2{end}'.)\"}}"
        )
    }
}

fn write_texts<'t>(out: &mut String, texts: impl Iterator<Item = &'t str>) {
    out.push('[');
    for (index, text) in texts.enumerate() {
        out.push_str(if index == 0 { "" } else { "," });
        write_string(out, text);
    }
    out.push(']');
}

/// Writes values of one result.
#[derive(Clone, Copy)]
struct Writer<'e> {
    jolt: Jolt,
    elements: &'e DetachedElements,
}

impl Writer<'_> {
    fn value(self, out: &mut String, value: &Value, depth: usize) -> Result<()> {
        let is_strict = self.jolt.is_strict;
        match Kind::of(value, self.elements) {
            Kind::Null => out.push_str("null"),
            Kind::Bool(truth) if is_strict => typed(out, "?", if truth { "true" } else { "false" }),
            Kind::Bool(truth) => out.push_str(if truth { "true" } else { "false" }),
            Kind::Int(int) => self.int(out, int),
            Kind::Float(float) => typed(out, "R", &java_float::text(float)),
            Kind::String(text) => self.jolt.write_text(out, &text),
            Kind::Bytes(bytes) => typed(out, "#", &hexadecimal(bytes)),
            Kind::Temporal(_, text) => typed(out, "T", &text),
            Kind::Point(point) => typed(out, "@", &point_text(point)),
            Kind::List(values) => {
                let depth = deeper(depth)?;
                out.push_str(if is_strict { "{\"[]\":" } else { "" });
                write_list(out, values, |out, value| self.value(out, value, depth))?;
                out.push_str(if is_strict { "}" } else { "" });
            }
            Kind::Map(pairs) => {
                let depth = deeper(depth)?;
                out.push_str("{\"{}\":");
                let pairs = pairs.iter().map(|(key, value)| (key_text(key), value));
                write_object(out, pairs, |out, value| self.value(out, value, depth))?;
                out.push('}');
            }
            Kind::Node(vertex) => self.node(out, vertex)?,
            Kind::Relationship(edge) => self.relationship(out, edge)?,
            Kind::Path(vertices, edges) => self.path(out, &vertices, &edges)?,
            Kind::Other(other) => self.value(out, &other, deeper(depth)?)?,
        }
        Ok(())
    }

    /// The bounds of the strict form, and its letter beyond them, are those of Neo4j 5.
    fn int(self, out: &mut String, int: i64) {
        let is_narrow = i32::try_from(int).is_ok();
        let text = int.to_string();
        match self.jolt.is_strict {
            true if is_narrow && int != i64::from(i32::MAX) => typed(out, "Z", &text),
            true => typed(out, "R", &text),
            false if is_narrow => out.push_str(&text),
            false => typed(out, "Z", &text),
        }
    }

    fn id(self, out: &mut String, id: &Id) {
        match self.jolt.has_element_ids() {
            true => write_string(out, &id.text),
            // Writing to a string does not fail.
            false => drop(write!(out, "{}", id.number)),
        }
    }

    fn node(self, out: &mut String, vertex: VertexId) -> Result<()> {
        let node = element::node(vertex, self.elements);
        out.push_str("{\"()\":[");
        self.id(out, &node.id);
        out.push(',');
        write_texts(out, node.labels.iter().map(|label| &**label));
        out.push(',');
        self.properties(out, node.properties)?;
        out.push_str("]}");
        Ok(())
    }

    fn relationship(self, out: &mut String, edge: EdgeId) -> Result<()> {
        let own = element::relationship(edge, self.elements);
        self.hop(out, "->", &own, (&own.start, &own.end))
    }

    /// A relationship as it is passed, from one of its ends to the other.
    fn hop(
        self,
        out: &mut String,
        arrow: &str,
        own: &element::Relationship<'_>,
        (from, to): (&Id, &Id),
    ) -> Result<()> {
        out.push_str("{\"");
        out.push_str(arrow);
        out.push_str("\":[");
        self.id(out, &own.id);
        out.push(',');
        self.end(out, own, from);
        out.push(',');
        write_string(out, &own.kind);
        out.push(',');
        self.end(out, own, to);
        out.push(',');
        self.properties(out, own.properties.clone())?;
        out.push_str("]}");
        Ok(())
    }

    /// The ends of a relationship that is gone are not known.
    fn end(self, out: &mut String, own: &element::Relationship<'_>, end: &Id) {
        match own.is_deleted && self.jolt.has_element_ids() {
            true => out.push_str("\"\""),
            false => self.id(out, end),
        }
    }

    fn path(self, out: &mut String, vertices: &[VertexId], edges: &[EdgeId]) -> Result<()> {
        out.push_str("{\"..\":[");
        for (index, vertex) in vertices.iter().enumerate() {
            let edge = index.checked_sub(1).and_then(|index| edges.get(index));
            if let Some(edge) = edge {
                let own = element::relationship(*edge, self.elements);
                let from = element::node(vertices[index - 1], self.elements).id;
                let goes_out = !own.is_deleted && own.start.text == from.text;
                out.push(',');
                match goes_out {
                    true => self.hop(out, "->", &own, (&own.start, &own.end))?,
                    false => self.hop(out, "<-", &own, (&own.end, &own.start))?,
                }
                out.push(',');
            }
            self.node(out, *vertex)?;
        }
        out.push_str("]}");
        Ok(())
    }

    fn properties(self, out: &mut String, properties: Properties<'_>) -> Result<()> {
        let properties = properties.into_iter().map(|(key, value)| (Cow::Borrowed(key), value));
        write_object(out, properties, |out, value| self.value(out, &value, 1))
    }
}

/// A value that is a string in JSON, with its type.
fn typed(out: &mut String, sigil: &str, text: &str) {
    out.push_str("{\"");
    out.push_str(sigil);
    out.push_str("\":");
    write_string(out, text);
    out.push('}');
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut out, byte| {
        // Writing to a string does not fail.
        let _written = write!(out, "{byte:02X}");
        out
    })
}

/// A point as well-known text, without a space in front of its numbers if it is flat.
fn point_text(point: &Point) -> String {
    let numbers: Vec<String> =
        point.coordinates.iter().map(|number| java_float::text(*number)).collect();
    let dimension = if numbers.len() == 3 { " Z " } else { "" };
    format!("SRID={};POINT{dimension}({})", point.srid, numbers.join(" "))
}
