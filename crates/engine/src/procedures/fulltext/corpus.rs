//! What a search asks: the indexes of a full-text index (one of each label or type), its properties, and their entries.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

use millrace_model::schema::{IndexDefinition, Owner};
use millrace_model::{Bits, Column, EdgeId, KeyId, Result, Value, VertexId, query_limits};
use millrace_plan::Name;
use millrace_store::key_range::ByteRange;
use millrace_store::ordered_keys::{KeyForm, of_property};
use millrace_store::postings::{Exactness, texts_of};
use millrace_store::{Elements, Snapshot};
use millrace_terms::query::{Corpus as Counted, Fields, WordPositions};
use millrace_terms::score::TextStatistics;
use millrace_terms::scored::{WordPayload, scored_word};
use millrace_terms::{Analyzer, KeyQuestion};
use rustc_hash::FxHashSet;

/// The indexes and properties of one full-text index at a snapshot.
pub(super) struct Corpus<'s> {
    pub(super) snapshot: &'s dyn Snapshot,
    /// One of each label or type.
    pub(super) indexes: Vec<IndexDefinition>,
    /// The properties, in the order of the index.
    pub(super) fields: Vec<(Name, KeyId)>,
    pub(super) analyzer: Analyzer,
    statistics: Vec<TextStatistics>,
    /// Texts with each word that was asked for.
    with_words: RefCell<BTreeMap<(usize, String), u64>>,
    exactness: Cell<Exactness>,
}

/// Takes a word, what its key says of the texts that have it, and these.
type WordSink<'a> = &'a mut dyn FnMut(&[u8], WordPayload, &[u64]) -> Result<()>;

/// Texts that are counted one by one in each search of an index of several labels, so that those of two of them count
/// once. Of more, those of two labels count twice: that is a share of all, and hardly changes a score.
const COUNTED_ONCE_MAX: u64 = 1 << 16;

impl<'s> Corpus<'s> {
    pub(super) fn new(
        snapshot: &'s dyn Snapshot,
        indexes: Vec<IndexDefinition>,
        fields: Vec<(Name, KeyId)>,
        analyzer: Analyzer,
    ) -> Result<Corpus<'s>> {
        let statistics = (0..fields.len()).map(|field| {
            let mut all = TextStatistics::default();
            for index in &indexes {
                let own = snapshot.text_statistics(index.id, field)?;
                all.text_count += own.text_count;
                all.word_count += own.word_count;
            }
            Ok(all)
        });
        let statistics: Vec<TextStatistics> = statistics.collect::<Result<_>>()?;
        let (with_words, exactness) = (RefCell::default(), Cell::new(Exactness::Exact));
        let mut corpus =
            Corpus { snapshot, indexes, fields, analyzer, statistics, with_words, exactness };
        if corpus.may_repeat() {
            for field in 0..corpus.fields.len() {
                corpus.count_once(field)?;
            }
        }
        Ok(corpus)
    }

    /// Whether an element may be in several of the indexes: a node may have several labels.
    pub(super) fn may_repeat(&self) -> bool {
        1 < self.indexes.len() && !self.are_edges()
    }

    /// Counts a text of several of the indexes once, where there are few enough to look at each.
    fn count_once(&mut self, field: usize) -> Result<()> {
        let TextStatistics { text_count, word_count } = self.statistics[field];
        if text_count == 0 || COUNTED_ONCE_MAX < text_count {
            return Ok(());
        }
        let (mut seen, mut again) = (FxHashSet::default(), TextStatistics::default());
        query_limits::require_room(text_count * 4 * size_of::<u64>() as u64)?;
        self.walk_texts(field, &mut |_, payload, ids| {
            query_limits::step(ids.len() as u64)?;
            let length = u64::from(payload.length.length());
            let repeated = ids.iter().filter(|id| !seen.insert(**id)).count() as u64;
            if 0 < length {
                again.text_count += repeated;
                again.word_count += repeated * length;
            }
            Ok(())
        })?;
        self.statistics[field] = TextStatistics {
            text_count: text_count.saturating_sub(again.text_count),
            word_count: word_count.saturating_sub(again.word_count),
        };
        Ok(())
    }

    /// The numbers of the properties that a part of a query is for.
    pub(super) fn fields_of(&self, field: Option<&str>) -> Vec<usize> {
        let fields = self.fields.iter().enumerate();
        let meant = fields.filter(|(_, (name, _))| field.is_none_or(|field| *field == **name));
        meant.map(|(number, _)| number).collect()
    }

    /// Counts of the texts of a property.
    pub(super) fn statistics_of(&self, field: usize) -> TextStatistics {
        self.statistics[field]
    }

    /// Keeps how many texts of a property have a word.
    pub(super) fn know_texts_with(&self, field: usize, word: &str, count: u64) {
        self.with_words.borrow_mut().insert((field, word.to_owned()), count);
    }

    /// Walks the entries of a question for words of a property.
    pub(super) fn walk(
        &self,
        field: usize,
        question: &KeyQuestion,
        visit: WordSink<'_>,
    ) -> Result<()> {
        for index in &self.indexes {
            let range = match of_property(index, field, question.clone()) {
                KeyQuestion::Keys { from, until, .. } => ByteRange::of_keys(&from, &until),
                KeyQuestion::Key(key) => ByteRange::of_key(&key),
                _ => continue,
            };
            self.walk_range(index, range, visit)?;
        }
        Ok(())
    }

    /// Walks the entries that stand for the texts of a property.
    pub(super) fn walk_texts(&self, field: usize, visit: WordSink<'_>) -> Result<()> {
        let mut of = |index| self.walk_range(index, texts_of(index, field), visit);
        self.indexes.iter().try_for_each(&mut of)
    }

    fn walk_range(
        &self,
        index: &IndexDefinition,
        range: ByteRange,
        visit: WordSink<'_>,
    ) -> Result<()> {
        let prefix = KeyForm::of(index).prefix;
        let mut each = |_: usize, key: &[u8], ids: &[u64]| {
            let key = key.get(prefix..).unwrap_or_default();
            scored_word(key).map_or(Ok(()), |(word, payload)| visit(word, payload, ids))
        };
        let exactness = self.snapshot.postings(index.id, &[range], &mut each)?;
        self.exactness.set(self.exactness.get().and(exactness));
        Ok(())
    }

    /// Whether all entries that were walked are those of the snapshot.
    pub(super) fn is_exact(&self) -> bool {
        self.exactness.get() == Exactness::Exact
    }

    /// The texts of some properties of elements, in words.
    pub(super) fn words_of(&self, ids: &[u64], fields: &[usize]) -> Result<Vec<Fields>> {
        let keys: Vec<KeyId> = fields.iter().map(|field| self.fields[*field].1).collect();
        let columns = self.gather(ids, &keys)?;
        let each = (0..ids.len()).map(|row| {
            let mut all = Fields::default();
            for (column, field) in columns.iter().zip(fields) {
                let mut words = WordPositions::default();
                if let Some(value) = column.get(row) {
                    add_texts(&mut words, self.analyzer, &value)?;
                }
                all.insert(self.fields[*field].0.to_string(), words);
            }
            Ok(all)
        });
        each.collect()
    }

    fn gather(&self, ids: &[u64], keys: &[KeyId]) -> Result<Vec<Column>> {
        match self.are_edges() {
            true => {
                let edges: Vec<EdgeId> = ids.iter().copied().map(EdgeId).collect();
                self.snapshot.gather(Elements::Edges(&edges), keys)
            }
            false => {
                let vertices: Vec<VertexId> = ids.iter().copied().map(VertexId).collect();
                self.snapshot.gather(Elements::Vertices(&vertices), keys)
            }
        }
    }

    /// Whether the index is of relationships.
    pub(super) fn are_edges(&self) -> bool {
        let owner = self.indexes.first().map(|index| index.owner);
        matches!(owner, Some(Owner::EdgeType(_) | Owner::AllEdges))
    }

    /// Which elements are of a label or type of the index.
    pub(super) fn are_covered(&self, ids: &[u64]) -> Result<Vec<bool>> {
        let mut covered = vec![false; ids.len()];
        let mut add = |bits: &Bits| {
            covered.iter_mut().enumerate().for_each(|(row, own)| *own |= bits.get(row));
        };
        if self.are_edges() {
            let edges: Vec<EdgeId> = ids.iter().copied().map(EdgeId).collect();
            let there = self.snapshot.exist(Elements::Edges(&edges))?;
            add(&there);
            return Ok(covered);
        }
        let vertices: Vec<VertexId> = ids.iter().copied().map(VertexId).collect();
        for index in &self.indexes {
            match index.owner {
                Owner::Label(label) => add(&self.snapshot.have_label(&vertices, label)?),
                _ => add(&self.snapshot.exist(Elements::Vertices(&vertices))?),
            }
        }
        Ok(covered)
    }
}

/// Adds the texts of a value: its own, or those of a list.
fn add_texts(words: &mut WordPositions, analyzer: Analyzer, value: &Value) -> Result<()> {
    query_limits::step(query_limits::work_of(value))?;
    match value {
        Value::String(text) => words.add(analyzer, text, None),
        Value::List(entries) | Value::Set(entries) => entries
            .iter()
            .filter_map(Value::as_str)
            .try_for_each(|text| words.add(analyzer, text, None)),
        several => millrace_model::property_values::each_value(several)
            .filter_map(Value::as_str)
            .try_for_each(|text| words.add(analyzer, text, None)),
    }
}

impl Counted for Corpus<'_> {
    fn statistics(&self, field: &str) -> TextStatistics {
        let number = self.fields.iter().position(|(name, _)| **name == *field);
        number.map_or_else(TextStatistics::default, |number| self.statistics[number])
    }

    fn texts_with(&self, field: &str, word: &str) -> u64 {
        let number = self.fields.iter().position(|(name, _)| **name == *field);
        let known = self.with_words.borrow();
        number.and_then(|number| known.get(&(number, word.to_owned())).copied()).unwrap_or(0)
    }
}
