//! A query in words of an index.

use super::tree::Occur;
use crate::matching::wildcard;
use crate::question::{KeyPattern, KeyQuestion};

/// A query whose words went through the analyzer of an index.
#[derive(Clone, Debug, PartialEq)]
pub enum WordQuery {
    /// No text.
    Nothing,
    /// Every text.
    All,
    /// A text with this word.
    Word(String),
    /// A text with these words at these places to each other.
    Phrase {
        /// Words, each with its place; the first has 0.
        words: Vec<(String, u32)>,
        /// Moves of a word that are allowed.
        slop: u32,
    },
    /// A text with a word that the pattern accepts and that begins so.
    Like {
        /// The beginning.
        prefix: String,
        /// What else the word must be.
        pattern: KeyPattern,
    },
    /// A text with a word in this range, in the order of code points.
    Between {
        /// The least, and whether it is included.
        low: Option<(String, bool)>,
        /// The greatest, and whether it is included.
        high: Option<(String, bool)>,
    },
    /// As in the query.
    Boolean(Vec<(Occur, WordQuery)>),
    /// Words of this field only.
    Field(String, Box<WordQuery>),
    /// The score times this.
    Boost(Box<WordQuery>, f64),
}

impl WordQuery {
    /// The question for the keys of an index of words. All fields count as one: a text that has its words in another field is
    /// a candidate, too.
    pub fn key_question(&self) -> KeyQuestion {
        match self {
            WordQuery::Nothing => KeyQuestion::Nothing,
            WordQuery::All => KeyQuestion::Everything,
            WordQuery::Word(word) => KeyQuestion::Key(word.clone().into_bytes()),
            WordQuery::Phrase { words, .. } => KeyQuestion::all(
                words.iter().map(|(word, _)| KeyQuestion::Key(word.clone().into_bytes())),
            ),
            WordQuery::Like { prefix, pattern } => {
                KeyQuestion::prefix(prefix.as_bytes(), pattern.clone())
            }
            WordQuery::Between { low, high } => {
                let behind = |word: &str| [word.as_bytes(), &[0]].concat();
                let from = match low {
                    None => Vec::new(),
                    Some((word, true)) => word.clone().into_bytes(),
                    Some((word, false)) => behind(word),
                };
                let until = match high {
                    None => Vec::new(),
                    Some((word, true)) => behind(word),
                    // Nothing is below the empty word, and an empty end is none.
                    Some((word, false)) if word.is_empty() => return KeyQuestion::Nothing,
                    Some((word, false)) => word.clone().into_bytes(),
                };
                KeyQuestion::Keys { from, until, pattern: KeyPattern::Any }
            }
            WordQuery::Boolean(clauses) => of_clauses(clauses),
            WordQuery::Field(_, query) | WordQuery::Boost(query, _) => query.key_question(),
        }
    }

    /// Each single word, fields aside: the counts of these a score needs.
    pub fn words(&self) -> Vec<&str> {
        let mut words = Vec::new();
        self.collect_words(&mut words);
        words.sort_unstable();
        words.dedup();
        words
    }

    fn collect_words<'q>(&'q self, words: &mut Vec<&'q str>) {
        match self {
            WordQuery::Word(word) => words.push(word),
            WordQuery::Phrase { words: own, .. } => {
                words.extend(own.iter().map(|(word, _)| word.as_str()));
            }
            WordQuery::Boolean(clauses) => {
                clauses.iter().for_each(|(_, query)| query.collect_words(words));
            }
            WordQuery::Field(_, query) | WordQuery::Boost(query, _) => query.collect_words(words),
            WordQuery::Nothing
            | WordQuery::All
            | WordQuery::Like { .. }
            | WordQuery::Between { .. } => {}
        }
    }

    /// Words that match a pattern.
    pub(super) fn like(pattern: &str) -> WordQuery {
        let prefix = wildcard::literal_prefix(pattern);
        WordQuery::Like { prefix, pattern: KeyPattern::Wildcard(pattern.to_owned()) }
    }
}

fn of_clauses(clauses: &[(Occur, WordQuery)]) -> KeyQuestion {
    let of = |wanted: Occur| {
        let own = clauses.iter().filter(move |(occur, _)| *occur == wanted);
        own.map(|(_, query)| query.key_question())
    };
    if clauses.iter().any(|(occur, _)| *occur == Occur::Must) {
        KeyQuestion::all(of(Occur::Must))
    } else {
        // Forbidden clauses alone find nothing.
        KeyQuestion::any(of(Occur::Should))
    }
}
