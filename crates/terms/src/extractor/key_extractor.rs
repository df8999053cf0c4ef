//! The ways to make keys, and the questions that some predicates ask of them.

use super::scored;
use crate::analyzers::Analyzer;
use crate::cells::{CellGrid, key_of_point};
use crate::geometries::keys_of_geometry;
use crate::limits::PHRASE_WORDS_MAX;
use crate::question::KeyQuestion;
use crate::trigrams::Case;
use crate::vectors::VectorSpace;
use millrace_model::{Result, Value, order_key};

/// How an index makes keys from a value. Its text form is in the catalog, so it may never change its meaning.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum KeyExtractor {
    /// The value itself, as bytes in the order of values. Dgraph's `exact` and `hash`.
    Value,
    /// The words of a text, with their counts. Full text; Dgraph's `term` and `fulltext`, JanusGraph's `Text`.
    Words(Analyzer),
    /// The same for full text with scores: each key carries what a score needs ([`scored`]).
    ScoredWords(Analyzer),
    /// Runs of three bytes of a text: for parts of texts, and regular expressions. Dgraph's `trigram`.
    Trigrams(Case),
    /// Runs of 1 to 4 neighbouring words of a text. Dgraph's `ngram`.
    Phrases(Analyzer),
    /// The cell of a point.
    Cells(CellGrid),
    /// The numbers of a vector: no predicate asks for such keys, a search for the nearest reads them all.
    Vectors(VectorSpace),
    /// The cell of a point of any reference system, on the grid that its system has by default.
    Points,
    /// The cells of a geometry, and the cells around them. Dgraph's `geo`.
    Geometries,
}

/// Between the words of a phrase: no word has it, except of the analyzer `keyword`.
pub(super) const BETWEEN_WORDS: char = '\0';

/// Words of the phrases that a question asks for: Dgraph's `ngram` asks for runs of three.
const ASKED_WORDS: usize = PHRASE_WORDS_MAX - 1;

impl KeyExtractor {
    /// The same for texts of a language, where its words depend on it.
    pub fn with_language(self, tag: &str) -> KeyExtractor {
        match self {
            KeyExtractor::Words(analyzer) => KeyExtractor::Words(analyzer.with_language(tag)),
            KeyExtractor::ScoredWords(analyzer) => {
                KeyExtractor::ScoredWords(analyzer.with_language(tag))
            }
            KeyExtractor::Phrases(analyzer) => KeyExtractor::Phrases(analyzer.with_language(tag)),
            KeyExtractor::Value
            | KeyExtractor::Trigrams(_)
            | KeyExtractor::Cells(_)
            | KeyExtractor::Vectors(_)
            | KeyExtractor::Geometries
            | KeyExtractor::Points => self,
        }
    }

    /// Bytes at the end of a key that are no part of what a pattern reads.
    pub fn payload_bytes(&self) -> usize {
        match self {
            KeyExtractor::ScoredWords(_) => scored::PAYLOAD_BYTES,
            KeyExtractor::Value
            | KeyExtractor::Words(_)
            | KeyExtractor::Trigrams(_)
            | KeyExtractor::Phrases(_)
            | KeyExtractor::Cells(_)
            | KeyExtractor::Points
            | KeyExtractor::Geometries
            | KeyExtractor::Vectors(_) => 0,
        }
    }

    /// A question for words, or for other keys without what they carry, as one for the keys of the index.
    pub fn question(&self, question: KeyQuestion) -> KeyQuestion {
        match self {
            KeyExtractor::ScoredWords(_) => scored::carrying(question),
            KeyExtractor::Value
            | KeyExtractor::Words(_)
            | KeyExtractor::Trigrams(_)
            | KeyExtractor::Phrases(_)
            | KeyExtractor::Cells(_)
            | KeyExtractor::Points
            | KeyExtractor::Geometries
            | KeyExtractor::Vectors(_) => question,
        }
    }

    /// The question for records that have a value equal to this one.
    pub fn equal_to(&self, value: &Value, language: Option<&str>) -> Result<KeyQuestion> {
        Ok(match (self, value) {
            (KeyExtractor::Value, _) => {
                let mut key = Vec::new();
                order_key::encode(value, &mut key);
                KeyQuestion::Key(key)
            }
            (
                KeyExtractor::Words(_) | KeyExtractor::ScoredWords(_) | KeyExtractor::Phrases(_),
                Value::String(text),
            ) => self.all_words(text, language)?,
            (KeyExtractor::Trigrams(case), Value::String(text)) => {
                crate::trigrams::of_literal(text, *case)
            }
            (KeyExtractor::Cells(grid), Value::Point(point)) => {
                let mut key = Vec::new();
                match grid.key_of(point, &mut key) {
                    true => KeyQuestion::Key(key),
                    false => KeyQuestion::Everything,
                }
            }
            (KeyExtractor::Points, Value::Point(point)) => {
                let mut key = Vec::new();
                key_of_point(point, &mut key);
                KeyQuestion::Key(key)
            }
            (KeyExtractor::Geometries, Value::Geometry(shape)) => {
                // Equal shapes have all keys in common.
                let mut keys = Vec::new();
                keys_of_geometry(shape, &mut |key| {
                    keys.push(KeyQuestion::Key(key.to_vec()));
                    Ok(())
                })?;
                keys.into_iter().next().unwrap_or(KeyQuestion::Everything)
            }
            // It has no keys, and neither has an equal value.
            _ => KeyQuestion::Everything,
        })
    }

    /// The question for texts that have all words of this one: Dgraph's `allofterms` and `alloftext`, JanusGraph's
    /// `textContains`; of phrases Dgraph's `ngram`, whose words are next to each other. Without any word nothing is
    /// narrowed.
    pub fn all_words(&self, text: &str, language: Option<&str>) -> Result<KeyQuestion> {
        Ok(KeyQuestion::all(self.word_keys(text, language)?))
    }

    /// The question for texts that have one of the words: Dgraph's `anyofterms` and `anyoftext`. Without any word there
    /// is no such text.
    pub fn any_word(&self, text: &str, language: Option<&str>) -> Result<KeyQuestion> {
        match self {
            KeyExtractor::Words(_) | KeyExtractor::ScoredWords(_) | KeyExtractor::Phrases(_) => {
                let single = match self {
                    KeyExtractor::Phrases(analyzer) => KeyExtractor::Words(*analyzer),
                    other => *other,
                };
                Ok(KeyQuestion::any(single.word_keys(text, language)?))
            }
            KeyExtractor::Value
            | KeyExtractor::Trigrams(_)
            | KeyExtractor::Cells(_)
            | KeyExtractor::Vectors(_)
            | KeyExtractor::Geometries
            | KeyExtractor::Points => Ok(KeyQuestion::Everything),
        }
    }

    /// A question for each word of a text, or for each run of words.
    pub(crate) fn word_keys(&self, text: &str, language: Option<&str>) -> Result<Vec<KeyQuestion>> {
        let key = |text: String| KeyQuestion::Key(text.into_bytes());
        Ok(match self {
            KeyExtractor::Words(analyzer) | KeyExtractor::ScoredWords(analyzer) => {
                let words = analyzer.tokens(text, language)?.into_iter();
                words.map(|token| self.question(key(token.text))).collect()
            }
            KeyExtractor::Phrases(analyzer) => {
                let words: Vec<_> =
                    analyzer.tokens(text, language)?.into_iter().map(|token| token.text).collect();
                let length = ASKED_WORDS.min(words.len()).max(1);
                let phrase = |run: &[String]| key(run.join(BETWEEN_WORDS.encode_utf8(&mut [0; 4])));
                words.windows(length).map(phrase).collect()
            }
            KeyExtractor::Value
            | KeyExtractor::Trigrams(_)
            | KeyExtractor::Cells(_)
            | KeyExtractor::Vectors(_)
            | KeyExtractor::Geometries
            | KeyExtractor::Points => Vec::new(),
        })
    }
}
