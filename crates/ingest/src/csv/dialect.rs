//! How a table is written: its delimiters, quotes and comments, and its words for no value.

use crate::error::LoadError;
use crate::source::LineEnds;

/// How CSV is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CsvOptions {
    /// Delimiters and quotes.
    pub dialect: Dialect,
    /// Whether a relationship's unknown end is made (labelled `Resource`) instead of refused.
    pub create_ends: bool,
}

/// How a table is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dialect {
    /// Between fields; one ASCII character.
    pub delimiter: u8,
    /// Between the elements of an array and between labels.
    pub array_delimiter: char,
    /// Whether a quoted field may go on over line ends.
    pub multiline: bool,
    /// Around fields; one ASCII character.
    pub quote: u8,
    /// A line that begins with this byte is a comment.
    pub comment: Option<u8>,
    /// A field without quotes that equals this word is null, as an empty one always is.
    pub null: Option<NullWord>,
    /// Whether an empty text in quotes is no value either.
    pub ignore_empty_strings: bool,
}

/// A word for no value, such as `\N`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NullWord {
    bytes: [u8; Self::BYTES_MAX],
    length: u8,
}

impl NullWord {
    const BYTES_MAX: usize = 15;

    /// A word of one line and at most 15 bytes.
    pub fn parse(word: &str) -> Result<Self, LoadError> {
        let mut bytes = [0; Self::BYTES_MAX];
        match bytes.get_mut(..word.len()) {
            Some(start) if !word.is_empty() && !word.contains(['\n', '\r']) => {
                start.copy_from_slice(word.as_bytes());
                Ok(Self { bytes, length: word.len() as u8 })
            }
            _ => {
                let detail = "a word for null has 1 to 15 bytes on one line, such as \\N or NULL";
                Err(LoadError::Input(format!("'{word}': {detail}")))
            }
        }
    }

    /// The word.
    pub fn as_str(&self) -> &str {
        str::from_utf8(&self.bytes[..usize::from(self.length)]).unwrap_or_default()
    }
}

impl Dialect {
    /// Which line ends may end a block of rows.
    pub(crate) fn line_ends(self) -> LineEnds {
        match self.multiline {
            true => LineEnds::OutsideQuotes(self.quote),
            false => LineEnds::All,
        }
    }
}

impl Default for Dialect {
    fn default() -> Self {
        Self {
            delimiter: b',',
            array_delimiter: ';',
            multiline: false,
            quote: b'"',
            comment: None,
            null: None,
            ignore_empty_strings: false,
        }
    }
}
