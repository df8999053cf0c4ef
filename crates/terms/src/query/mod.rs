//! Queries for full text, as Lucene's users write them.
//!
//! ```text
//!   text ──parser──> Query ──analysis──> WordQuery ──> the question for keys
//!          (scanner)  (tree)                       └─> judging a candidate, and its score
//! ```
//!
//! The parser is our own. `tantivy-query-grammar` reads a similar language: it needs `nom` and two more packages, reads no
//! wildcards and no fuzzy terms, mixes AND and OR by precedence, where Lucene does not, and names no position in an
//! error.

mod analysis;
mod judge;
mod parser;
mod phrase;
mod scanner;
mod tree;
mod word_query;

pub use judge::{Corpus, Fields, WordPositions};
pub use parser::parse;
pub use tree::{Bound, Clause, Occur, Query};
pub use word_query::WordQuery;
