//! Errors of queries that parse and cannot be meant.

use millrace_model::{Error, ErrorKind, Phase};

use crate::text::position;
use crate::tree::Offset;

/// An error at a byte of the text.
pub(super) fn wrong(text: &str, at: Offset, detail: impl Into<String>) -> Error {
    Error::new(ErrorKind::BadQuery, detail).in_phase(Phase::Compile).at(position(text, at))
}

/// What is not supported, with what to do instead.
pub(super) fn unsupported(text: &str, at: Offset, what: &str, help: &str) -> Error {
    let error = Error::new(ErrorKind::Unsupported, what).in_phase(Phase::Compile);
    error.at(position(text, at)).with_help(help)
}
