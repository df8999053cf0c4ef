//! Characters to names, strings and numbers, with positions.
//!
//! There is no list of tokens: `/` begins a regular expression among arguments and is a division in `math`, and `-` is
//! a part of a name in one and an operator in the other. So a reader asks the cursor for the token that it expects. It
//! looks a token or two further, never more, and the time is linear in the length of the text.

mod cursor;
mod described;
mod errors;
mod numbers;
mod raw;
mod strings;
mod words;

pub(crate) use cursor::Cursor;
pub(crate) use described::{Described, described, has_word};
pub(crate) use errors::Read;
pub use errors::position;
pub(crate) use errors::shown;
pub(crate) use numbers::{bare, number};
pub(crate) use raw::raw_text;
pub(crate) use strings::{quoted, regexp};
pub(crate) use words::{FoundName, is_bare, is_word, language, name, parameter, word};
