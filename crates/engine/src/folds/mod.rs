//! Folds over the rows of a group: their states, and exact sums.
//!
//! A fold gets columns that were evaluated; it knows groups by number, no operator and no order of rows.

mod distinct;
mod samples;
mod states;
mod sum;

pub(crate) use states::{FoldState, STATE_BYTES};
pub(crate) use sum::Sum;
