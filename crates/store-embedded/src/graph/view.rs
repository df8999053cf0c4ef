//! A graph at a position, as snapshots read it and as commits are validated against it.
//!
//! An index finds *candidates*. Equal hashes of other values, and entries older than the position,
//! are found too; the records decide.

use std::sync::Arc;

use millrace_model::schema::{IndexDefinition, IndexKind};
use millrace_model::{Bits, Catalog, Column, EdgeId, LogPosition, Owner, Result, VertexId};
use millrace_store::constraint::holds_labels;
use millrace_store::index_keys::entry_holds;
use millrace_store::key_hash::hash_row;
use millrace_store::{Elements, KeyRanges, SeekMatches, non_blocking};

use crate::graph::Graph;
use crate::index::shard_of;

/// A graph at a position. Its holder has registered as a reader there.
#[derive(Clone)]
pub(crate) struct GraphView<'a> {
    pub(crate) graph: &'a Graph,
    pub(crate) at: LogPosition,
    pub(crate) catalog: Arc<Catalog>,
}

impl GraphView<'_> {
    /// Finds the elements with the indexed values of each row of `keys`.
    pub(crate) fn seek(
        &self,
        index: &IndexDefinition,
        keys: &[&Column],
        matches: &mut SeekMatches,
    ) -> Result<()> {
        if index.kind == IndexKind::Range {
            let rows = keys.first().map_or(0, |column| column.len());
            let (lower, upper, limit) = (None, None, usize::MAX);
            let ranges = KeyRanges { rows, prefix: keys, lower, upper, descending: false, limit };
            return self.seek_ranges(index, &ranges, matches);
        }
        let candidates = self.candidates(index, keys)?;
        non_blocking::walk(candidates.len())?;
        let ids: Vec<u64> = candidates.iter().map(|(_, id)| *id).collect();
        let values = self.values(index, &ids)?;
        let values: Vec<&Column> = values.iter().collect();
        let covered = self.covered(index.owner, &ids)?;
        for (place, (row, id)) in candidates.iter().enumerate() {
            let has_all =
                values.iter().all(|value| !value.is_absent(place) && !value.is_null(place));
            let found = covered.as_ref().is_none_or(|covered| covered.get(place))
                && has_all
                && keys
                    .iter()
                    .zip(&values)
                    .all(|(key, value)| entry_holds(value, place, key, *row as usize));
            if found {
                matches.rows.push(*row);
                matches.ids.push(*id);
            }
        }
        Ok(())
    }

    /// Whether some element may have indexed values of one of these hashes.
    pub(crate) fn has_candidates(
        &self,
        index: &IndexDefinition,
        hashes: impl Iterator<Item = u64>,
    ) -> Result<bool> {
        let Some(shards) = self.graph.indexes.get(index.id) else { return Ok(false) };
        let mut found = false;
        for hash in hashes {
            shards[shard_of(hash)].seek(self.at, index.id, [(0, hash)], |_, _| found = true)?;
        }
        Ok(found)
    }

    /// Pairs of (row, id) with equal hashes, ascending.
    fn candidates(&self, index: &IndexDefinition, keys: &[&Column]) -> Result<Vec<(u32, u64)>> {
        let Some(shards) = self.graph.indexes.get(index.id) else { return Ok(Vec::new()) };
        let rows = keys.first().map_or(0, |column| column.len());
        let mut hashes: Vec<(usize, u32, u64)> = (0..rows)
            .filter_map(|row| {
                let hash = hash_row(keys, row)?;
                Some((shard_of(hash), row as u32, hash))
            })
            .collect();
        hashes.sort_unstable();
        let mut candidates = Vec::with_capacity(hashes.len());
        for chunk in hashes.chunk_by(|left, right| left.0 == right.0) {
            let of_shard = chunk.iter().map(|(_, row, hash)| (*row, *hash));
            let found = |row, id| candidates.push((row, id));
            shards[chunk[0].0].seek(self.at, index.id, of_shard, found)?;
        }
        candidates.sort_unstable();
        // Two keys of one element may have one hash.
        candidates.dedup();
        Ok(candidates)
    }

    /// The indexed values of elements by plain number.
    pub(crate) fn values(&self, index: &IndexDefinition, ids: &[u64]) -> Result<Vec<Column>> {
        let partitions = &self.graph.partitions;
        if is_of_edges(index.owner) {
            let edges: Vec<EdgeId> = ids.iter().copied().map(EdgeId).collect();
            return partitions.gather(self.at, Elements::Edges(&edges), &index.keys);
        }
        let vertices: Vec<VertexId> = ids.iter().copied().map(VertexId).collect();
        partitions.gather(self.at, Elements::Vertices(&vertices), &index.keys)
    }

    /// Which of the elements belong to an owner; `None` where having values already says so.
    pub(crate) fn covered(&self, owner: Owner, ids: &[u64]) -> Result<Option<Bits>> {
        match owner {
            Owner::Label(_) => {
                let vertices: Vec<VertexId> = ids.iter().copied().map(VertexId).collect();
                let labels = self.graph.partitions.labels(self.at, &vertices)?;
                Ok(Some(labels.iter().map(|labels| holds_labels(owner, labels)).collect()))
            }
            Owner::AllVertices | Owner::EdgeType(_) | Owner::AllEdges => Ok(None),
        }
    }
}

/// Whether an owner's elements are edges.
pub(crate) fn is_of_edges(owner: Owner) -> bool {
    match owner {
        Owner::EdgeType(_) | Owner::AllEdges => true,
        Owner::Label(_) | Owner::AllVertices => false,
    }
}
