//! Functions on texts: their parts, edits, codes, patterns, and values as texts.

mod codes;
#[macro_use]
pub(super) mod display;
#[macro_use]
pub(super) mod patterns;
#[macro_use]
pub(super) mod strings;
#[macro_use]
pub(super) mod text_edits;
mod written;
