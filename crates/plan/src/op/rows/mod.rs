//! Operators that work row by row: they add columns to a row, keep it or not, or give it several times.

pub(super) mod call;
pub(super) mod fields;
pub(super) mod filter;
pub(super) mod lookup;
pub(super) mod project;
pub(super) mod random;
pub(super) mod unwind;
pub(super) mod unwind_values;
pub(super) mod weigh;

pub use fields::{Language, Languages};
pub use random::RandomKind;
