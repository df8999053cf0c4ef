//! Entries of an index of made keys in a transaction: the snapshot's without the elements changed here, and its own.

use millrace_model::{IndexId, Result};
use millrace_terms::score::TextStatistics;

use crate::constraint::check_candidates;
use crate::reads::key_range::ByteRange;
use crate::reads::postings::{Exactness, PostingsSink, add_texts, texts_of};
use crate::transaction::state::own_index::{OwnIndex, in_range};
use crate::transaction::view::View;

impl View<'_> {
    pub(in crate::transaction) fn postings(
        &self,
        index: IndexId,
        ranges: &[ByteRange],
        visit: PostingsSink<'_>,
    ) -> Result<Exactness> {
        let Some(own) = self.changed_index(index) else {
            return self.snapshot.postings(index, ranges, visit);
        };
        check_candidates(&self.set.catalog, &own.definition)?;
        let mut exactness = Exactness::Exact;
        if !own.whole {
            let mut unchanged = Vec::new();
            exactness = self.snapshot.postings(index, ranges, &mut |range, key, ids| {
                unchanged.clear();
                unchanged.extend(ids.iter().filter(|id| !own.changed.contains(id)));
                if unchanged.is_empty() { Ok(()) } else { visit(range, key, &unchanged) }
            })?;
        }
        own_postings(own, ranges, visit)?;
        Ok(exactness)
    }

    pub(in crate::transaction) fn count_entries(
        &self,
        index: IndexId,
        ranges: &[ByteRange],
    ) -> Result<Vec<u64>> {
        let Some(own) = self.changed_index(index) else {
            return self.snapshot.count_entries(index, ranges);
        };
        let mut counts = match own.whole {
            true => vec![0; ranges.len()],
            false => self.snapshot.count_entries(index, ranges)?,
        };
        own_postings(own, ranges, &mut |range, _, ids| {
            counts[range] += ids.len() as u64;
            Ok(())
        })?;
        Ok(counts)
    }

    pub(in crate::transaction) fn text_statistics(
        &self,
        index: IndexId,
        field: usize,
    ) -> Result<TextStatistics> {
        let Some(own) = self.changed_index(index) else {
            return self.snapshot.text_statistics(index, field);
        };
        let mut statistics = match own.whole {
            true => TextStatistics::default(),
            false => self.snapshot.text_statistics(index, field)?,
        };
        own_postings(own, &[texts_of(&own.definition, field)], &mut |_, key, ids| {
            add_texts(&mut statistics, key, ids);
            Ok(())
        })?;
        Ok(statistics)
    }

    /// The index, if this transaction changed its entries.
    fn changed_index(&self, index: IndexId) -> Option<&OwnIndex> {
        self.set.index(index).filter(|own| own.whole || !own.is_unmodified())
    }
}

fn own_postings(own: &OwnIndex, ranges: &[ByteRange], visit: PostingsSink<'_>) -> Result<()> {
    let ordered = own.ordered()?;
    for (number, range) in ranges.iter().enumerate() {
        let mut entries = in_range(&ordered, range).peekable();
        while let Some((key, first)) = entries.next() {
            let mut ids = vec![*first];
            while let Some((_, id)) = entries.next_if(|(own, _)| own == key) {
                ids.push(*id);
            }
            visit(number, key, &ids)?;
        }
    }
    Ok(())
}
