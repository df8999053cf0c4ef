//! Outer ids: what a vertex is shown under when its client chose an id that cannot be its slot.
//!
//! An outer id is a property of its vertex, under a key that has no name, so that no client can
//! name, write or remove it; one unique index of all vertices is over it. What a reader would get
//! wrong: a graph has that index if some vertex has, or had, an outer id, and else not: that index
//! is the flag.

use crate::column::Column;
use crate::ids::{IndexId, KeyId};
use crate::schema::{Catalog, IndexDeclaration, IndexKind, Owner};
use crate::value::Value;

/// The key of outer ids. Names of keys are numbered from 0, and never come here.
pub const OUTER_KEY: KeyId = KeyId(u32::MAX);

impl IndexDeclaration {
    /// The index of outer ids; the store gives its number.
    pub fn of_outer_ids() -> IndexDeclaration {
        let (id, owner, keys) = (IndexId::default(), Owner::AllVertices, vec![OUTER_KEY]);
        IndexDeclaration { id, owner, keys, kind: IndexKind::Unique }
    }

    /// Whether it is the index of outer ids.
    pub fn is_of_outer_ids(&self) -> bool {
        self.keys == [OUTER_KEY]
    }
}

impl Catalog {
    /// The index of outer ids, if there may be any.
    pub fn outer_index(&self) -> Option<&IndexDeclaration> {
        self.indexes.iter().find(|index| index.is_of_outer_ids())
    }

    /// The indexes that are ready and that somebody declared.
    pub fn declared_indexes(&self) -> impl Iterator<Item = &IndexDeclaration> {
        self.indexes.iter().filter(|index| !index.is_of_outer_ids())
    }
}

/// Outer ids as they are kept: the same 64 bits.
pub fn encode_outer(ids: impl Iterator<Item = Option<u64>>) -> Column {
    let mut column = Column::default();
    ids.for_each(|id| column.push_entry(id.map(|id| Value::I64(id as i64))));
    column
}

/// The outer id in a row of what [`encode_outer`] made.
pub fn decode_outer(column: &Column, row: usize) -> Option<u64> {
    column.get(row).and_then(|value| value.as_int()).map(|id| id as u64)
}
