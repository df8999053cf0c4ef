//! Nodes and relationships as every form has them: numbers, ids as texts, labels, properties.
//!
//! An element that exists no more has its id only.

use std::borrow::Cow;
use std::sync::Arc;

use millrace_model::{DetachedElements, EdgeId, Value, VertexId};

use crate::bolt::packstream::numeric_id;

/// Properties by their names; several values of one key are a list.
pub(super) type Properties<'e> = Vec<(&'e str, Cow<'e, Value>)>;

/// The id of an element, as a number and as a text.
pub(super) struct Id {
    pub(super) number: i64,
    pub(super) text: String,
}

impl Id {
    fn of_node(id: &Value) -> Id {
        Id { number: numeric_id::of(id), text: numeric_id::node_text(id) }
    }

    fn of_relationship(id: &Value) -> Id {
        Id { number: numeric_id::of(id), text: numeric_id::relationship_text(id) }
    }
}

/// A node.
pub(super) struct Node<'e> {
    pub(super) id: Id,
    pub(super) labels: Vec<Arc<str>>,
    pub(super) properties: Properties<'e>,
    pub(super) is_deleted: bool,
}

/// A relationship.
pub(super) struct Relationship<'e> {
    pub(super) id: Id,
    pub(super) start: Id,
    pub(super) end: Id,
    pub(super) kind: Arc<str>,
    pub(super) properties: Properties<'e>,
    pub(super) is_deleted: bool,
}

/// The node of a vertex.
pub(super) fn node(vertex: VertexId, elements: &DetachedElements) -> Node<'_> {
    let Some(own) = elements.vertices.get(&vertex) else {
        // An id that is a number is the internal one.
        let id = Id::of_node(&Value::I64(vertex.0 as i64));
        return Node { id, labels: Vec::new(), properties: Vec::new(), is_deleted: true };
    };
    let labels = match elements.labels.get(&vertex) {
        Some(labels) => labels.to_vec(),
        None => vec![Arc::clone(&own.label)],
    };
    let mut properties = Properties::new();
    let values = own.properties.as_deref().unwrap_or_default();
    for values in values.chunk_by(|one, next| one.key == next.key) {
        match values {
            [] => {}
            [only] => properties.push((&only.key, Cow::Borrowed(&only.value))),
            [first, ..] => {
                let values = values.iter().map(|own| own.value.clone()).collect();
                properties.push((&first.key, Cow::Owned(Value::list(values))));
            }
        }
    }
    Node { id: Id::of_node(&own.id), labels, properties, is_deleted: false }
}

/// The relationship of an edge.
pub(super) fn relationship(edge: EdgeId, elements: &DetachedElements) -> Relationship<'_> {
    let Some(own) = elements.edges.get(&edge) else {
        return Relationship {
            id: Id::of_relationship(&Value::I64(edge.0 as i64)),
            start: Id::of_node(&Value::Null),
            end: Id::of_node(&Value::Null),
            kind: Arc::from(""),
            properties: Vec::new(),
            is_deleted: true,
        };
    };
    let properties = own.properties.as_deref().unwrap_or_default();
    Relationship {
        id: Id::of_relationship(&own.id),
        start: Id::of_node(&own.source.0),
        end: Id::of_node(&own.target.0),
        kind: Arc::clone(&own.label),
        properties: properties.iter().map(|(key, value)| (&**key, Cow::Borrowed(value))).collect(),
        is_deleted: false,
    }
}
