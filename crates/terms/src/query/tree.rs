//! A query as it was written.

/// A query, before any analyzer.
#[derive(Clone, Debug, PartialEq)]
pub enum Query {
    /// Clauses, each with how it counts.
    Boolean(Vec<Clause>),
    /// `word`. An analyzer may make several of it, of which one suffices.
    Term(String),
    /// `"several words"~2`: words next to each other, up to so many moves of a word.
    Phrase {
        /// The words.
        text: String,
        /// The moves.
        slop: u32,
    },
    /// `wor*`.
    Prefix(String),
    /// `w?r*d`, with the escapes of the text.
    Wildcard(String),
    /// `/w.*d/`, without the slashes: words that match a regular expression.
    Regex(String),
    /// `word~1`: words with so many edits at most.
    Fuzzy {
        /// The word.
        word: String,
        /// The edits, 2 at most.
        edits: u8,
    },
    /// `[a TO b]`, `{a TO *}`: words in their order by code point.
    Range {
        /// The least.
        low: Option<Bound>,
        /// The greatest.
        high: Option<Bound>,
    },
    /// `*:*`: every text.
    All,
    /// `field:…`: a query for one field. The innermost counts.
    Field(String, Box<Query>),
    /// `…^2`: what the score is multiplied by.
    Boost(Box<Query>, f64),
}

/// An end of a range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bound {
    /// The word.
    pub word: String,
    /// Whether it is in the range itself.
    pub is_included: bool,
}

/// A part of a query.
#[derive(Clone, Debug, PartialEq)]
pub struct Clause {
    /// How it counts.
    pub occur: Occur,
    /// What is wanted.
    pub query: Query,
}

/// How a clause counts, as in Lucene's `BooleanClause`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Occur {
    /// Each text must match.
    Must,
    /// A match raises the score; where no clause must match, one of these must.
    Should,
    /// No text may match.
    MustNot,
}
