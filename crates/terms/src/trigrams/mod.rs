//! Trigrams: runs of three bytes, of which a text has as many as bytes.
//!
//! Bytes and not characters, as in Google's code search (R. Cox, "Regular Expression Matching with a Trigram Index",
//! 2012) and Dgraph: one character of Chinese is three bytes, so a question for it has a key, and no key is longer than
//! any other. A text below three bytes has none, and a question for less than three bytes narrows nothing.

mod keys;
mod pattern;

pub use keys::{Case, fold_case, of_literal, trigrams_of};
pub use pattern::{of_hir, of_pattern};
