//! Values of results: those that a scenario expects, and those that a server sent.
//!
//! An element is compared by its labels or type and its properties; its id only tells states of a graph apart.
//! No other module enters here.

mod compare;
mod table;
mod temporal;
mod text;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

pub(crate) use compare::{ListOrder, matches};
pub(crate) use table::{Answer, RowOrder, Table, compare};
pub(crate) use temporal::{Instant, date, duration, local_date_time, local_time, offset};
pub(crate) use text::parse;

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    Null,
    Boolean(bool),
    Integer(i64),
    Float(f64),
    String(String),
    List(Vec<Value>),
    Map(Properties),
    Node(Node),
    Relationship(Relationship),
    Path(Path),
    /// A date, time or duration as its text. A scenario writes such values as strings.
    Temporal(String),
    /// A date and time in a named zone. Bolt sends the instant without the offset, so no text is made of it.
    Zoned(Instant),
    /// Any other value, as its text: bytes, points. No scenario expects one.
    Other(String),
}

/// Keys and values.
pub(crate) type Properties = BTreeMap<String, Value>;

/// A node.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Node {
    /// Empty where a scenario expects it.
    pub(crate) id: String,
    pub(crate) labels: BTreeSet<String>,
    pub(crate) properties: Properties,
}

/// A relationship.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Relationship {
    /// Empty where a scenario expects it.
    pub(crate) id: String,
    pub(crate) kind: String,
    pub(crate) properties: Properties,
}

/// A path: its first node and the hops from there.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Path {
    pub(crate) start: Node,
    pub(crate) hops: Vec<Hop>,
}

/// One hop of a path.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Hop {
    pub(crate) relationship: Relationship,
    /// Whether the path follows the relationship's direction.
    pub(crate) forward: bool,
    pub(crate) node: Node,
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Null => f.write_str("null"),
            Value::Boolean(truth) => write!(f, "{truth}"),
            Value::Integer(int) => write!(f, "{int}"),
            Value::Float(float) => write!(f, "{float:?}"),
            Value::String(text) => write!(f, "'{}'", text.escape_debug()),
            Value::List(values) => {
                f.write_str("[")?;
                separated(f, values, |f, value| value.fmt(f))?;
                f.write_str("]")
            }
            Value::Map(map) => show_properties(f, map),
            Value::Node(node) => node.fmt(f),
            Value::Relationship(relationship) => relationship.fmt(f),
            Value::Path(path) => path.fmt(f),
            Value::Temporal(text) | Value::Other(text) => f.write_str(text),
            Value::Zoned(instant) => instant.fmt(f),
        }
    }
}

impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(")?;
        for label in &self.labels {
            write!(f, ":{label}")?;
        }
        if !self.labels.is_empty() && !self.properties.is_empty() {
            f.write_str(" ")?;
        }
        if !self.properties.is_empty() {
            show_properties(f, &self.properties)?;
        }
        f.write_str(")")
    }
}

impl fmt::Display for Relationship {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[:{}", self.kind)?;
        if !self.properties.is_empty() {
            f.write_str(" ")?;
            show_properties(f, &self.properties)?;
        }
        f.write_str("]")
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<{}", self.start)?;
        for Hop { relationship, forward, node } in &self.hops {
            match forward {
                true => write!(f, "-{relationship}->{node}")?,
                false => write!(f, "<-{relationship}-{node}")?,
            }
        }
        f.write_str(">")
    }
}

fn show_properties(f: &mut fmt::Formatter<'_>, properties: &Properties) -> fmt::Result {
    f.write_str("{")?;
    separated(f, properties, |f, (key, value)| write!(f, "{key}: {value}"))?;
    f.write_str("}")
}

fn separated<T>(
    f: &mut fmt::Formatter<'_>,
    parts: impl IntoIterator<Item = T>,
    show: impl Fn(&mut fmt::Formatter<'_>, T) -> fmt::Result,
) -> fmt::Result {
    for (index, part) in parts.into_iter().enumerate() {
        if 0 < index {
            f.write_str(", ")?;
        }
        show(f, part)?;
    }
    Ok(())
}
