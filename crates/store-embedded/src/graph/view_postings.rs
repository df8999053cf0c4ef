//! Entries of an index of made keys at a position, key by key, and counts of them.

use millrace_model::Result;
use millrace_model::schema::IndexDefinition;
use millrace_store::constraint::check_candidates;
use millrace_store::key_range::ByteRange;
use millrace_store::non_blocking;
use millrace_store::postings::{Exactness, PostingsSink, add_texts, texts_of};
use millrace_terms::score::TextStatistics;

use crate::base::limits::RANGE_CANDIDATES_MAX;
use crate::graph::GraphView;
use crate::index::Window;

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
            let end = range.end.clone().map(|end| (end, 0));
            let mut window = Window { start: (range.start.clone(), 0), end };
            let mut is_last = false;
            while !is_last {
                let mut found = Vec::new();
                ordered.candidates(self.at, &window, false, RANGE_CANDIDATES_MAX, &mut found)?;
                non_blocking::walk(found.len())?;
                is_last = found.len() < RANGE_CANDIDATES_MAX;
                if let Some(last) = found.last() {
                    window.go_behind(last, false);
                }
                for of_key in found.chunk_by(|one, other| one.0 == other.0) {
                    let ids: Vec<u64> = of_key.iter().map(|(_, id)| *id).collect();
                    visit(number, &of_key[0].0, &ids)?;
                }
            }
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
        let mut counts = vec![0; ranges.len()];
        self.postings(index, ranges, &mut |range, _, ids| {
            counts[range] += ids.len() as u64;
            Ok(())
        })?;
        Ok(counts)
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
        let is_close = |known: &TextStatistics| {
            known.text_count.abs_diff(count) <= known.text_count / CLOSE_SHARE
        };
        if let Some(known) = ordered.known_texts(field).filter(is_close) {
            return Ok(known);
        }
        let mut statistics = TextStatistics::default();
        self.postings(index, &texts, &mut |_, key, ids| {
            add_texts(&mut statistics, key, ids);
            Ok(())
        })?;
        ordered.know_texts(field, statistics);
        Ok(statistics)
    }
}

/// Texts more or fewer than counted, as a share of them, at which they are counted anew.
const CLOSE_SHARE: u64 = 32;
