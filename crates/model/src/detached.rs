//! Detached elements, as they leave the server: ids, labels and, if asked for, properties.
//!
//! A row holds nothing of a vertex but a [`Value::Vertex`]. The code that answers a client gathers
//! labels and properties of a whole batch at once, and puts them here beside the values. No
//! properties (`None`) says that they were not asked for, an empty list that there are none.

use std::collections::HashMap;
use std::sync::Arc;

use crate::base::ids::{EdgeId, VertexId};
use crate::values::parts::VertexProperty;
use crate::values::value::Value;

/// Properties that are only a key and a value.
pub type Properties = Vec<(Arc<str>, Value)>;

/// A vertex with its id, labels and properties.
#[derive(Clone, Debug, PartialEq)]
pub struct DetachedVertex {
    /// Its external id.
    pub id: Value,
    /// Its label; several are joined.
    pub label: Arc<str>,
    /// Its properties, those of one key together.
    pub properties: Option<Vec<DetachedProperty>>,
}

/// An edge with its id, type, ends and properties.
#[derive(Clone, Debug, PartialEq)]
pub struct DetachedEdge {
    /// Its id.
    pub id: Value,
    /// Its type.
    pub label: Arc<str>,
    /// The id and the label of the vertex it leads out of.
    pub source: (Value, Arc<str>),
    /// The id and the label of the vertex it leads into.
    pub target: (Value, Arc<str>),
    /// Its properties.
    pub properties: Option<Properties>,
}

/// A property of a vertex with its own id and properties.
#[derive(Clone, Debug, PartialEq)]
pub struct DetachedProperty {
    /// Its id.
    pub id: Value,
    /// Its key.
    pub key: Arc<str>,
    /// Its value.
    pub value: Value,
    /// Its own properties.
    pub properties: Option<Properties>,
}

/// Ids, labels and properties of the elements in some values.
#[derive(Clone, Debug, Default)]
pub struct DetachedElements {
    /// Of vertices.
    pub vertices: HashMap<VertexId, Arc<DetachedVertex>>,
    /// All labels of vertices, each apart, where they were asked for.
    pub labels: HashMap<VertexId, Arc<[Arc<str>]>>,
    /// Of edges.
    pub edges: HashMap<EdgeId, Arc<DetachedEdge>>,
    /// Of properties of vertices.
    pub properties: HashMap<VertexProperty, Arc<DetachedProperty>>,
}

/// The parts of elements in results.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ElementDetail {
    /// Ids, labels and properties.
    #[default]
    All,
    /// Ids and labels.
    Tokens,
    /// Ids, labels and properties, and all labels of a vertex apart.
    Labels,
}
