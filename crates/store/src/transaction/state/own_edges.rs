//! The edges a transaction made itself, of one type, by source.
//!
//! Parts hold them in the order of creation, so a scan sorts them: all it can in one *stretch* of
//! bounded length, which is kept for the calls that go on with it. Dead edges are counted, and left
//! out only when rows are given, so a deletion between two calls moves no place.

use std::borrow::Cow;
use std::sync::Arc;

use millrace_model::{EdgeId, EdgeTypeId, Result, VertexId};
use parking_lot::Mutex;

use super::write_set::WriteSet;
use crate::base::limits::OWN_EDGES_SORTED_MAX;
use crate::changes::Changes;

/// A place in a scan: how many edges of a source are behind, and all of lower sources.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::transaction) struct Place {
    pub(in crate::transaction) source: VertexId,
    pub(in crate::transaction) behind: u64,
}

/// An edge; the order is that of a scan, since edge ids of a source ascend within a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::transaction) struct OwnEdge {
    pub(in crate::transaction) source: VertexId,
    part: u32,
    pub(in crate::transaction) edge: EdgeId,
    pub(in crate::transaction) target: VertexId,
}

/// Edges of one type from a place on.
pub(in crate::transaction) struct Stretch {
    edge_type: EdgeTypeId,
    /// How many edges of the type were written: parts only grow, so this shows whether it is new.
    written: u64,
    from: Place,
    edges: Vec<OwnEdge>,
    /// Whether no edge comes after it.
    is_last: bool,
}

/// The stretch that was sorted last.
pub(in crate::transaction) struct OwnEdges {
    stretch: Mutex<Option<Arc<Stretch>>>,
    sorted_max: usize,
}

impl Default for OwnEdges {
    fn default() -> OwnEdges {
        OwnEdges { stretch: Mutex::default(), sorted_max: OWN_EDGES_SORTED_MAX }
    }
}

impl Stretch {
    /// The edges from a place on, and whether they are the type's last.
    pub(in crate::transaction) fn edges_from(
        &self,
        place: Place,
        rows_max: usize,
    ) -> (&[OwnEdge], bool) {
        let start = self.index(place).min(self.edges.len());
        let end = (start + rows_max).min(self.edges.len());
        (&self.edges[start..end], end == self.edges.len() && self.is_last)
    }

    /// The place behind edges that it gave.
    pub(in crate::transaction) fn place_after(&self, given: &[OwnEdge], place: Place) -> Place {
        let Some(last) = given.last() else { return place };
        let end = self.index(place) + given.len();
        let first = Place { source: last.source, behind: self.behind_at_start(last.source) };
        let behind = first.behind + (end - self.index(first)) as u64;
        Place { behind, ..first }
    }

    fn behind_at_start(&self, source: VertexId) -> u64 {
        if source == self.from.source { self.from.behind } else { 0 }
    }

    fn index(&self, place: Place) -> usize {
        let first = self.edges.partition_point(|edge| edge.source < place.source);
        first + (place.behind - self.behind_at_start(place.source)) as usize
    }

    fn has(&self, edge_type: EdgeTypeId, written: u64, place: Place) -> bool {
        (self.edge_type, self.written) == (edge_type, written)
            && self.from <= place
            && (self.is_last || self.index(place) < self.edges.len())
    }
}

impl WriteSet {
    /// A stretch that holds the edges of a type from a place on.
    pub(in crate::transaction) fn own_edges(
        &self,
        edge_type: EdgeTypeId,
        place: Place,
    ) -> Result<Arc<Stretch>> {
        let written = self.own_edges_written(edge_type);
        let mut kept = self.own_edges.stretch.lock();
        if let Some(stretch) = &*kept
            && stretch.has(edge_type, written, place)
        {
            return Ok(stretch.clone());
        }
        // The cached stretch is given up first, so that there are never two in memory.
        *kept = None;
        let stretch = Arc::new(self.sort_own_edges(edge_type, written, place)?);
        *kept = Some(stretch.clone());
        Ok(stretch)
    }

    fn own_edges_written(&self, edge_type: EdgeTypeId) -> u64 {
        let spilled = self.spilled.iter();
        let spilled = spilled.filter_map(|part| part.summary.edge_counts.get(&edge_type));
        let open = self.open.changes.edges.iter();
        let open = open.filter(|block| block.edge_type == edge_type);
        spilled.sum::<u64>() + open.map(|block| block.ids.len() as u64).sum::<u64>()
    }

    fn sort_own_edges(&self, edge_type: EdgeTypeId, written: u64, from: Place) -> Result<Stretch> {
        let sorted_max = self.own_edges.sorted_max;
        let (mut edges, mut behind, mut is_last) = (Vec::new(), from.behind, true);
        for part in 0..=self.spilled.len() {
            let changes = match self.spilled.get(part) {
                Some(spilled) if !spilled.summary.edge_counts.contains_key(&edge_type) => continue,
                // Read without the index of a loaded part, which a scan has no use for.
                Some(spilled) => Cow::Owned(spilled.changes.read()?),
                None => Cow::Borrowed(&self.open.changes),
            };
            let mut fresh = edges_of_part(&changes, part as u32, edge_type, from.source);
            fresh.sort_unstable();
            let same_source = fresh.partition_point(|edge| edge.source == from.source);
            let skipped = behind.min(same_source as u64);
            behind -= skipped;
            edges.extend_from_slice(&fresh[skipped as usize..]);
            if sorted_max < edges.len() {
                edges.select_nth_unstable(sorted_max);
                edges.truncate(sorted_max);
                is_last = false;
            }
        }
        edges.sort_unstable();
        Ok(Stretch { edge_type, written, from, edges, is_last })
    }
}

fn edges_of_part(
    changes: &Changes,
    part: u32,
    edge_type: EdgeTypeId,
    source_min: VertexId,
) -> Vec<OwnEdge> {
    let blocks = changes.edges.iter().filter(|block| block.edge_type == edge_type);
    let edges = blocks.flat_map(|block| {
        let ends = block.sources.iter().zip(&block.targets);
        let edges = block.ids.iter().zip(ends);
        edges.map(|(&edge, (&source, &target))| OwnEdge { source, part, edge, target })
    });
    edges.filter(|edge| source_min <= edge.source).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::{Backend, NameKind};
    use crate::changes::{Isolation, Labels};
    use crate::memory::MemoryBackend;
    use crate::reads::{EdgeRows, ScanCursor};
    use crate::snapshot::Snapshot;
    use crate::transaction::Transaction;

    /// Edges from sources in turn, two at a time; each second step is spilled.
    fn transaction(sorted_max: usize) -> (Transaction, Vec<VertexId>, EdgeTypeId) {
        let store = MemoryBackend::new().create_graph("own").unwrap();
        let transaction = Transaction::begin(store, Isolation::Snapshot).unwrap();
        transaction.set.write().own_edges.sorted_max = sorted_max;
        let names = [(NameKind::EdgeType, "KNOWS"), (NameKind::EdgeType, "LIKES")];
        let types = transaction.intern(&names).unwrap();
        let vertices = transaction.create_vertices(&Labels::default(), 5, &[]).unwrap();
        for step in 0..8 {
            let sources = [vertices[(3 * step + 1) % 5], vertices[step % 3]];
            let targets = [vertices[step % 5], vertices[0]];
            for edge_type in &types {
                let edge_type = EdgeTypeId(*edge_type);
                transaction.create_edges(edge_type, &sources, &targets, &[]).unwrap();
            }
            if step % 2 == 1 {
                transaction.spill().unwrap();
            }
        }
        (transaction, vertices, EdgeTypeId(types[0]))
    }

    fn scan(transaction: &Transaction, cursor: &mut ScanCursor, rows_max: usize) -> EdgeRows {
        let mut rows = EdgeRows::default();
        transaction.scan_edges(None, cursor, rows_max, &mut rows).unwrap();
        rows
    }

    fn scan_all(transaction: &Transaction, rows_max: usize) -> Vec<(EdgeTypeId, VertexId, EdgeId)> {
        let (mut all, mut cursor) = (Vec::new(), ScanCursor::default());
        while !cursor.finished {
            let rows = scan(transaction, &mut cursor, rows_max);
            let ends = rows.sources.into_iter().zip(rows.edges);
            all.extend(rows.types.into_iter().zip(ends).map(|(kind, (from, id))| (kind, from, id)));
        }
        all
    }

    #[test]
    fn own_edges_are_listed_by_source_in_stretches_of_any_length() {
        for sorted_max in [1, 2, 3, 7, 100] {
            let (transaction, ..) = transaction(sorted_max);
            for rows_max in [1, 2, 5, 100] {
                let all = scan_all(&transaction, rows_max);
                assert_eq!(all.len(), 32);
                assert!(all.is_sorted() && all.windows(2).all(|pair| pair[0] != pair[1]));
            }
        }
    }

    #[test]
    fn what_is_written_between_two_calls_moves_no_place() {
        for sorted_max in [1, 3, 100] {
            let (transaction, vertices, edge_type) = transaction(sorted_max);
            let all = scan_all(&transaction, 100);
            let mut cursor = ScanCursor::default();
            let first: Vec<EdgeId> =
                (0..3).flat_map(|_| scan(&transaction, &mut cursor, 1).edges).collect();
            transaction.delete_edges(&[first[0], first[2], all[4].2]).unwrap();
            transaction.create_edges(edge_type, &vertices[..1], &vertices[..1], &[]).unwrap();
            transaction.spill().unwrap();
            let mut rest = Vec::new();
            while !cursor.finished {
                rest.extend(scan(&transaction, &mut cursor, 3).edges);
            }
            rest.retain(|edge| all.iter().any(|(.., known)| known == edge));
            let left = all[3..].iter().map(|(.., edge)| *edge).filter(|edge| *edge != all[4].2);
            assert_eq!(rest, left.collect::<Vec<_>>());
        }
    }
}
