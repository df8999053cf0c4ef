//! External ids: ids that clients chose and that cannot be the internal ids of their elements.
//!
//! An external id is a number or a text, and a property of its element, under a key that has no
//! name, so that no client can name, write or remove it; one unique index of all vertices is over
//! it, and one of all edges. A graph has such an index exactly if some vertex (some edge) has, or
//! had, an external id: the index itself is the flag.

use std::fmt;
use std::sync::Arc;

use super::column::Column;
use crate::base::ids::KeyId;
use crate::schema::{Catalog, IndexDefinition, IndexKind, Owner};
use crate::values::value::Value;

/// The key of external ids. Names of keys are numbered from 0, and never come here.
pub const EXTERNAL_ID_KEY: KeyId = KeyId(u32::MAX);

/// An id that a client chose.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ExternalId {
    /// A number from 1.
    Number(u64),
    /// A text.
    Text(Arc<str>),
}

impl ExternalId {
    /// The id that a text stands for: the number, if it is written as one from 1, else the text
    /// itself. So '7' is 7, and '007' is not.
    pub fn of_text(text: &Arc<str>) -> ExternalId {
        match text.parse::<i64>() {
            Ok(number) if 0 < number && number.to_string() == **text => {
                ExternalId::Number(number as u64)
            }
            Ok(_) | Err(_) => ExternalId::Text(Arc::clone(text)),
        }
    }

    /// As it is stored: numbers as the same 64 bits.
    pub fn to_stored(&self) -> Value {
        match self {
            ExternalId::Number(number) => Value::I64(*number as i64),
            ExternalId::Text(text) => Value::String(Arc::clone(text)),
        }
    }

    /// The id of a stored value; nothing else is one.
    pub fn of_stored(stored: &Value) -> Option<ExternalId> {
        match stored {
            Value::String(text) => Some(ExternalId::Text(Arc::clone(text))),
            other => other.as_int().map(|number| ExternalId::Number(number as u64)),
        }
    }
}

impl fmt::Display for ExternalId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ExternalId::Number(number) => write!(f, "{number}"),
            ExternalId::Text(text) => write!(f, "'{text}'"),
        }
    }
}

impl IndexDefinition {
    /// The index of external ids of vertices; the store gives its number.
    pub fn of_external_ids() -> IndexDefinition {
        IndexDefinition::of_external_ids_of(Owner::AllVertices)
    }

    /// The index of external ids of all vertices or of all edges; the store gives its number.
    pub fn of_external_ids_of(owner: Owner) -> IndexDefinition {
        IndexDefinition::new(owner, vec![EXTERNAL_ID_KEY], IndexKind::Unique)
    }

    /// The number among those that are found at once: there is one index of vertices, and one of edges.
    pub(crate) fn number_of_external(owner: Owner) -> Option<usize> {
        match owner {
            Owner::AllVertices => Some(0),
            Owner::AllEdges => Some(1),
            Owner::Label(_) | Owner::EdgeType(_) => None,
        }
    }

    /// Whether it is an index of external ids.
    pub fn is_of_external_ids(&self) -> bool {
        self.keys == [EXTERNAL_ID_KEY]
    }

    /// Whether it is the index of external ids of edges.
    pub fn is_of_external_edge_ids(&self) -> bool {
        self.is_of_external_ids() && self.owner == Owner::AllEdges
    }
}

impl Catalog {
    /// The index of external ids of vertices, if there may be any.
    pub fn external_index(&self) -> Option<&IndexDefinition> {
        self.external_index_of(Owner::AllVertices)
    }

    /// The index of external ids of edges, if there may be any.
    pub fn external_edge_index(&self) -> Option<&IndexDefinition> {
        self.external_index_of(Owner::AllEdges)
    }

    /// The index of external ids of all vertices or of all edges, if there may be any.
    pub fn external_index_of(&self, owner: Owner) -> Option<&IndexDefinition> {
        self.indexes.well_known(IndexDefinition::number_of_external(owner)?)
    }

    /// Whether any element may have an external id.
    pub fn has_external_ids(&self) -> bool {
        self.external_index().is_some() || self.external_edge_index().is_some()
    }

    /// The indexes that are ready and that a client defined.
    pub fn defined_indexes(&self) -> impl Iterator<Item = &IndexDefinition> {
        self.indexes.iter().filter(|index| !index.is_of_external_ids())
    }
}

/// External ids that are numbers, as they are stored.
pub fn encode_external(ids: impl Iterator<Item = Option<u64>>) -> Column {
    encode_ids(ids.map(|id| id.map(ExternalId::Number)))
}

/// External ids as they are stored.
pub fn encode_ids(ids: impl Iterator<Item = Option<ExternalId>>) -> Column {
    let mut column = Column::default();
    ids.for_each(|id| column.push_entry(id.map(|id| id.to_stored())));
    column
}

/// The external id in a row of a column that [`encode_ids`] made.
pub fn decode_external(column: &Column, row: usize) -> Option<ExternalId> {
    column.get(row).and_then(|value| ExternalId::of_stored(&value))
}
