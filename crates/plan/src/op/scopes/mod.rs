//! Operators that take all rows of a scope together: to fold, order, limit or collect them.

pub(super) mod aggregate;
pub(super) mod barrier;
pub(super) mod dedup;
pub(super) mod fold;
pub(super) mod range;
mod row_count;
pub(super) mod side_effect;
pub(super) mod sort;
pub(super) mod tail;
pub(super) mod top_k;

pub use row_count::RowCount;
