//! The keys of a value.

use std::collections::hash_map::Entry;

use millrace_model::property_values::each_value;
use millrace_model::{Error, ErrorKind, Result, Value, order_key, query_limits};
use rustc_hash::{FxHashMap, FxHashSet};

use super::key_extractor::{BETWEEN_WORDS, KeyExtractor};
use super::scored::scored_keys;
use crate::analyzers::Analyzer;
use crate::cells::{CellGrid, key_of_point};
use crate::geometries::keys_of_geometry;
use crate::limits::{PHRASE_WORDS_MAX, TOKENS_MAX};
use crate::trigrams::{Case, trigrams_of};
use crate::vectors::VectorSpace;

/// What a score needs to know of a word in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WordCounts {
    /// How often the text has the word.
    pub occurrences: u32,
    /// Words of the text, without those that the analyzer dropped.
    pub text_length: u32,
}

/// Takes keys, with counts where they are words.
pub type KeySink<'s> = &'s mut dyn FnMut(&[u8], Option<WordCounts>) -> Result<()>;

/// Takes keys of many values, each with the number of its value.
pub type RowKeySink<'s> = &'s mut dyn FnMut(usize, &[u8], Option<WordCounts>) -> Result<()>;

impl KeyExtractor {
    /// Calls back with each key of the value, once, in no order. `language` is the tag of a text that has one.
    ///
    /// A list has the keys of its entries, and a multi-valued property those of its values. A value of another kind
    /// than the extractor is for has none. A text that has too many words is an error
    /// ([`TOKENS_MAX`]), as is one whose keys the query's memory has no room for.
    pub fn keys_of(&self, value: &Value, language: Option<&str>, sink: KeySink) -> Result<()> {
        match self {
            KeyExtractor::Value => keys_of_values(value, sink),
            KeyExtractor::Words(analyzer) => {
                let Some((counts, text_length)) = words(*analyzer, value, language)? else {
                    return Ok(());
                };
                counts.into_iter().try_for_each(|(word, occurrences)| {
                    sink(word.as_bytes(), Some(WordCounts { occurrences, text_length }))
                })
            }
            KeyExtractor::ScoredWords(analyzer) => match words(*analyzer, value, language)? {
                Some((counts, text_length)) => scored_keys(counts.into_iter(), text_length, sink),
                None => Ok(()),
            },
            KeyExtractor::Points => points(value, sink),
            KeyExtractor::Geometries => geometries(value, sink),
            KeyExtractor::Phrases(analyzer) => phrases(*analyzer, value, language, sink),
            KeyExtractor::Trigrams(case) => trigrams(*case, value, sink),
            KeyExtractor::Cells(grid) => cells(grid, value, sink),
            KeyExtractor::Vectors(space) => vectors(space, value, sink),
        }
    }

    /// The keys of many values, each with its language: calls back with the number of the value, too.
    pub fn keys_of_each<'v>(
        &self,
        values: impl IntoIterator<Item = (&'v Value, Option<&'v str>)>,
        sink: RowKeySink,
    ) -> Result<()> {
        for (row, (value, language)) in values.into_iter().enumerate() {
            self.keys_of(value, language, &mut |key, counts| sink(row, key, counts))?;
        }
        Ok(())
    }
}

/// The value, and each value of a property that has several.
fn leaves<'v>(value: &'v Value, found: &mut dyn FnMut(&'v Value) -> Result<()>) -> Result<()> {
    for value in each_value(value) {
        match value {
            Value::List(entries) | Value::Set(entries) => {
                entries.iter().try_for_each(&mut *found)?;
            }
            plain => found(plain)?,
        }
    }
    Ok(())
}

/// The vectors in it, and lists of numbers. One that is not of the space is refused: a search would silently miss it.
fn vectors(space: &VectorSpace, value: &Value, sink: KeySink) -> Result<()> {
    let mut seen = Seen::default();
    let mut key = Vec::new();
    for value in each_value(value) {
        let Some(numbers) = value.as_vector() else { continue };
        query_limits::step(query_limits::work_of(value))?;
        space.check(&numbers)?;
        key.clear();
        space.key_of(&numbers, &mut key);
        seen.put(&key, sink)?;
    }
    Ok(())
}

/// The texts in it.
fn texts<'v>(value: &'v Value, found: &mut dyn FnMut(&'v str) -> Result<()>) -> Result<()> {
    leaves(value, &mut |leaf| leaf.as_str().map_or(Ok(()), &mut *found))
}

/// Keys that were handed out already; they take room.
#[derive(Default)]
struct Seen {
    keys: FxHashSet<Box<[u8]>>,
    room: Room,
}

impl Seen {
    fn put(&mut self, key: &[u8], sink: KeySink) -> Result<()> {
        if self.keys.contains(key) {
            return Ok(());
        }
        self.room.take(key.len())?;
        self.keys.insert(key.into());
        sink(key, None)
    }
}

/// Bytes of keys in a table, for which the query must have room.
#[derive(Default)]
struct Room {
    taken: u64,
    asked: u64,
}

/// Bytes of a table for each key, besides the key.
const ENTRY_BYTES: u64 = 48;

impl Room {
    fn take(&mut self, bytes: usize) -> Result<()> {
        self.taken += bytes as u64 + ENTRY_BYTES;
        if self.asked < self.taken {
            // Half as much again, so that there are few questions.
            self.asked = self.taken + self.taken / 2 + (1 << 16);
            query_limits::require_room(self.asked)?;
        }
        Ok(())
    }
}

fn keys_of_values(value: &Value, sink: KeySink) -> Result<()> {
    let mut seen = Seen::default();
    let mut key = Vec::new();
    for value in each_value(value).filter(|value| !value.is_null()) {
        query_limits::step(query_limits::work_of(value))?;
        key.clear();
        order_key::encode(value, &mut key);
        seen.put(&key, sink)?;
    }
    Ok(())
}

/// Words with their counts, and how many they are together.
type CountedWords = (FxHashMap<Box<str>, u32>, u32);

/// The words of a value; `None` if there is no text in it.
fn words(
    analyzer: Analyzer,
    value: &Value,
    language: Option<&str>,
) -> Result<Option<CountedWords>> {
    let mut counts: FxHashMap<Box<str>, u32> = FxHashMap::default();
    let mut room = Room::default();
    // A list without entries is one of texts, too: as in Neo4j it makes a text without words.
    let is_empty_list =
        |value: &Value| matches!(value, Value::List(all) | Value::Set(all) if all.is_empty());
    let (mut text_length, mut has_text) = (0u32, each_value(value).any(is_empty_list));
    texts(value, &mut |text| {
        has_text = true;
        analyzer.analyze(text, language, &mut |token| {
            count(&mut text_length)?;
            if let Some(known) = counts.get_mut(token.text) {
                *known += 1;
                return Ok(());
            }
            room.take(token.text.len())?;
            match counts.entry(token.text.into()) {
                Entry::Occupied(_) => {}
                Entry::Vacant(new) => drop(new.insert(1)),
            }
            Ok(())
        })
    })?;
    Ok(has_text.then_some((counts, text_length)))
}

/// Counts the words of all texts of a value.
fn count(words: &mut u32) -> Result<()> {
    *words += 1;
    if TOKENS_MAX < *words as usize {
        let detail = format!("the texts of a property have more than {TOKENS_MAX} words together");
        return Err(Error::new(ErrorKind::LimitReached, detail)
            .with_help("store fewer of them, or drop the index on this property"));
    }
    Ok(())
}

fn phrases(analyzer: Analyzer, value: &Value, language: Option<&str>, sink: KeySink) -> Result<()> {
    let mut seen = Seen::default();
    let mut key = String::new();
    let mut word_count = 0;
    texts(value, &mut |text| {
        // The last words; a phrase does not go on into the next text.
        let mut last: Vec<String> = Vec::new();
        analyzer.analyze(text, language, &mut |token| {
            count(&mut word_count)?;
            if last.len() == PHRASE_WORDS_MAX {
                last.remove(0);
            }
            last.push(token.text.to_owned());
            for start in 0..last.len() {
                key.clear();
                for (number, word) in last[start..].iter().enumerate() {
                    if 0 < number {
                        key.push(BETWEEN_WORDS);
                    }
                    key.push_str(word);
                }
                seen.put(key.as_bytes(), sink)?;
            }
            Ok(())
        })
    })
}

fn trigrams(case: Case, value: &Value, sink: KeySink) -> Result<()> {
    if let Value::String(text) = value {
        return trigrams_of(text, case, &mut |key| sink(key, None));
    }
    let mut seen = Seen::default();
    texts(value, &mut |text| trigrams_of(text, case, &mut |key| seen.put(key, sink)))
}

fn points(value: &Value, sink: KeySink) -> Result<()> {
    let mut seen = Seen::default();
    let mut key = Vec::new();
    leaves(value, &mut |leaf| {
        query_limits::step(1)?;
        let Value::Point(point) = leaf else { return Ok(()) };
        key.clear();
        key_of_point(point, &mut key);
        seen.put(&key, sink)
    })
}

fn geometries(value: &Value, sink: KeySink) -> Result<()> {
    let mut seen = Seen::default();
    leaves(value, &mut |leaf| {
        query_limits::step(query_limits::work_of(leaf))?;
        let Value::Geometry(shape) = leaf else { return Ok(()) };
        keys_of_geometry(shape, &mut |key| seen.put(key, sink))
    })
}

fn cells(grid: &CellGrid, value: &Value, sink: KeySink) -> Result<()> {
    let mut seen = Seen::default();
    let mut key = Vec::new();
    leaves(value, &mut |leaf| {
        query_limits::step(1)?;
        key.clear();
        match leaf {
            Value::Point(point) if grid.key_of(point, &mut key) => seen.put(&key, sink),
            _ => Ok(()),
        }
    })
}
