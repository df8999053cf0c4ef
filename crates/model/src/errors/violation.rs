//! How a rule of the schema was broken, by its parts; its text is in `violation_text`.

use std::sync::Arc;

use crate::base::ids::VertexId;
use crate::values::value::Value;

/// A broken rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Violation {
    /// Values that an element alone may have are another's.
    Duplicate {
        /// An element that has them.
        element: Violator,
        /// Another one that is stored already, where the rule is new.
        other: Option<u64>,
        /// Keys and their values.
        values: Vec<(Arc<str>, Value)>,
    },
    /// An element has no value that it must have.
    Missing {
        /// The element.
        element: Violator,
        /// The key.
        key: Arc<str>,
    },
    /// A vertex is to go, and edges of it stay.
    Connected {
        /// The vertex.
        vertex: VertexId,
        /// Whether the transaction made it.
        is_new: bool,
    },
}

/// The element of a broken rule, with the label or the type that the rule is of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violator {
    /// Whether it is an edge.
    pub is_edge: bool,
    /// Its number.
    pub id: u64,
    /// The label, or the type.
    pub owner: Arc<str>,
}
