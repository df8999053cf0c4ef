//! What can be defined about an owner: properties and indexes.

use super::property_type::PropertyType;
use crate::base::ids::{EdgeTypeId, IndexId, KeyId, LabelId};

/// The owner of a property or an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Owner {
    /// Vertices with a label.
    Label(LabelId),
    /// Edges of a type.
    EdgeType(EdgeTypeId),
    /// Every vertex of the graph.
    AllVertices,
    /// Every edge of the graph: of the index of external ids alone, no client defines anything of
    /// it.
    AllEdges,
}

/// How an index finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum IndexKind {
    /// By equal values; at most one element for each value.
    Unique,
    /// By equal values.
    Exact,
    /// By equal values of the first keys and a range of the next, in order.
    Range,
}

/// A defined property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PropertyDefinition {
    /// Its owner.
    pub owner: Owner,
    /// Which.
    pub key: KeyId,
    /// The type of its values.
    pub kind: PropertyType,
    /// Whether every owner must have it.
    pub required: bool,
}

/// An index over one or more keys of its owner; an owner's element without one of the keys has no
/// entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexDefinition {
    /// Its number, never reused.
    pub id: IndexId,
    /// The owner of the values.
    pub owner: Owner,
    /// Which keys, in order.
    pub keys: Vec<KeyId>,
    /// How it finds.
    pub kind: IndexKind,
}

impl IndexDefinition {
    /// Whether a value may be there once only.
    pub fn is_unique(&self) -> bool {
        self.kind == IndexKind::Unique
    }
}

/// An index that is being built: writers maintain it already, and no seek uses it yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexBuild {
    /// The definition of the index.
    pub index: IndexDefinition,
    /// Whether a second unique value is refused already.
    pub enforced: bool,
}
