//! The one error of this crate: a fault in a text. Which file, line or request the text belongs to is known to its
//! reader only, which makes an error of its own of a [`Fault`].

use crate::limits::EXCERPT_CHARS_MAX;
use millrace_model::TextPosition;
use std::fmt;

/// Something wrong inside a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Where: bytes from the start of the text.
    pub at: usize,
    /// The message: the expected form, the text found, and the remedy.
    pub detail: String,
}

impl Fault {
    /// A fault at a byte of the text.
    pub fn new(at: usize, detail: impl Into<String>) -> Self {
        Self { at, detail: detail.into() }
    }

    /// Line and column, from 1, in the text that the fault is in.
    pub fn position(&self, text: &str) -> TextPosition {
        let before = &text.as_bytes()[..self.at.min(text.len())];
        let line_start = memchr::memrchr(b'\n', before).map_or(0, |end| end + 1);
        let lines = memchr::memchr_iter(b'\n', before).count();
        let characters = String::from_utf8_lossy(&before[line_start..]).chars().count();
        TextPosition { line: 1 + lines as u32, column: 1 + characters as u32 }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.detail)
    }
}

impl std::error::Error for Fault {}

/// Shortens a piece of input for a message, so that one bad row can't flood the terminal.
pub fn excerpt(text: &str) -> String {
    match text.char_indices().nth(EXCERPT_CHARS_MAX) {
        Some((end, _)) => format!("{}…", printable(&text[..end])),
        None => printable(text),
    }
}

/// Text on one line: characters that do not print are escaped, backslashes and quotes stay as they are.
fn printable(text: &str) -> String {
    let letter = |letter: char| match letter {
        '\\' | '"' | '\'' => letter.to_string(),
        other => other.escape_debug().to_string(),
    };
    text.chars().map(letter).collect()
}
