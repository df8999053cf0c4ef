//! What the host of an interpreter gives its scripts: files to read, and a place for the lines they print.
//!
//! Both are functions of the host. This module never opens a file or a log by itself.

mod files;
mod output;

pub use files::OpenFile;
pub(crate) use files::{Files, open, reader};
pub use output::PrintLine;
pub(crate) use output::{add as add_output, set as set_output};
