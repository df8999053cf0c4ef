//! Rules of the third phase: which columns there are, and how many rows are kept in order.

pub(super) mod dead_columns;
pub(super) mod edge_count;
pub(super) mod edge_scan;
pub(super) mod top_k;
