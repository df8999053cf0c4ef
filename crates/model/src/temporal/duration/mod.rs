//! Durations as a language makes and reads them: from a map, from text, from two points in time; sums and products.

mod amounts;
mod between;
mod fields;
mod read;
mod sums;

pub use between::{Span, between};
pub use fields::make_duration;

pub(super) use fields::amount;
