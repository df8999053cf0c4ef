//! Whether a word is like another: within a few edits, or as a pattern with wildcards says.

pub mod fuzzy;
pub mod regex;
pub mod wildcard;
