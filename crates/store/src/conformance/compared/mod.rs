//! The content of a graph as text, and random writes on two backends whose contents are compared.
//!
//! No case is here: cases use the content to compare what they wrote.

pub(super) mod content;
mod differential;
pub(super) mod range_check;
mod script;

pub use content::{Content, content};
pub use differential::differential;
