//! How an index makes keys from values, in one place: stores make entries of them, and questions ask for them.
//!
//! An index of whole values knows equal values and ranges. The others hold keys that are *made* from a value: its
//! words, its trigrams, the cell of a point. Such an index finds candidates; the records decide. So one thing must
//! never happen: a value that a predicate accepts and whose keys the question for that predicate does not find.
//!
//! ```text
//!   janusgraph  JanusGraph's predicates on texts: what they accept, and what they ask
//!   dgraph      words as Dgraph's tokenizers make them
//!   extractor   the keys of a value, by one of the ways below; text forms of the ways
//!   query       queries for full text, and the judge of their candidates
//!   cells       points; circles and boxes as ranges of keys
//!   geometries  shapes on the sphere; predicates on them, and their cells
//!   trigrams    parts of texts, regular expressions
//!   vectors     vectors as keys; how near one is to another
//!   analyzers   texts to words, by name
//!   score       BM25
//!   question    what a predicate asks: a tree of keys and ranges of keys
//!   matching    words that are alike: edits, wildcards
//!   limits      the named bounds
//! ```
//!
//! Everything here is a pure function of values and texts.
#![warn(missing_docs)]

mod analyzers;
pub mod cells;
pub mod dgraph;
mod extractor;
pub mod geometries;
pub mod janusgraph;
pub mod limits;
pub mod matching;
pub mod query;
mod question;
pub mod score;
pub mod trigrams;
pub mod vectors;

pub use analyzers::{Analyzer, OwnedToken, REFUSED, Token, TokenSink};
pub use extractor::{KeyExtractor, KeySink, RowKeySink, WordCounts, scored};
pub use question::{KeyMatcher, KeyPattern, KeyQuestion};
