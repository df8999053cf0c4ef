//! What a client receives: values, and elements with their labels and properties.
//!
//! A list of plain values is a [`Datum::Value`]; only one with an element in it is a [`Datum::List`]. The same holds
//! of maps, at any depth.

use std::sync::Arc;

use millrace_model::Value;
use millrace_model::detached::Properties;

/// One value of a record or a summary.
#[derive(Clone, Debug, PartialEq)]
pub enum Datum {
    /// A plain value.
    Value(Value),
    /// A list that holds elements.
    List(Vec<Datum>),
    /// A map that holds elements.
    Map(Vec<(Arc<str>, Datum)>),
    /// A node.
    Node(Arc<Node>),
    /// A relationship.
    Relationship(Arc<Relationship>),
    /// A path.
    Path(Arc<Path>),
}

/// An element as it is read.
#[derive(Clone, Debug, PartialEq)]
pub enum Element {
    /// A node.
    Node(Node),
    /// A relationship.
    Relationship(Relationship),
    /// A path.
    Path(Path),
}

/// A node.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Its number.
    pub id: i64,
    /// Its id; before 5.0 the text of its number.
    pub element_id: Arc<str>,
    /// Its labels.
    pub labels: Vec<Arc<str>>,
    /// Its properties.
    pub properties: Properties,
}

/// A relationship.
#[derive(Clone, Debug, PartialEq)]
pub struct Relationship {
    /// Its number.
    pub id: i64,
    /// Its id; before 5.0 the text of its number.
    pub element_id: Arc<str>,
    /// The number and the id of the node it leads out of.
    pub start: (i64, Arc<str>),
    /// The number and the id of the node it leads into.
    pub end: (i64, Arc<str>),
    /// Its type.
    pub kind: Arc<str>,
    /// Its properties.
    pub properties: Properties,
}

/// A path: one node more than relationships.
#[derive(Clone, Debug, PartialEq)]
pub struct Path {
    /// The nodes, first to last.
    pub nodes: Vec<Arc<Node>>,
    /// The relationships between them, each with its true ends.
    pub relationships: Vec<Arc<Relationship>>,
}

impl Datum {
    /// Data as a list.
    pub fn list(data: Vec<Datum>) -> Datum {
        if data.iter().all(|datum| matches!(datum, Datum::Value(_))) {
            return Datum::Value(Value::list(data.into_iter().filter_map(Datum::value).collect()));
        }
        Datum::List(data)
    }

    /// Pairs as a map.
    pub fn map(pairs: Vec<(Arc<str>, Datum)>) -> Datum {
        if pairs.iter().all(|(_, datum)| matches!(datum, Datum::Value(_))) {
            let plain =
                |(key, datum): (Arc<str>, Datum)| Some((Value::String(key), datum.value()?));
            return Datum::Value(Value::map(pairs.into_iter().filter_map(plain).collect()));
        }
        Datum::Map(pairs)
    }

    /// The value, if it is a plain one.
    pub fn value(self) -> Option<Value> {
        match self {
            Datum::Value(value) => Some(value),
            Datum::List(_)
            | Datum::Map(_)
            | Datum::Node(_)
            | Datum::Relationship(_)
            | Datum::Path(_) => None,
        }
    }

    /// The text, if it is one.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Datum::Value(value) => value.as_str(),
            Datum::List(_)
            | Datum::Map(_)
            | Datum::Node(_)
            | Datum::Relationship(_)
            | Datum::Path(_) => None,
        }
    }

    /// The integer, if it is one.
    pub fn as_int(&self) -> Option<i64> {
        match self {
            Datum::Value(value) => value.as_int(),
            Datum::List(_)
            | Datum::Map(_)
            | Datum::Node(_)
            | Datum::Relationship(_)
            | Datum::Path(_) => None,
        }
    }
}

impl From<Element> for Datum {
    fn from(element: Element) -> Datum {
        match element {
            Element::Node(node) => Datum::Node(Arc::new(node)),
            Element::Relationship(own) => Datum::Relationship(Arc::new(own)),
            Element::Path(path) => Datum::Path(Arc::new(path)),
        }
    }
}
