//! Entries of an index of made keys at a position, key by key, and counts of them.

use millrace_model::schema::IndexDefinition;
use millrace_model::{LogPosition, Result, query_limits};
use millrace_store::constraint::check_candidates;
use millrace_store::key_range::ByteRange;
use millrace_store::ordered_keys::KeyForm;
use millrace_store::postings::{Exactness, PostingsSink, add_texts, texts_of};
use millrace_store::question::{KeySink, KeySource, answer};
use millrace_store::{SeekMatches, non_blocking};
use millrace_terms::KeyQuestion;
use millrace_terms::score::TextStatistics;

use crate::base::limits::{RANGE_CANDIDATES_MAX, RANGE_STEP_MIN};
use crate::graph::GraphView;
use crate::index::{RangeIndex, Window};
use crate::persistent::segment::KeyLists;

impl GraphView<'_> {
    /// Walks the entries of ranges of keys.
    pub(crate) fn postings(
        &self,
        index: &IndexDefinition,
        ranges: &[ByteRange],
        visit: PostingsSink<'_>,
    ) -> Result<Exactness> {
        check_candidates(&self.catalog, index)?;
        let Some(ordered) = self.graph.indexes.ordered(index.id) else {
            return Ok(Exactness::Exact);
        };
        for (number, range) in ranges.iter().enumerate() {
            MadeKeys { ordered: &ordered, at: self.at }.walk(range, &mut |key, ids| {
                visit(number, key, ids)?;
                Ok(true)
            })?;
        }
        // Bases only grow newer: one that is not newer now was not when it was read.
        match ordered.all().iter().all(|shard| shard.checkpoint() <= self.at) {
            true => Ok(Exactness::Exact),
            false => Ok(Exactness::Candidates),
        }
    }

    /// How many entries ranges of keys have.
    pub(crate) fn count_entries(
        &self,
        index: &IndexDefinition,
        ranges: &[ByteRange],
    ) -> Result<Vec<u64>> {
        check_candidates(&self.catalog, index)?;
        match self.graph.indexes.ordered(index.id) {
            Some(ordered) => MadeKeys { ordered: &ordered, at: self.at }.count(ranges),
            None => Ok(vec![0; ranges.len()]),
        }
    }

    /// Finds the elements that an index of made keys has for each question. Their records are not asked: the one who
    /// judges the candidates reads them.
    pub(crate) fn candidates_of(
        &self,
        index: &IndexDefinition,
        questions: &[KeyQuestion],
        limit: usize,
        matches: &mut SeekMatches,
    ) -> Result<()> {
        check_candidates(&self.catalog, index)?;
        let Some(ordered) = self.graph.indexes.ordered(index.id) else { return Ok(()) };
        let mut source = MadeKeys { ordered: &ordered, at: self.at };
        for (row, question) in (0..).zip(questions) {
            let mut ids = answer(question, KeyForm::of(index), limit, &mut source)?;
            matches.rows.extend(ids.iter().map(|_| row));
            matches.ids.append(&mut ids);
        }
        Ok(())
    }

    /// Counts of the texts of a property: those that were made last, as long as there are about as many texts.
    pub(crate) fn text_statistics(
        &self,
        index: &IndexDefinition,
        field: usize,
    ) -> Result<TextStatistics> {
        let Some(ordered) = self.graph.indexes.ordered(index.id) else {
            return Ok(TextStatistics::default());
        };
        let texts = [texts_of(index, field)];
        let count = self.count_entries(index, &texts)?[0];
        // Texts without any word have an entry, too.
        let is_close = |then: u64| then.abs_diff(count) <= then / CLOSE_SHARE;
        if let Some((_, known)) = ordered.known_texts(field).filter(|(then, _)| is_close(*then)) {
            return Ok(known);
        }
        let mut statistics = TextStatistics::default();
        self.postings(index, &texts, &mut |_, key, ids| {
            add_texts(&mut statistics, key, ids);
            Ok(())
        })?;
        ordered.know_texts(field, (count, statistics));
        Ok(statistics)
    }
}

/// Entries of texts more or fewer than when they were counted, as a share of them, at which they are counted anew.
const CLOSE_SHARE: u64 = 32;

/// The entries of an index of made keys at a position.
struct MadeKeys<'o> {
    ordered: &'o RangeIndex,
    at: LogPosition,
}

fn window_of(range: &ByteRange) -> Window {
    Window { start: (range.start.clone(), 0), end: range.end.clone().map(|end| (end, 0)) }
}

impl KeySource for MadeKeys<'_> {
    fn count(&mut self, ranges: &[ByteRange]) -> Result<Vec<u64>> {
        let count = |range: &ByteRange| Ok(self.ordered.count(&window_of(range))?);
        ranges.iter().map(count).collect()
    }

    /// In steps, between which no shard is locked: the first is small, for those who want few.
    fn walk(&mut self, range: &ByteRange, sink: KeySink<'_>) -> Result<()> {
        let (mut window, mut lists) = (window_of(range), KeyLists::default());
        let mut step = RANGE_STEP_MIN;
        loop {
            lists.clear();
            let mut push = |key: &[u8], ids: &[u64]| lists.push(key, ids);
            let found = self.ordered.visit(self.at, &window, (false, step), &mut push)?;
            non_blocking::walk(found)?;
            for (key, ids) in (0..lists.len()).map(|list| lists.list(list)) {
                if !sink(key, ids)? {
                    return Ok(());
                }
            }
            match lists.last().filter(|_| found == step) {
                Some((key, id)) => window.go_behind(&(key.to_vec(), id), false),
                None => return Ok(()),
            }
            query_limits::step(found as u64)?;
            step = (4 * step).min(RANGE_CANDIDATES_MAX);
        }
    }
}
