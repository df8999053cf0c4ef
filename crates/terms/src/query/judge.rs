//! Whether a text matches a query, and how well.

use std::collections::BTreeMap;

use millrace_model::{Result, query_limits};

use super::phrase;
use super::tree::Occur;
use super::word_query::WordQuery;
use crate::analyzers::Analyzer;
use crate::matching::fuzzy;
use crate::question::KeyPattern;
use crate::score::{self, TextStatistics};

/// The words of one field of a record, with their positions.
#[derive(Clone, Debug, Default)]
pub struct WordPositions {
    positions: BTreeMap<String, Vec<u32>>,
    /// Words of the field.
    length: u32,
    /// The place of the next text.
    next: u32,
}

impl WordPositions {
    /// Adds a text of the field. Several follow each other without a gap, as in Lucene.
    pub fn add(&mut self, analyzer: Analyzer, text: &str, language: Option<&str>) -> Result<()> {
        let first = self.next;
        analyzer.analyze(text, language, &mut |token| {
            let position = first.saturating_add(token.position);
            match self.positions.get_mut(token.text) {
                Some(positions) => positions.push(position),
                None => drop(self.positions.insert(token.text.to_owned(), vec![position])),
            }
            self.length = self.length.saturating_add(1);
            self.next = position.saturating_add(1);
            Ok(())
        })
    }

    /// Its words, counted.
    pub fn length(&self) -> u32 {
        self.length
    }

    /// Whether it has the word.
    pub fn has(&self, word: &str) -> bool {
        self.positions.contains_key(word)
    }

    fn positions(&self, word: &str) -> &[u32] {
        self.positions.get(word).map_or(&[], Vec::as_slice)
    }
}

/// The fields of a record by name.
pub type Fields = BTreeMap<String, WordPositions>;

/// What a score needs to know of an index.
pub trait Corpus {
    /// Counts of all texts of a field.
    fn statistics(&self, field: &str) -> TextStatistics;

    /// Texts of a field that have the word.
    fn texts_with(&self, field: &str, word: &str) -> u64;
}

impl WordQuery {
    /// Whether the record matches. A query without a field looks in each.
    pub fn matches(&self, fields: &Fields) -> Result<bool> {
        Ok(self.judge(fields, None, &Uncounted, 1.0)?.is_some())
    }

    /// The score of the record, if it matches.
    ///
    /// Words and phrases score by BM25, a phrase as one word that is as rare as all of its words together. Patterns, ranges and
    /// `*:*` score 1. A fuzzy word scores by the words that it finds, each times its similarity, where Lucene takes the
    /// counts of all of them together. Scores of clauses and fields are added.
    pub fn score(&self, fields: &Fields, corpus: &dyn Corpus) -> Result<Option<f64>> {
        self.judge(fields, None, corpus, 1.0)
    }

    fn judge(
        &self,
        fields: &Fields,
        field: Option<&str>,
        corpus: &dyn Corpus,
        boost: f64,
    ) -> Result<Option<f64>> {
        match self {
            WordQuery::Nothing => Ok(None),
            WordQuery::All => Ok(Some(boost)),
            WordQuery::Boost(query, own) => query.judge(fields, field, corpus, boost * own),
            WordQuery::Field(name, query) => query.judge(fields, Some(name), corpus, boost),
            WordQuery::Boolean(clauses) => of_clauses(clauses, fields, field, corpus, boost),
            WordQuery::Word(_)
            | WordQuery::Phrase { .. }
            | WordQuery::Like { .. }
            | WordQuery::Between { .. } => {
                let mut total = None;
                for (name, own) in
                    fields.iter().filter(|(name, _)| field.is_none_or(|field| field == *name))
                {
                    let scored = self.in_field(own, name, corpus)?;
                    if let Some(scored) = scored {
                        *total.get_or_insert(0.0) += scored * boost;
                    }
                }
                Ok(total)
            }
        }
    }

    /// The score of one field by a part without parts.
    fn in_field(
        &self,
        own: &WordPositions,
        name: &str,
        corpus: &dyn Corpus,
    ) -> Result<Option<f64>> {
        query_limits::step(1)?;
        match self {
            WordQuery::Word(word) => Ok(of_word(own, name, corpus, word)),
            WordQuery::Phrase { words, slop } => Ok(of_phrase(own, name, corpus, words, *slop)),
            WordQuery::Like { prefix, pattern } => of_pattern(own, name, corpus, prefix, pattern),
            WordQuery::Between { low, high } => {
                let is_in = |word: &str| {
                    let above = low.as_ref().is_none_or(|(low, is_included)| {
                        low.as_str() < word || *is_included && low == word
                    });
                    above
                        && high.as_ref().is_none_or(|(high, is_included)| {
                            word < high.as_str() || *is_included && high == word
                        })
                };
                query_limits::step(own.positions.len() as u64)?;
                Ok(own.positions.keys().any(|word| is_in(word)).then_some(1.0))
            }
            WordQuery::Nothing
            | WordQuery::All
            | WordQuery::Boolean(_)
            | WordQuery::Field(..)
            | WordQuery::Boost(..) => Ok(None),
        }
    }
}

fn of_clauses(
    clauses: &[(Occur, WordQuery)],
    fields: &Fields,
    field: Option<&str>,
    corpus: &dyn Corpus,
    boost: f64,
) -> Result<Option<f64>> {
    let mut score = 0.0;
    let mut is_match = false;
    let has_required = clauses.iter().any(|(occur, _)| *occur == Occur::Must);
    for (occur, query) in clauses {
        match (occur, query.judge(fields, field, corpus, boost)?) {
            (Occur::Must, None) | (Occur::MustNot, Some(_)) => return Ok(None),
            (Occur::Must | Occur::Should, Some(own)) => {
                is_match = true;
                score += own;
            }
            (Occur::Should | Occur::MustNot, None) => {}
        }
    }
    Ok((is_match || has_required).then_some(score))
}

fn of_word(own: &WordPositions, name: &str, corpus: &dyn Corpus, word: &str) -> Option<f64> {
    let occurrences = own.positions(word).len();
    let scored = || {
        let with = corpus.texts_with(name, word);
        score::bm25(corpus.statistics(name), with, occurrences as u32, own.length, 1.0)
    };
    (0 < occurrences).then(scored)
}

fn of_phrase(
    own: &WordPositions,
    name: &str,
    corpus: &dyn Corpus,
    words: &[(String, u32)],
    slop: u32,
) -> Option<f64> {
    let positions: Vec<_> = words.iter().map(|(word, at)| (*at, own.positions(word))).collect();
    let frequency = phrase::frequency(&positions, slop);
    let scored = || {
        let texts_with: Vec<u64> =
            words.iter().map(|(word, _)| corpus.texts_with(name, word)).collect();
        score::bm25_of_phrase(corpus.statistics(name), &texts_with, frequency, own.length)
    };
    (0.0 < frequency).then(scored)
}

fn of_pattern(
    own: &WordPositions,
    name: &str,
    corpus: &dyn Corpus,
    prefix: &str,
    pattern: &KeyPattern,
) -> Result<Option<f64>> {
    let words = own.positions.range(prefix.to_owned()..).map(|(word, _)| word);
    let words = words.take_while(|word| word.starts_with(prefix));
    let matcher = pattern.matcher();
    let mut total = None;
    for word in words {
        query_limits::step(matcher.work_on(word.as_bytes()))?;
        if !matcher.accepts(word.as_bytes()) {
            continue;
        }
        let KeyPattern::Fuzzy { word: wanted, .. } = pattern else { return Ok(Some(1.0)) };
        let similarity = fuzzy::similarity(wanted, word);
        *total.get_or_insert(0.0) += of_word(own, name, corpus, word).unwrap_or(0.0) * similarity;
    }
    Ok(total)
}

/// For matches without a score.
struct Uncounted;

impl Corpus for Uncounted {
    fn statistics(&self, _: &str) -> TextStatistics {
        TextStatistics { text_count: 0, word_count: 0 }
    }

    fn texts_with(&self, _: &str, _: &str) -> u64 {
        0
    }
}
