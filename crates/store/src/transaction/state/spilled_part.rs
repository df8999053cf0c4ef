//! A part of a write set outside memory, with a summary of the elements that it modifies, so that
//! other reads skip it.
//!
//! Vertices are remembered by the low bits of their id, so a summary may give a false yes, but
//! never a false no.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

use millrace_model::{Bits, Direction, EdgeId, EdgeTypeId, KeyId, Result, VertexId};
use parking_lot::Mutex;

use crate::base::limits::{SPILL_SUMMARY_BITS, SPILLED_PARTS_LOADED_MAX};
use crate::changes::SpilledChanges;
use crate::transaction::state::part::Part;

pub(in crate::transaction) struct SpilledPart {
    pub(in crate::transaction) changes: Arc<dyn SpilledChanges>,
    pub(in crate::transaction) summary: PartSummary,
}

/// A summary of the elements that a part modifies.
pub(in crate::transaction) struct PartSummary {
    pub(in crate::transaction) keys: BTreeSet<KeyId>,
    pub(in crate::transaction) edge_counts: BTreeMap<EdgeTypeId, u64>,
    sources: VertexSummary,
    targets: VertexSummary,
    created: VertexSummary,
    valued: VertexSummary,
    edges: EdgeSummary,
    valued_edges: EdgeSummary,
}

/// The low bits of vertex ids.
#[derive(Default)]
struct VertexSummary {
    bits: Bits,
}

/// Ranges of edge ids, ascending; leases of one partition are consecutive, so they are few.
struct EdgeSummary {
    ranges: Vec<Range<u64>>,
}

impl PartSummary {
    pub(in crate::transaction) fn of(part: &Part) -> PartSummary {
        let written = &part.changes;
        let mut edge_counts = BTreeMap::new();
        for block in &written.edges {
            *edge_counts.entry(block.edge_type).or_default() += block.ids.len() as u64;
        }
        let edge_owners = written.edge_properties.iter().flat_map(|block| &block.owners);
        let vertex_owners = written.vertex_properties.iter().flat_map(|block| &block.owners);
        PartSummary {
            keys: part.keys(),
            edge_counts,
            sources: VertexSummary::of(written.edges.iter().flat_map(|block| &block.sources)),
            targets: VertexSummary::of(written.edges.iter().flat_map(|block| &block.targets)),
            created: VertexSummary::of(written.vertices.iter().flat_map(|block| &block.ids)),
            valued: VertexSummary::of(vertex_owners),
            edges: EdgeSummary::of(written.edges.iter().flat_map(|block| &block.ids)),
            valued_edges: EdgeSummary::of(edge_owners),
        }
    }

    pub(in crate::transaction) fn modifies_list(
        &self,
        vertex: VertexId,
        direction: Direction,
    ) -> bool {
        let ends = direction.halves().iter().map(|half| match half {
            Direction::In => &self.targets,
            Direction::Out | Direction::Both => &self.sources,
        });
        ends.into_iter().any(|summary| summary.contains(vertex))
    }

    pub(in crate::transaction) fn modifies_values(&self, vertex: VertexId) -> bool {
        self.created.contains(vertex) || self.valued.contains(vertex)
    }

    pub(in crate::transaction) fn modifies_edge_values(&self, edge: EdgeId) -> bool {
        self.created_edge(edge) || self.valued_edges.contains(edge)
    }

    pub(in crate::transaction) fn created_edge(&self, edge: EdgeId) -> bool {
        self.edges.contains(edge)
    }
}

impl VertexSummary {
    fn of<'a>(vertices: impl Iterator<Item = &'a VertexId>) -> VertexSummary {
        let mut summary = VertexSummary::default();
        for vertex in vertices {
            summary.bits.insert(low_bits(*vertex));
        }
        summary
    }

    fn contains(&self, vertex: VertexId) -> bool {
        self.bits.get(low_bits(vertex))
    }
}

fn low_bits(vertex: VertexId) -> usize {
    (vertex.0 & ((1 << SPILL_SUMMARY_BITS) - 1)) as usize
}

impl EdgeSummary {
    fn of<'a>(edges: impl Iterator<Item = &'a EdgeId>) -> EdgeSummary {
        let mut ids: Vec<u64> = edges.map(|edge| edge.0).collect();
        ids.sort_unstable();
        let mut ranges: Vec<Range<u64>> = Vec::new();
        for id in ids {
            match ranges.last_mut() {
                Some(last) if id <= last.end => last.end = last.end.max(id + 1),
                _ => ranges.push(id..id + 1),
            }
        }
        EdgeSummary { ranges }
    }

    fn contains(&self, edge: EdgeId) -> bool {
        let after = self.ranges.partition_point(|range| range.start <= edge.0);
        after.checked_sub(1).is_some_and(|at| self.ranges[at].contains(&edge.0))
    }
}

/// The parts that were read back last.
#[derive(Default)]
pub(in crate::transaction) struct LoadedParts {
    parts: Mutex<Vec<(usize, Arc<Part>)>>,
}

impl LoadedParts {
    pub(in crate::transaction) fn get(
        &self,
        at: usize,
        load: impl FnOnce() -> Result<Part>,
    ) -> Result<Arc<Part>> {
        let mut parts = self.parts.lock();
        if let Some(found) = parts.iter().position(|(number, _)| *number == at) {
            let entry = parts.remove(found);
            parts.push(entry);
        } else {
            if SPILLED_PARTS_LOADED_MAX <= parts.len() {
                parts.remove(0);
            }
            parts.push((at, Arc::new(load()?)));
        }
        Ok(parts.last().expect("one was just pushed").1.clone())
    }

    pub(in crate::transaction) fn clear(&mut self) {
        self.parts.get_mut().clear();
    }
}
