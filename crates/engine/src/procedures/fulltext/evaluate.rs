//! A query over the entries of an index: the elements that match, with their scores.
//!
//! Scores are those that `WordQuery::score` gives for the texts themselves: words by BM25, patterns and ranges 1, and sums
//! over clauses and properties.

use std::collections::BTreeMap;

use millrace_model::{Result, query_limits};
use millrace_terms::matching::fuzzy;
use millrace_terms::query::{Occur, WordQuery};
use millrace_terms::score::bm25;
use millrace_terms::scored::WordPayload;
use millrace_terms::{KeyPattern, KeyQuestion};

use rustc_hash::FxHashSet;

use super::corpus::Corpus;
use super::scored::{Pieces, Scored, intersected, raised, united, without};

/// Records that are read together for phrases.
const RECORDS_MAX: usize = 1_024;

/// Words that a fuzzy one stands for, at most: Lucene's `maxExpansions`.
const ALIKE_WORDS_MAX: usize = 50;

/// How much work a word is.
type WorkOnWord<'a> = &'a dyn Fn(&[u8]) -> u64;

/// TextLists of one word: what their key says, and the elements.
type TextLists = Vec<(WordPayload, Vec<u64>)>;

impl Corpus<'_> {
    /// The elements that match, each once, with their scores.
    pub(super) fn evaluate(&self, query: &WordQuery) -> Result<Scored> {
        self.part(query, None, 1.0)
    }

    fn part(&self, query: &WordQuery, field: Option<&str>, boost: f64) -> Result<Scored> {
        match query {
            WordQuery::Nothing => Ok(Scored::new()),
            WordQuery::Boost(query, own) => self.part(query, field, boost * own),
            WordQuery::Field(name, query) => self.part(query, Some(name), boost),
            WordQuery::Boolean(clauses) => self.clauses(clauses, field, boost),
            WordQuery::All => {
                let mut found = Pieces::default();
                for field in self.fields_of(None) {
                    self.walk_texts(field, &mut |_, _, ids| found.add(ids, boost))?;
                }
                Ok(found.once())
            }
            WordQuery::Word(_)
            | WordQuery::Phrase { .. }
            | WordQuery::Like { .. }
            | WordQuery::Between { .. } => {
                let fields = self.fields_of(field).into_iter();
                united(fields.map(|field| self.leaf(query, field, boost)).collect::<Result<_>>()?)
            }
        }
    }

    fn clauses(
        &self,
        clauses: &[(Occur, WordQuery)],
        field: Option<&str>,
        boost: f64,
    ) -> Result<Scored> {
        let of = |wanted: Occur| {
            let own = clauses.iter().filter(move |(occur, _)| *occur == wanted);
            own.map(|(_, query)| self.part(query, field, boost))
        };
        let mut required: Option<Scored> = None;
        for own in of(Occur::Must) {
            let own = own?;
            let both = match &required {
                Some(before) => intersected(before, &own)?,
                None => own,
            };
            // Nothing more is read for what cannot match.
            if both.is_empty() {
                return Ok(both);
            }
            required = Some(both);
        }
        let optional = united(of(Occur::Should).collect::<Result<_>>()?)?;
        let mut found = match required {
            Some(required) => raised(required, &optional)?,
            None => optional,
        };
        for forbidden in of(Occur::MustNot) {
            if found.is_empty() {
                break;
            }
            found = without(found, &forbidden?)?;
        }
        Ok(found)
    }

    /// A part without parts, in one property.
    fn leaf(&self, query: &WordQuery, field: usize, boost: f64) -> Result<Scored> {
        match query {
            WordQuery::Word(word) => {
                let entries = self.entries_of(field, word)?;
                let mut found = Pieces::default();
                self.add_word(field, &entries, boost, &mut found)?;
                Ok(found.once())
            }
            WordQuery::Phrase { words, .. } => self.phrase(query, field, words, boost),
            WordQuery::Like { pattern: KeyPattern::Fuzzy { word, edits }, .. } => {
                self.alike(field, word, *edits, boost)
            }
            WordQuery::Like { prefix, pattern } => {
                let matcher = pattern.matcher();
                let question = KeyQuestion::prefix(prefix.as_bytes(), KeyPattern::Any);
                let work = |word: &[u8]| matcher.work_on(word);
                self.constant(field, &question, (boost, &work), &|word| matcher.accepts(word))
            }
            WordQuery::Between { low, high } => {
                let is_in = |word: &[u8]| {
                    let end = |(own, is_included): &(String, bool)| {
                        (own.as_bytes().cmp(word), *is_included)
                    };
                    let low = low.as_ref().map(end);
                    let high = high.as_ref().map(end);
                    low.is_none_or(|(order, is_in)| order.is_lt() || is_in && order.is_eq())
                        && high.is_none_or(|(order, is_in)| order.is_gt() || is_in && order.is_eq())
                };
                self.constant(field, &query.key_question(), (boost, &|_| 1), &is_in)
            }
            WordQuery::Nothing
            | WordQuery::All
            | WordQuery::Boolean(_)
            | WordQuery::Field(..)
            | WordQuery::Boost(..) => Ok(Scored::new()),
        }
    }

    fn entries_of(&self, field: usize, word: &str) -> Result<TextLists> {
        let (mut entries, mut bytes) = (TextLists::new(), 0);
        let question = KeyQuestion::Key(word.as_bytes().to_vec());
        self.walk(field, &question, &mut |own, payload, ids| {
            if own == word.as_bytes() {
                bytes += size_of_val(ids) + size_of::<(WordPayload, Vec<u64>)>();
                query_limits::require_room(bytes as u64)?;
                entries.push((payload, ids.to_vec()));
            }
            Ok(())
        })?;
        self.once(&mut entries)?;
        self.know_texts_with(field, word, count(&entries));
        Ok(entries)
    }

    /// Leaves an element that is in several indexes in one of the lists of a word only.
    fn once(&self, entries: &mut TextLists) -> Result<()> {
        if !self.may_repeat() || entries.len() < 2 {
            return Ok(());
        }
        let ids = count(entries);
        query_limits::step(ids)?;
        query_limits::require_room(ids * 4 * size_of::<u64>() as u64)?;
        let mut seen = FxHashSet::default();
        entries.iter_mut().for_each(|(_, ids)| ids.retain(|id| seen.insert(*id)));
        Ok(())
    }

    /// Adds the elements of a word's entries with the word's score.
    fn add_word(
        &self,
        field: usize,
        entries: &TextLists,
        boost: f64,
        found: &mut Pieces,
    ) -> Result<()> {
        let (statistics, texts_with) = (self.statistics_of(field), count(entries));
        for (WordPayload { length, occurrences }, ids) in entries {
            let score = bm25(statistics, texts_with, *occurrences, length.length(), boost);
            found.add(ids, score)?;
        }
        Ok(())
    }

    /// Elements with a word that is accepted, all with one score; and how much work a word is.
    fn constant(
        &self,
        field: usize,
        question: &KeyQuestion,
        (score, work): (f64, WorkOnWord<'_>),
        accepts: &dyn Fn(&[u8]) -> bool,
    ) -> Result<Scored> {
        let mut found = Pieces::default();
        self.walk(field, question, &mut |word, payload, ids| {
            query_limits::step(work(word))?;
            // An entry without occurrences stands for a text, and not for the word that is empty.
            match payload.occurrences != 0 && accepts(word) {
                true => found.add(ids, score),
                false => Ok(()),
            }
        })?;
        Ok(found.once())
    }

    /// Elements with a word that is like this one: each such word scores by its own rarity and its likeness. As in Lucene
    /// the most similar count, of equally similar ones the first in their order.
    fn alike(&self, field: usize, wanted: &str, edits: u8, boost: f64) -> Result<Scored> {
        let pattern = KeyPattern::Fuzzy { word: wanted.to_owned(), edits };
        let (matcher, mut alike, mut bytes) = (pattern.matcher(), BTreeMap::new(), 0);
        let question = KeyQuestion::prefix(&[], KeyPattern::Any);
        self.walk(field, &question, &mut |word, payload, ids| {
            query_limits::step(1)?;
            if payload.occurrences == 0 || !matcher.accepts(word) {
                return Ok(());
            }
            bytes += size_of_val(ids) + word.len() + 64;
            query_limits::require_room(bytes as u64)?;
            let entries: &mut TextLists = alike.entry(word.to_vec()).or_default();
            entries.push((payload, ids.to_vec()));
            Ok(())
        })?;
        let similar = |(word, entries): (Vec<u8>, TextLists)| {
            let word = String::from_utf8_lossy(&word).into_owned();
            (fuzzy::similarity(wanted, &word), word, entries)
        };
        let mut alike: Vec<(f64, String, TextLists)> = alike.into_iter().map(similar).collect();
        alike.sort_by(|one, other| other.0.total_cmp(&one.0).then_with(|| one.1.cmp(&other.1)));
        alike.truncate(ALIKE_WORDS_MAX);
        let mut found = Pieces::default();
        for (similarity, word, entries) in &mut alike {
            self.once(entries)?;
            self.know_texts_with(field, word, count(entries));
            self.add_word(field, entries, boost * *similarity, &mut found)?;
        }
        Ok(found.added())
    }

    /// Elements with all words of a phrase, whose records say whether they stand together.
    fn phrase(
        &self,
        query: &WordQuery,
        field: usize,
        words: &[(String, u32)],
        boost: f64,
    ) -> Result<Scored> {
        let mut candidates: Option<Scored> = None;
        for (word, _) in words {
            let mut own = Pieces::default();
            for (_, ids) in self.entries_of(field, word)? {
                own.add(&ids, 0.0)?;
            }
            let own = own.once();
            candidates = Some(match candidates {
                Some(before) => intersected(&before, &own)?,
                None => own,
            });
        }
        let ids: Vec<u64> = candidates.unwrap_or_default().iter().map(|(id, _)| *id).collect();
        let mut found = Scored::new();
        for ids in ids.chunks(RECORDS_MAX) {
            for (id, fields) in ids.iter().zip(self.words_of(ids, &[field])?) {
                if let Some(score) = query.score(&fields, self)? {
                    found.push((*id, score * boost));
                }
            }
        }
        Ok(found)
    }
}

fn count(entries: &TextLists) -> u64 {
    entries.iter().map(|(_, ids)| ids.len() as u64).sum()
}
