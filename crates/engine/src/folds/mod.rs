//! Folds over the rows of a group: their states, and exact sums.
//!
//! A fold gets columns that were evaluated; it knows groups by number, no operator and no order of rows.

mod distinct;
mod parts;
mod samples;
mod states;
mod sum;
mod typed;

pub(crate) use states::{FoldState, Grouping, STATE_BYTES};
pub(crate) use sum::Sum;
