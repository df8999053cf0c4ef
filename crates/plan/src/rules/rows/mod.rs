//! Rules of the last phase: how many rows there are, by the columns that are live at the end.

pub(super) mod creates_together;
mod determined;
pub(super) mod merge_rows;
