//! Values, as data: a [`Value`](value::Value), and those that have values in them.
//!
//! What a value is and holds, no more: whether two are equal is in `compare`, and no function here can fail. No limit of
//! a query and no schema enters.

mod byte_size;
mod geometry;
pub mod parts;
pub mod path;
pub(crate) mod property_values;
pub mod value;
pub(crate) mod vector;
mod widths;

pub use byte_size::CountedOnce;
