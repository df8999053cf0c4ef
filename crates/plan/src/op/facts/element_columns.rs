//! The columns that hold elements, and the kind of these.

use std::collections::BTreeMap;

use crate::base::{ColumnId, ElementKind};

/// The kind of each column known to hold elements.
pub type ElementColumns = BTreeMap<ColumnId, ElementKind>;

/// New columns, and the kind of element that each of them holds; `None`: anything.
pub type MadeKinds = Vec<(ColumnId, Option<ElementKind>)>;

/// The known kinds of the columns made so far.
pub struct KnownKinds<'k> {
    kinds: &'k BTreeMap<ColumnId, Option<ElementKind>>,
}

impl<'k> KnownKinds<'k> {
    /// Those of some columns.
    pub(crate) fn new(kinds: &'k BTreeMap<ColumnId, Option<ElementKind>>) -> KnownKinds<'k> {
        KnownKinds { kinds }
    }

    /// The kind of a column.
    pub fn of(&self, column: ColumnId) -> Option<ElementKind> {
        self.kinds.get(&column).copied().flatten()
    }
}
