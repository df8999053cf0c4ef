//! Measuring: medians of runs in turn, and distributions of many latencies.
//!
//! A measurement takes a procedure. What it does, and what its figures mean, never enters here.

mod histogram;
mod medians;

pub use histogram::Histogram;
pub(crate) use medians::{Medians, median, median_of, quickest, seconds, side_by_side};
