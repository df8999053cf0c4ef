//! What a request asks for, whether it came alone or as a job of a batch.
//!
//! An operation on one element has a [`Form`]: its text for one request, and its text over rows. Anything else concerns the whole
//! graph, and is a text of its own ([`Whole`]).

mod answer;
mod form;
mod whole;

use std::sync::Arc;

use millrace_model::{DetachedElements, Result, Value};

use crate::neo4j_http::results::ElementKind;
pub use answer::Answer;
pub(super) use answer::Answering;
pub(super) use form::Form;
use form::FormName;
pub use form::statement_texts;
pub(super) use whole::{AnswerKind, Whole, name, quoted};

/// An element that an operation is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Element {
    /// By its number.
    Number(i64),
    /// The one that a job of the batch makes, by the index of the job.
    MadeBy(usize),
}

/// An element and its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Subject {
    pub(super) kind: ElementKind,
    pub(super) element: Element,
}

/// Relationships of a node, as paths name them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    All,
    In,
    Out,
}

/// Relationships of a node: their direction, and their types unless all are meant.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Adjacent {
    pub(super) node: Element,
    pub(super) direction: Direction,
    pub(super) types: Value,
}

/// What is done to the properties of an element.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum OfProperties {
    GetAll,
    SetAll(Value),
    RemoveAll,
    Get(Arc<str>),
    Set(Arc<str>, Value),
    Remove(Arc<str>),
}

/// What is done to the labels of a node.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum OfLabels {
    Get,
    Add(Value),
    Replace(Value),
    Remove(Value),
}

/// What a request asks for.
#[derive(Clone, Debug, PartialEq)]
pub struct Operation(pub(super) Kind);

/// The kinds of operations.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind {
    CreateNode { properties: Value },
    CreateRelationship { start: Element, end: Element, label: Arc<str>, properties: Value },
    Get(Subject),
    Delete(Subject),
    Relationships(Adjacent),
    Degree(Adjacent),
    Properties(Subject, OfProperties),
    Labels(Element, OfLabels),
    Whole(Box<Whole>),
}

/// A query with its parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct Statement {
    /// The language, by its name.
    pub language: &'static str,
    /// The text.
    pub text: Arc<str>,
    /// Values of parameters.
    pub parameters: Vec<(Arc<str>, Value)>,
}

/// The rows of a result.
#[derive(Clone, Debug, Default)]
pub struct StatementRows {
    /// The names of the columns; none: each row is one value.
    pub columns: Vec<Arc<str>>,
    /// The values, row by row.
    pub values: Vec<Value>,
    /// The elements in them.
    pub elements: DetachedElements,
    /// What was changed, by the database's names.
    pub counts: Vec<(&'static str, u64)>,
}

impl StatementRows {
    /// The rows.
    pub fn rows(&self) -> impl Iterator<Item = &[Value]> {
        self.values.chunks(self.columns.len().max(1))
    }
}

/// Runs queries in one transaction.
pub trait Statements {
    /// Runs a query; after an error the transaction is over.
    fn run(
        &mut self,
        language: &'static str,
        text: &Arc<str>,
        parameters: Vec<(Arc<str>, Value)>,
    ) -> Result<StatementRows>;
}

impl Operation {
    /// The one statement that does it, if one does.
    pub fn statement(&self) -> Option<Statement> {
        match &self.0 {
            Kind::Whole(whole) => whole.statement(),
            _ => {
                let form = self.form()?;
                let parameters = self.arguments(&|element| match element {
                    Element::Number(number) => number,
                    Element::MadeBy(_) => 0,
                });
                let parameters = form.names().zip(parameters).collect();
                let text = Arc::clone(form.single_text());
                Some(Statement { language: "cypher", text, parameters })
            }
        }
    }

    /// Whether one statement does it, or none is needed.
    pub fn is_one_statement(&self) -> bool {
        !matches!(&self.0, Kind::Whole(whole) if matches!(whole.answer, AnswerKind::Dropped(_)))
    }

    /// Runs the statements of an operation on the whole graph.
    pub fn run(&self, statements: &mut dyn Statements) -> Result<StatementRows> {
        match (&self.0, self.statement()) {
            (Kind::Whole(whole), _) => whole.run(statements),
            (_, Some(own)) => statements.run(own.language, &own.text, own.parameters),
            (_, None) => Ok(StatementRows::default()),
        }
    }

    /// How it is written as a statement, unless it concerns the whole graph.
    pub(super) fn form(&self) -> Option<&'static Form> {
        let name = match &self.0 {
            Kind::CreateNode { .. } => FormName::CreateNode,
            Kind::CreateRelationship { .. } => FormName::CreateRelationship,
            Kind::Get(subject) => FormName::Get(subject.kind),
            Kind::Delete(subject) => FormName::Delete(subject.kind),
            Kind::Relationships(adjacent) => FormName::Relationships(adjacent.direction),
            Kind::Degree(adjacent) => FormName::Degree(adjacent.direction),
            Kind::Properties(subject, done) => match done {
                OfProperties::GetAll => FormName::GetProperties(subject.kind),
                OfProperties::SetAll(_) | OfProperties::RemoveAll => {
                    FormName::SetProperties(subject.kind)
                }
                OfProperties::Get(_) => FormName::GetProperty(subject.kind),
                OfProperties::Set(..) => FormName::SetProperty(subject.kind),
                OfProperties::Remove(_) => FormName::RemoveProperty(subject.kind),
            },
            Kind::Labels(_, done) => match done {
                OfLabels::Get => FormName::GetLabels,
                OfLabels::Add(_) => FormName::AddLabels,
                OfLabels::Replace(_) => FormName::SetLabels,
                OfLabels::Remove(_) => FormName::RemoveLabel,
            },
            Kind::Whole(_) => return None,
        };
        Form::of(name)
    }

    /// The values of the parameters of its form, in their order.
    pub(super) fn arguments(&self, number: &dyn Fn(Element) -> i64) -> Vec<Value> {
        let id = |element: &Element| Value::I64(number(*element));
        match &self.0 {
            Kind::CreateNode { properties } => vec![properties.clone()],
            Kind::CreateRelationship { start, end, label, properties } => {
                vec![id(start), id(end), Value::String(Arc::clone(label)), properties.clone()]
            }
            Kind::Get(subject) | Kind::Delete(subject) => vec![id(&subject.element)],
            Kind::Relationships(adjacent) | Kind::Degree(adjacent) => {
                vec![id(&adjacent.node), adjacent.types.clone()]
            }
            Kind::Properties(subject, done) => {
                let mut values = vec![id(&subject.element)];
                let text = |key: &Arc<str>| Value::String(Arc::clone(key));
                match done {
                    OfProperties::GetAll => {}
                    OfProperties::SetAll(properties) => values.push(properties.clone()),
                    OfProperties::RemoveAll => values.push(Value::map(Vec::new())),
                    OfProperties::Get(key) | OfProperties::Remove(key) => values.push(text(key)),
                    OfProperties::Set(key, value) => {
                        values.push(Value::map(vec![(text(key), value.clone())]));
                    }
                }
                values
            }
            Kind::Labels(node, done) => match done {
                OfLabels::Get => vec![id(node)],
                OfLabels::Add(labels) | OfLabels::Replace(labels) | OfLabels::Remove(labels) => {
                    vec![id(node), labels.clone()]
                }
            },
            Kind::Whole(_) => Vec::new(),
        }
    }

    /// The element that it makes, or that it is about.
    pub(super) fn subject(&self, index: usize) -> Option<Subject> {
        let node = |element| Subject { kind: ElementKind::Node, element };
        Some(match &self.0 {
            Kind::CreateNode { .. } => node(Element::MadeBy(index)),
            Kind::CreateRelationship { .. } => {
                Subject { kind: ElementKind::Relationship, element: Element::MadeBy(index) }
            }
            Kind::Get(subject) | Kind::Delete(subject) | Kind::Properties(subject, _) => *subject,
            Kind::Relationships(adjacent) | Kind::Degree(adjacent) => node(adjacent.node),
            Kind::Labels(element, _) => node(*element),
            Kind::Whole(_) => return None,
        })
    }

    /// The elements that it names.
    pub(super) fn elements(&self) -> [Option<Element>; 2] {
        match &self.0 {
            Kind::CreateNode { .. } | Kind::Whole(_) => [None, None],
            Kind::CreateRelationship { start, end, .. } => [Some(*start), Some(*end)],
            Kind::Get(subject) | Kind::Delete(subject) | Kind::Properties(subject, _) => {
                [Some(subject.element), None]
            }
            Kind::Relationships(adjacent) | Kind::Degree(adjacent) => [Some(adjacent.node), None],
            Kind::Labels(element, _) => [Some(*element), None],
        }
    }

    /// The elements that it names, to change them.
    pub(super) fn elements_mut(&mut self) -> Vec<&mut Element> {
        match &mut self.0 {
            Kind::CreateNode { .. } | Kind::Whole(_) => Vec::new(),
            Kind::CreateRelationship { start, end, .. } => vec![start, end],
            Kind::Get(subject) | Kind::Delete(subject) | Kind::Properties(subject, _) => {
                vec![&mut subject.element]
            }
            Kind::Relationships(adjacent) | Kind::Degree(adjacent) => vec![&mut adjacent.node],
            Kind::Labels(element, _) => vec![element],
        }
    }

    /// The values that its client sent, to change the strings in them.
    pub(super) fn values_mut(&mut self) -> Vec<&mut Value> {
        match &mut self.0 {
            Kind::CreateNode { properties } | Kind::CreateRelationship { properties, .. } => {
                vec![properties]
            }
            Kind::Properties(_, OfProperties::SetAll(value) | OfProperties::Set(_, value)) => {
                vec![value]
            }
            Kind::Labels(
                _,
                OfLabels::Add(value) | OfLabels::Replace(value) | OfLabels::Remove(value),
            ) => vec![value],
            Kind::Whole(whole) => whole.values_mut(),
            Kind::Get(_)
            | Kind::Delete(_)
            | Kind::Relationships(_)
            | Kind::Degree(_)
            | Kind::Properties(..)
            | Kind::Labels(..) => Vec::new(),
        }
    }
}
