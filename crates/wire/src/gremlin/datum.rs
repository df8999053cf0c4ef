//! The content of messages: values, detached elements, and types that only the protocol has.
//!
//! A list of plain values is a [`Datum::Value`]; only one with something else in it is a
//! [`Datum::List`]. The same holds of sets and maps, at any depth.

use std::sync::Arc;

use millrace_model::detached::{DetachedEdge, DetachedElements, DetachedProperty, DetachedVertex};
// TinkerPop's words for a profile.
use millrace_bytecode::Argument;
pub use millrace_model::profile::{Profile as TraversalMetrics, ProfileNode as Metrics};
use millrace_model::{Error, ErrorKind, Result, Value, parts};

/// One thing in a message.
#[derive(Clone, Debug, PartialEq)]
pub enum Datum {
    /// A value; an element in it is only its id.
    Value(Value),
    /// Ordered.
    List(Vec<Datum>),
    /// Distinct.
    Set(Vec<Datum>),
    /// Keys and values.
    Map(Vec<(Datum, Datum)>),
    /// A vertex.
    Vertex(Arc<DetachedVertex>),
    /// An edge.
    Edge(Arc<DetachedEdge>),
    /// A property of a vertex.
    VertexProperty(Arc<DetachedProperty>),
    /// Another property: its key and its value.
    Property(Box<(Arc<str>, Value)>),
    /// The path of a traverser.
    Path(Box<Path>),
    /// Paths folded by their common beginnings.
    Tree(Tree),
    /// Things, each with how often it is there.
    BulkSet(Vec<(Datum, u64)>),
    /// A subgraph.
    Graph(Box<Graph>),
    /// A result and its bulk.
    Traverser(Box<Traverser>),
    /// The measurements of a step.
    Metrics(Box<Metrics>),
    /// The measurements of a traversal.
    TraversalMetrics(Box<TraversalMetrics>),
    /// A type that occurs only as an argument of an instruction.
    Argument(Box<Argument>),
}

/// The path of a traverser.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Path {
    /// The tags of each object.
    pub labels: Vec<Vec<Arc<str>>>,
    /// The objects, first to last.
    pub objects: Vec<Datum>,
}

/// Paths folded by their common beginnings.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tree {
    /// A thing and the branches behind it.
    pub branches: Vec<(Datum, Tree)>,
}

/// A subgraph.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Graph {
    /// Its vertices.
    pub vertices: Vec<Arc<DetachedVertex>>,
    /// Its edges.
    pub edges: Vec<Arc<DetachedEdge>>,
}

/// A result and its bulk.
#[derive(Clone, Debug, PartialEq)]
pub struct Traverser {
    /// How many equal results it stands for.
    pub bulk: u64,
    /// The result.
    pub value: Datum,
}

impl Datum {
    /// Null.
    pub const NULL: Datum = Datum::Value(Value::Null);

    /// Things as a list.
    pub fn list(data: Vec<Datum>) -> Datum {
        match values(data) {
            Ok(values) => Datum::Value(Value::list(values)),
            Err(data) => Datum::List(data),
        }
    }

    /// Things as a set.
    pub fn set(data: Vec<Datum>) -> Datum {
        match values(data) {
            Ok(values) => Datum::Value(Value::Set(Arc::from(values))),
            Err(data) => Datum::Set(data),
        }
    }

    /// Pairs as a map.
    pub fn map(pairs: Vec<(Datum, Datum)>) -> Datum {
        let plain = |datum: &Datum| matches!(datum, Datum::Value(_));
        if !pairs.iter().all(|(key, value)| plain(key) && plain(value)) {
            return Datum::Map(pairs);
        }
        let both = |(key, value): (Datum, Datum)| Some((key.value()?, value.value()?));
        Datum::Value(Value::map(pairs.into_iter().filter_map(both).collect()))
    }

    /// The value, if it is one.
    pub fn value(self) -> Option<Value> {
        match self {
            Datum::Value(value) => Some(value),
            _ => None,
        }
    }

    /// A value with the elements in it detached.
    pub fn of(value: &Value, elements: &DetachedElements) -> Datum {
        let of = |value: &Value| Datum::of(value, elements);
        let all = |values: &[Value]| values.iter().map(of).collect();
        let found = match value {
            Value::Vertex(id) => elements.vertices.get(id).cloned().map(Datum::Vertex),
            Value::Edge(id) => elements.edges.get(id).cloned().map(Datum::Edge),
            Value::VertexProperty(property) => {
                elements.properties.get(&**property).cloned().map(Datum::VertexProperty)
            }
            Value::Property(property) => {
                Some(Datum::Property(Box::new((property.key.clone(), property.value.clone()))))
            }
            Value::List(values) if values.iter().any(holds_element) => {
                Some(Datum::List(all(values)))
            }
            Value::Set(values) if values.iter().any(holds_element) => Some(Datum::Set(all(values))),
            Value::Map(pairs) if holds_element(value) => {
                Some(Datum::Map(pairs.iter().map(|(key, value)| (of(key), of(value))).collect()))
            }
            // A client gets the entry of a map as a map of one.
            Value::MapEntry(entry) => Some(Datum::map(vec![(of(&entry.0), of(&entry.1))])),
            Value::Path(path) => Some(Datum::Path(Box::new(Path {
                labels: path.tags().into_owned(),
                objects: all(&path.objects()),
            }))),
            Value::Tree(tree) => Some(Datum::Tree(Tree::of(tree, elements))),
            Value::Subgraph(part) => Some(Datum::Graph(Box::new(Graph::of(part, elements)))),
            _ => None,
        };
        found.unwrap_or_else(|| Datum::Value(value.clone()))
    }

    /// The datum as an argument of an instruction; a result that cannot be one is refused by its type.
    pub fn into_argument(self) -> Result<Argument> {
        let all = |data: Vec<Datum>| -> Result<Vec<Argument>> {
            data.into_iter().map(Datum::into_argument).collect()
        };
        Ok(match self {
            Datum::Value(value) => Argument::Value(value),
            Datum::Argument(argument) => *argument,
            Datum::List(data) => Argument::list(all(data)?),
            Datum::Set(data) => Argument::set(all(data)?),
            Datum::Map(pairs) => {
                let pairs = pairs.into_iter();
                let pairs =
                    pairs.map(|(key, value)| Ok((key.into_argument()?, value.into_argument()?)));
                Argument::map(pairs.collect::<Result<_>>()?)
            }
            Datum::Vertex(vertex) => Argument::Vertex(vertex.id.clone()),
            Datum::Edge(edge) => Argument::Edge(edge.id.clone()),
            other => {
                let detail = format!("a {} cannot be an argument", other.type_name());
                return Err(Error::new(ErrorKind::BadInput, detail));
            }
        })
    }

    /// The word for its type, in messages.
    pub fn type_name(&self) -> &'static str {
        match self {
            Datum::Value(value) => value.type_name(),
            Datum::List(_) => "list",
            Datum::Set(_) => "set",
            Datum::Map(_) => "map",
            Datum::Vertex(_) => "vertex",
            Datum::Edge(_) => "edge",
            Datum::VertexProperty(_) => "vertex property",
            Datum::Property(_) => "property",
            Datum::Path(_) => "path",
            Datum::Tree(_) => "tree",
            Datum::BulkSet(_) => "bulk set",
            Datum::Graph(_) => "graph",
            Datum::Traverser(_) => "traverser",
            Datum::Metrics(_) => "step's metrics",
            Datum::TraversalMetrics(_) => "traversal's metrics",
            Datum::Argument(_) => "argument of an instruction",
        }
    }
}

impl Tree {
    fn of(tree: &parts::Tree, elements: &DetachedElements) -> Tree {
        let branches = tree.branches.iter();
        let of = |(key, below): &(Value, parts::Tree)| {
            (Datum::of(key, elements), Tree::of(below, elements))
        };
        Tree { branches: branches.map(of).collect() }
    }
}

impl Graph {
    /// A subgraph of detached elements; those that are missing have no label.
    pub(super) fn of(part: &parts::Subgraph, elements: &DetachedElements) -> Graph {
        let vertices = part.vertices().iter();
        let vertices = vertices.filter_map(|vertex| elements.vertices.get(vertex).cloned());
        let edges = part.edges().iter().filter_map(|edge| elements.edges.get(edge).cloned());
        Graph { vertices: vertices.collect(), edges: edges.collect() }
    }
}

impl From<&millrace_model::Path> for Path {
    fn from(path: &millrace_model::Path) -> Path {
        let objects = path.objects().iter().cloned().map(Datum::Value).collect();
        Path { labels: path.tags().into_owned(), objects }
    }
}

/// The values, if all are values.
fn values(data: Vec<Datum>) -> std::result::Result<Vec<Value>, Vec<Datum>> {
    if data.iter().all(|datum| matches!(datum, Datum::Value(_))) {
        return Ok(data.into_iter().filter_map(Datum::value).collect());
    }
    Err(data)
}

/// A part of a graph cannot be sent by its ids: a client makes a graph of it.
pub(super) fn graph_without_elements() -> Error {
    Error::new(ErrorKind::Unsupported, "a part of a graph is sent with its elements only")
}

/// Whether something in a value is more than the value says.
fn holds_element(value: &Value) -> bool {
    match value {
        Value::Vertex(_)
        | Value::Edge(_)
        | Value::VertexProperty(_)
        | Value::Property(_)
        | Value::Path(_)
        | Value::Tree(_)
        | Value::Subgraph(_) => true,
        Value::List(values) | Value::Set(values) => values.iter().any(holds_element),
        Value::Map(pairs) => {
            pairs.iter().any(|(key, value)| holds_element(key) || holds_element(value))
        }
        Value::MapEntry(_) => true,
        _ => false,
    }
}
