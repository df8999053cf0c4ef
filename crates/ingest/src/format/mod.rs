//! Which formats there are, and how a file's format is recognized by its name or by its first bytes. How
//! a format is read never enters here: that is its own module above.

mod kind;
mod looks;

pub use kind::Format;
pub(crate) use looks::{check, check_part, format_of_file};
