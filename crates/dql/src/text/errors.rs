//! Errors of syntax: each has a position in the text, and its help says what to write instead.

use millrace_model::{Error, ErrorKind, Phase, TextPosition};

use crate::limits::SHOWN_CHARACTERS_MAX;
use crate::tree::Offset;

/// A result of reading.
pub(crate) type Read<T> = millrace_model::Result<T>;

/// The line and the column of a byte of a text, counted from 1; the column in characters.
pub fn position(text: &str, offset: Offset) -> TextPosition {
    let mut end = (offset.0 as usize).min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let before = text.get(..end).unwrap_or_default();
    let line = before.bytes().filter(|byte| *byte == b'\n').count();
    let last = before.rsplit('\n').next().unwrap_or_default();
    let counted = |count: usize| u32::try_from(count).unwrap_or(u32::MAX).saturating_add(1);
    TextPosition { line: counted(line), column: counted(last.chars().count()) }
}

/// A text that is no DQL.
pub(super) fn syntax(text: &str, at: Offset, detail: impl Into<String>) -> Error {
    Error::new(ErrorKind::BadQuery, detail).in_phase(Phase::Parse).at(position(text, at))
}

/// A text beyond a bound.
pub(super) fn too_much(text: &str, at: Offset, detail: impl Into<String>) -> Error {
    Error::new(ErrorKind::LimitReached, detail).in_phase(Phase::Parse).at(position(text, at))
}

/// The beginning of a piece of text, for an error.
pub(crate) fn shown(written: &str) -> String {
    match written.char_indices().nth(SHOWN_CHARACTERS_MAX) {
        Some((end, _)) => format!("{}…", written.get(..end).unwrap_or_default()),
        None => written.to_owned(),
    }
}
