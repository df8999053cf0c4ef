//! Outer ids: what an element is shown under when its client chose an id that cannot be where it lies.
//!
//! An outer id is a number or a text, and a property of its element, under a key that has no name, so
//! that no client can name, write or remove it; one unique index of all vertices is over it, and one of
//! all edges. What a reader would get wrong: a graph has such an index if some vertex (some edge) has,
//! or had, an outer id, and else not: that index is the flag.

use std::fmt;
use std::sync::Arc;

use crate::column::Column;
use crate::ids::{IndexId, KeyId};
use crate::schema::{Catalog, IndexDeclaration, IndexKind, Owner};
use crate::value::Value;

/// The key of outer ids. Names of keys are numbered from 0, and never come here.
pub const OUTER_KEY: KeyId = KeyId(u32::MAX);

/// An id that a client chose.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum OuterId {
    /// A number from 1.
    Number(u64),
    /// A text.
    Text(Arc<str>),
}

impl OuterId {
    /// What a text says: the number, if it is written as one from 1, else itself. So '7' is 7, and '007'
    /// is not.
    pub fn of_text(text: &Arc<str>) -> OuterId {
        match text.parse::<i64>() {
            Ok(number) if 0 < number && number.to_string() == **text => {
                OuterId::Number(number as u64)
            }
            Ok(_) | Err(_) => OuterId::Text(Arc::clone(text)),
        }
    }

    /// As it is kept: numbers as the same 64 bits.
    pub fn to_kept(&self) -> Value {
        match self {
            OuterId::Number(number) => Value::I64(*number as i64),
            OuterId::Text(text) => Value::String(Arc::clone(text)),
        }
    }

    /// What is kept as this; nothing else is.
    pub fn of_kept(kept: &Value) -> Option<OuterId> {
        match kept {
            Value::String(text) => Some(OuterId::Text(Arc::clone(text))),
            other => other.as_int().map(|number| OuterId::Number(number as u64)),
        }
    }
}

impl fmt::Display for OuterId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OuterId::Number(number) => write!(f, "{number}"),
            OuterId::Text(text) => write!(f, "'{text}'"),
        }
    }
}

impl IndexDeclaration {
    /// The index of outer ids of vertices; the store gives its number.
    pub fn of_outer_ids() -> IndexDeclaration {
        IndexDeclaration::of_outer_ids_of(Owner::AllVertices)
    }

    /// The index of outer ids of all vertices or of all edges; the store gives its number.
    pub fn of_outer_ids_of(owner: Owner) -> IndexDeclaration {
        let (id, keys) = (IndexId::default(), vec![OUTER_KEY]);
        IndexDeclaration { id, owner, keys, kind: IndexKind::Unique }
    }

    /// Whether it is an index of outer ids.
    pub fn is_of_outer_ids(&self) -> bool {
        self.keys == [OUTER_KEY]
    }

    /// Whether it is the index of outer ids of edges.
    pub fn is_of_outer_edge_ids(&self) -> bool {
        self.is_of_outer_ids() && self.owner == Owner::AllEdges
    }
}

impl Catalog {
    /// The index of outer ids of vertices, if there may be any.
    pub fn outer_index(&self) -> Option<&IndexDeclaration> {
        self.outer_index_of(Owner::AllVertices)
    }

    /// The index of outer ids of edges, if there may be any.
    pub fn outer_edge_index(&self) -> Option<&IndexDeclaration> {
        self.outer_index_of(Owner::AllEdges)
    }

    /// The index of outer ids of all vertices or of all edges, if there may be any.
    pub fn outer_index_of(&self, owner: Owner) -> Option<&IndexDeclaration> {
        self.indexes.iter().find(|index| index.is_of_outer_ids() && index.owner == owner)
    }

    /// Whether any element may be shown under another id than its own.
    pub fn has_outer_ids(&self) -> bool {
        self.indexes.iter().any(IndexDeclaration::is_of_outer_ids)
    }

    /// The indexes that are ready and that somebody declared.
    pub fn declared_indexes(&self) -> impl Iterator<Item = &IndexDeclaration> {
        self.indexes.iter().filter(|index| !index.is_of_outer_ids())
    }
}

/// Outer ids that are numbers, as they are kept.
pub fn encode_outer(ids: impl Iterator<Item = Option<u64>>) -> Column {
    encode_ids(ids.map(|id| id.map(OuterId::Number)))
}

/// Outer ids as they are kept.
pub fn encode_ids(ids: impl Iterator<Item = Option<OuterId>>) -> Column {
    let mut column = Column::default();
    ids.for_each(|id| column.push_entry(id.map(|id| id.to_kept())));
    column
}

/// The outer id in a row of what [`encode_ids`] made.
pub fn decode_outer(column: &Column, row: usize) -> Option<OuterId> {
    column.get(row).and_then(|value| OuterId::of_kept(&value))
}
