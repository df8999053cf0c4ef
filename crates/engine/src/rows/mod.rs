//! Batches in the hands of operators: growing them, grouping their rows, multiplying weights.

mod append;
mod collector;
mod groups;
mod sizes;
mod weights;

pub(crate) use append::{append, nulls};
pub(crate) use collector::Collector;
pub(crate) use groups::{Code, Codes, Groups};
pub(crate) use sizes::batch_bytes;
pub(crate) use weights::{multiply, overflow};

/// A row number as batches hold them.
pub(crate) fn row(index: usize) -> u32 {
    u32::try_from(index).expect("a batch has fewer than 2^32 rows")
}
