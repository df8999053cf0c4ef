//! Elements as a client sees them: ids, labels and, if asked for, properties.
//!
//! A row holds a [`Value::Vertex`] and nothing else of the vertex; the code that answers a client
//! gathers labels and properties of all elements of a batch at once, and puts them here beside the
//! values. No properties (`None`) means that they were not asked for, an empty list that there are
//! none.

use std::collections::HashMap;
use std::sync::Arc;

use crate::ids::{EdgeId, VertexId};
use crate::parts::VertexProperty;
use crate::value::Value;

/// Properties that are only a key and a value.
pub type Properties = Vec<(Arc<str>, Value)>;

/// A vertex with what is told of it.
#[derive(Clone, Debug, PartialEq)]
pub struct ShownVertex {
    /// The id it is shown under.
    pub id: Value,
    /// Its label; several are joined.
    pub label: Arc<str>,
    /// Its properties, those of one key together.
    pub properties: Option<Vec<ShownProperty>>,
}

/// An edge with what is told of it.
#[derive(Clone, Debug, PartialEq)]
pub struct ShownEdge {
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

/// A property of a vertex with what is told of it.
#[derive(Clone, Debug, PartialEq)]
pub struct ShownProperty {
    /// Its id.
    pub id: Value,
    /// Its key.
    pub key: Arc<str>,
    /// Its value.
    pub value: Value,
    /// Its own properties.
    pub properties: Option<Properties>,
}

/// What is told of the elements in some values.
#[derive(Clone, Debug, Default)]
pub struct ShownElements {
    /// Of vertices.
    pub vertices: HashMap<VertexId, Arc<ShownVertex>>,
    /// Of edges.
    pub edges: HashMap<EdgeId, Arc<ShownEdge>>,
    /// Of properties of vertices.
    pub properties: HashMap<VertexProperty, Arc<ShownProperty>>,
}
