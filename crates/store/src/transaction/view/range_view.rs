//! Ranges of an index in a transaction: the snapshot's matches without the elements changed here,
//! and the transaction's own entries, in one order.
//!
//! Elements changed here may fill the snapshot's answer up to the limit, so the limit for the
//! snapshot is raised by the number of changed elements.

use millrace_model::{Column, EdgeId, IndexId, Owner, Result, VertexId, query_limits};
use millrace_terms::KeyQuestion;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::base::index_keys::each_key;
use crate::constraint::{check_candidates, check_ranges};
use crate::reads::key_range::{ByteRange, bytes_of_row, key_of_row};
use crate::reads::nearest::{Near, NearestMatches, NearestQuery, vector_space};
use crate::reads::ordered_keys::KeyForm;
use crate::reads::question::{KeySink, KeySource, answer};
use crate::reads::{Elements, KeyRanges, SeekMatches};
use crate::snapshot::Snapshot;
use crate::transaction::state::own_index::{OwnIndex, in_range};
use crate::transaction::state::own_keys::OwnKey;
use crate::transaction::view::View;

/// An element found: its row, its key, its id.
type Found = (u32, Vec<u8>, u64);

impl View<'_> {
    pub(in crate::transaction) fn seek_ranges(
        &self,
        index: IndexId,
        ranges: &KeyRanges<'_>,
        matches: &mut SeekMatches,
    ) -> Result<()> {
        let Some(own) = self.set.index(index) else {
            return self.snapshot.seek_ranges(index, ranges, matches);
        };
        if own.is_unmodified() && !own.whole {
            return self.snapshot.seek_ranges(index, ranges, matches);
        }
        check_ranges(&self.set.catalog, &own.definition, ranges)?;
        let mut found = own_entries(own, ranges)?;
        if !own.whole {
            found.extend(self.unchanged(own, ranges)?);
        }
        found.sort_unstable_by(|left, right| {
            let keys = (&left.1, left.2).cmp(&(&right.1, right.2));
            left.0.cmp(&right.0).then(if ranges.descending { keys.reverse() } else { keys })
        });
        for of_row in found.chunk_by(|left, right| left.0 == right.0) {
            let first = &of_row[..of_row.len().min(ranges.limit)];
            matches.rows.extend(first.iter().map(|(row, ..)| *row));
            matches.ids.extend(first.iter().map(|(.., id)| *id));
        }
        Ok(())
    }

    /// What the snapshot has for each question without the elements changed here, and own entries.
    pub(in crate::transaction) fn candidates(
        &self,
        index: IndexId,
        questions: &[KeyQuestion],
        limit: usize,
        matches: &mut SeekMatches,
    ) -> Result<()> {
        let Some(own) = self.set.index(index).filter(|own| own.whole || !own.is_unmodified())
        else {
            return self.snapshot.candidates(index, questions, limit, matches);
        };
        check_candidates(&self.set.catalog, &own.definition)?;
        let (form, mut before) = (KeyForm::of(&own.definition), SeekMatches::default());
        if !own.whole {
            let limit = limit.saturating_add(own.changed.len());
            self.snapshot.candidates(index, questions, limit, &mut before)?;
        }
        let mut before = before.rows.into_iter().zip(before.ids).peekable();
        for (row, question) in (0..).zip(questions) {
            let mut ids = answer(question, form, limit, &mut OwnSource(own))?;
            while let Some((_, id)) = before.next_if(|(found, _)| *found == row) {
                if !own.changed.contains(&id) {
                    ids.push(id);
                }
            }
            ids.sort_unstable();
            ids.truncate(limit);
            matches.rows.extend(ids.iter().map(|_| row));
            matches.ids.append(&mut ids);
        }
        Ok(())
    }

    /// The nearest of the snapshot without the elements changed here, and of the own entries.
    pub(in crate::transaction) fn nearest(
        &self,
        index: IndexId,
        query: &NearestQuery<'_>,
        matches: &mut NearestMatches,
    ) -> Result<()> {
        let Some(own) = self.set.index(index).filter(|own| own.whole || !own.is_unmodified())
        else {
            return self.snapshot.nearest(index, query, matches);
        };
        vector_space(&own.definition)?;
        let mut before = NearestMatches::default();
        if !own.whole {
            let changed = own.changed.iter().chain(query.without.into_iter().flatten());
            let without: FxHashSet<u64> = changed.copied().collect();
            let unchanged = NearestQuery { without: Some(&without), ..*query };
            self.snapshot.nearest(index, &unchanged, &mut before)?;
        }
        // An element of several vectors counts by the nearest.
        let mut nearest: Vec<FxHashMap<u64, f32>> = vec![FxHashMap::default(); query.vectors.len()];
        let everything = ByteRange { start: Vec::new(), end: None };
        let ordered = own.ordered()?;
        for (key, id) in in_range(&ordered, &everything).filter(|(_, id)| query.counts(*id)) {
            query_limits::step(query.vectors.len() as u64)?;
            for (vector, nearest) in query.vectors.iter().zip(&mut nearest) {
                let Some(found) = vector.nearness(key) else { continue };
                let known = nearest.entry(*id).or_insert(found);
                *known = known.max(found);
            }
        }
        let mut best = query.heaps(query.limit);
        for (best, found) in best.iter_mut().zip(nearest) {
            found.into_iter().for_each(|(id, nearness)| best.push(Near { nearness, id }));
        }
        for ((row, id), nearness) in before.rows.into_iter().zip(before.ids).zip(before.nearness) {
            best[row as usize].push(Near { nearness, id });
        }
        for (row, best) in (0..).zip(best) {
            best.into_sorted().into_iter().for_each(|near| matches.push(row, near));
        }
        Ok(())
    }

    /// The snapshot's matches that this transaction did not change.
    fn unchanged(&self, own: &OwnIndex, ranges: &KeyRanges<'_>) -> Result<Vec<Found>> {
        let limit = ranges.limit.saturating_add(own.changed.len());
        let mut before = SeekMatches::default();
        let asked = KeyRanges { limit, ..*ranges };
        self.snapshot.seek_ranges(own.definition.id, &asked, &mut before)?;
        let pairs = before.rows.into_iter().zip(before.ids);
        let (rows, ids): (Vec<u32>, Vec<u64>) =
            pairs.filter(|(_, id)| !own.changed.contains(id)).unzip();
        let columns = gather(self.snapshot, own, &ids)?;
        let columns: Vec<&Column> = columns.iter().collect();
        let bytes: Vec<_> = (0..ranges.rows).map(|row| bytes_of_row(ranges, row)).collect();
        let found = rows.into_iter().zip(ids).enumerate();
        let found = found.filter_map(|(at, (row, id))| {
            // Of several keys the one that comes first in the range.
            let range = bytes[row as usize].as_ref()?;
            let mut key: Option<Vec<u8>> = None;
            each_key(&columns, at, |columns, at| {
                let own = key_of_row(columns, at).filter(|own| range.contains(own));
                let first = |own: &Vec<u8>| match &key {
                    None => true,
                    Some(key) => (own < key) != ranges.descending,
                };
                if let Some(own) = own.filter(first) {
                    key = Some(own);
                }
            });
            Some((row, key?, id))
        });
        Ok(found.collect())
    }
}

/// A transaction's own entries.
struct OwnSource<'o>(&'o OwnIndex);

impl KeySource for OwnSource<'_> {
    fn count(&mut self, ranges: &[ByteRange]) -> Result<Vec<u64>> {
        let ordered = self.0.ordered()?;
        Ok(ranges.iter().map(|range| in_range(&ordered, range).count() as u64).collect())
    }

    fn walk(&mut self, range: &ByteRange, sink: KeySink<'_>) -> Result<()> {
        let ordered = self.0.ordered()?;
        for (key, id) in in_range(&ordered, range) {
            if !sink(key, &[*id])? {
                break;
            }
        }
        Ok(())
    }
}

fn own_entries(own: &OwnIndex, ranges: &KeyRanges<'_>) -> Result<Vec<Found>> {
    let (ordered, mut found) = (own.ordered()?, Vec::new());
    for row in 0..ranges.rows {
        let Some(bytes) = bytes_of_row(ranges, row) else { continue };
        let entry = |(key, id): &OwnKey| (row as u32, key.to_vec(), *id);
        // An element of several keys in the range is found by the first of them.
        let mut seen = FxHashSet::default();
        let first = |entry: &&OwnKey| seen.insert(entry.1);
        if ranges.descending {
            found.extend(
                in_range(&ordered, &bytes).rev().filter(first).take(ranges.limit).map(entry),
            );
        } else {
            found.extend(in_range(&ordered, &bytes).filter(first).take(ranges.limit).map(entry));
        }
    }
    Ok(found)
}

fn gather(snapshot: &dyn Snapshot, own: &OwnIndex, ids: &[u64]) -> Result<Vec<Column>> {
    let keys = &own.definition.keys;
    match own.definition.owner {
        Owner::EdgeType(_) | Owner::AllEdges => {
            let edges: Vec<EdgeId> = ids.iter().copied().map(EdgeId).collect();
            snapshot.gather(Elements::Edges(&edges), keys)
        }
        Owner::Label(_) | Owner::AllVertices => {
            let vertices: Vec<VertexId> = ids.iter().copied().map(VertexId).collect();
            snapshot.gather(Elements::Vertices(&vertices), keys)
        }
    }
}
