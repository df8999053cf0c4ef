//! Batches in the hands of operators: growing them, grouping their rows, multiplying weights, counting rows by group.
//!
//! Values and rows only: no graph, no plan and no operator enters.

mod append;
mod codes;
mod collector;
mod groups;
mod number;
mod ordinals;
mod paths;
mod sizes;
mod tally;
mod weights;

pub(crate) use append::{append, nulls};
pub(crate) use codes::{Code, Codes};
pub(crate) use collector::Collector;
pub(crate) use groups::{GroupMap, Groups, first_rows};
pub(crate) use number::{row, row_equals, slices};
pub(crate) use ordinals::by_ordinal;
pub(crate) use paths::paths_as_values;
pub use sizes::batch_bytes;
pub(crate) use sizes::{batch_bytes_once, own_bytes, shallow_bytes, table_bytes};
pub(crate) use tally::Tally;
pub(crate) use weights::{multiplied, overflow};
