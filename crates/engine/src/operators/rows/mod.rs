//! Operators that look at each row by itself, a batch at once.

pub(super) mod call;
pub(super) mod fields;
pub(super) mod filter;
pub(super) mod lookup;
pub(super) mod project;
pub(super) mod random;
pub(super) mod streaming_call;
pub(super) mod unwind;
pub(super) mod unwind_values;
pub(super) mod weigh;
