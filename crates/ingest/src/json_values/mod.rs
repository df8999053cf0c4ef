//! JSON of a file as a stream of values: those of lines, and those that stand in one array or object of any size. What
//! the values mean, and which format they are of, is not known here.

mod opening;
mod unwrap;

pub(crate) use unwrap::{SEPARATOR, array_values, is_wrapped, unwrapped};
