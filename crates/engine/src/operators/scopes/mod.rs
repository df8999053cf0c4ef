//! Operators that look at all rows of a scope together.

pub(super) mod aggregate;
pub(super) mod barrier;
pub(super) mod dedup;
pub(super) mod first_in_scope;
pub(super) mod fold;
pub(super) mod range;
pub(super) mod row_count;
pub(super) mod side_effect;
pub(super) mod sort;
pub(super) mod tail;
pub(super) mod top_k;
