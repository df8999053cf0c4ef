//! Sets of columns.

use std::collections::BTreeSet;

use super::names::ColumnId;

/// A set of columns.
pub type ColumnSet = BTreeSet<ColumnId>;

/// Drops columns that are not live; whether there were any.
pub(crate) fn keep_live<T>(made: &mut Vec<(ColumnId, T)>, live: &ColumnSet) -> bool {
    let before = made.len();
    made.retain(|(column, _)| live.contains(column));
    made.len() != before
}
