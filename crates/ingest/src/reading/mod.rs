//! Options for reading files, and the input that they make: which files there are, the format of each and
//! its table, wherever they come from. No row is read here.

mod input;
mod patterns;

pub use input::{Reading, input_of, input_of_files};
pub use patterns::matching_files;
