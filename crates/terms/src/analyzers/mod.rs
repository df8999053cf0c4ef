//! Words of a text as an index has them.
//!
//! ```text
//!   analyzer        the names, and what each does
//!   languages       the filters of a language tag
//!   pipeline        a text through a tokenizer and filters, to tokens with positions
//!   filters         one word changed or dropped   (stemmers, stop words, folding)
//!   tokenizers      where words begin and end     (patterns, characters)
//! ```
//!
//! A question is analysed by the analyzer of its index; that alone makes the two meet.

mod analyzer;
mod characters;
mod filters;
mod folding;
mod languages;
mod patterns;
mod pipeline;
mod stemmers;
mod stop_words;
mod tokenizers;

pub use analyzer::{Analyzer, REFUSED};
pub(crate) use characters::is_java_whitespace;
pub use pipeline::{OwnedToken, Token, TokenSink};
pub(crate) use tokenizers::is_in_word_of_janusgraph;
