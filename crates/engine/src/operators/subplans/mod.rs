//! Operators that run pipelines of their own.

pub(super) mod apply;
pub(super) mod group;
pub(super) mod in_transactions;
pub(super) mod join;
pub(super) mod repeat;
pub(super) mod repeat_count;
pub(super) mod union;
