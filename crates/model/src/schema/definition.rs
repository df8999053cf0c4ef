//! What can be defined about an owner: properties and indexes.

use std::sync::Arc;

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
    /// By keys that are made from values, such as the trigrams of a text: it finds candidates, and
    /// the one who asks judges them.
    Made,
}

impl IndexKind {
    /// Whether its entries are in the order of their keys; else they are found by hash.
    pub fn is_ordered(self) -> bool {
        matches!(self, IndexKind::Range | IndexKind::Made)
    }
}

/// How an index makes keys from a value, in the words of the crate `terms`: `trigrams`, `words(english)`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct KeyMethod(pub Arc<str>);

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
/// entry. Of made keys it has those of each key that is there.
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
    /// How its keys are made, where it is of kind [`IndexKind::Made`].
    pub method: Option<KeyMethod>,
}

impl IndexDefinition {
    /// An index over whole values; the store gives its number.
    pub fn new(owner: Owner, keys: Vec<KeyId>, kind: IndexKind) -> IndexDefinition {
        IndexDefinition { id: IndexId::default(), owner, keys, kind, method: None }
    }

    /// An index over keys that are made from values; the store gives its number.
    pub fn made(owner: Owner, keys: Vec<KeyId>, method: KeyMethod) -> IndexDefinition {
        let (id, kind) = (IndexId::default(), IndexKind::Made);
        IndexDefinition { id, owner, keys, kind, method: Some(method) }
    }

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
