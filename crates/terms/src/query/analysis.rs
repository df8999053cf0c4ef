//! A query through the analyzer of an index, as Lucene's classic `QueryParser` does it.
//!
//! A term of which the analyzer leaves nothing is dropped from its clauses; one that becomes several words asks for any of
//! them. Words with wildcards, fuzzy words and ends of ranges are normalized only: a stem of a part is none of the whole.

use millrace_model::Result;

use super::tree::{Bound, Occur, Query};
use super::word_query::WordQuery;
use crate::analyzers::Analyzer;
use crate::matching::{regex, wildcard};
use crate::question::KeyPattern;

impl Query {
    /// The query in words.
    pub fn analyzed(&self, analyzer: Analyzer, language: Option<&str>) -> Result<WordQuery> {
        let analysis = Analysis { analyzer, language };
        Ok(analysis.query(self)?.unwrap_or(WordQuery::Nothing))
    }
}

struct Analysis<'l> {
    analyzer: Analyzer,
    language: Option<&'l str>,
}

impl Analysis<'_> {
    /// `None` if the analyzer leaves nothing.
    fn query(&self, query: &Query) -> Result<Option<WordQuery>> {
        let boxed = |query: Option<WordQuery>| query.map(Box::new);
        Ok(match query {
            Query::All => Some(WordQuery::All),
            Query::Term(text) => self.term(text)?,
            Query::Phrase { text, slop } => self.phrase(text, *slop)?,
            Query::Prefix(text) => {
                Some(WordQuery::Like { prefix: self.normalized(text), pattern: KeyPattern::Any })
            }
            Query::Wildcard(pattern) => {
                Some(WordQuery::like(&wildcard::with_literals(pattern, |part| {
                    self.normalized(part)
                })))
            }
            // All of it, as in Lucene: where the words are of lower case, `\D` is `\d`.
            Query::Regex(pattern) => {
                let regex = regex::read(&self.normalized(pattern))?;
                let prefix = regex.literal_prefix();
                Some(WordQuery::Like { prefix, pattern: KeyPattern::Regex(regex) })
            }
            Query::Fuzzy { word, edits } => {
                let word = self.normalized(word);
                Some(WordQuery::Like {
                    prefix: String::new(),
                    pattern: KeyPattern::Fuzzy { word, edits: *edits },
                })
            }
            Query::Range { low, high } => {
                let end = |bound: &Option<Bound>| {
                    bound.as_ref().map(|own| (self.normalized(&own.word), own.is_included))
                };
                Some(WordQuery::Between { low: end(low), high: end(high) })
            }
            Query::Field(name, query) => {
                boxed(self.query(query)?).map(|query| WordQuery::Field(name.clone(), query))
            }
            Query::Boost(query, boost) => {
                boxed(self.query(query)?).map(|query| WordQuery::Boost(query, *boost))
            }
            Query::Boolean(clauses) => {
                let mut own: Vec<(Occur, WordQuery)> = Vec::new();
                for clause in clauses {
                    own.extend(self.query(&clause.query)?.map(|query| (clause.occur, query)));
                }
                (!own.is_empty()).then_some(WordQuery::Boolean(own))
            }
        })
    }

    fn normalized(&self, part: &str) -> String {
        self.analyzer.normalize(part, self.language)
    }

    fn term(&self, text: &str) -> Result<Option<WordQuery>> {
        let tokens = self.analyzer.tokens(text, self.language)?;
        let mut words: Vec<_> =
            tokens.into_iter().map(|token| WordQuery::Word(token.text)).collect();
        Ok(match words.len() {
            0 => None,
            1 => words.pop(),
            _ => Some(WordQuery::Boolean(
                words.into_iter().map(|word| (Occur::Should, word)).collect(),
            )),
        })
    }

    fn phrase(&self, text: &str, slop: u32) -> Result<Option<WordQuery>> {
        let tokens = self.analyzer.tokens(text, self.language)?;
        let Some(first) = tokens.first().map(|token| token.position) else { return Ok(None) };
        let mut words: Vec<_> =
            tokens.into_iter().map(|token| (token.text, token.position - first)).collect();
        Ok(match words.len() {
            1 => words.pop().map(|(word, _)| WordQuery::Word(word)),
            _ => Some(WordQuery::Phrase { words, slop }),
        })
    }
}
