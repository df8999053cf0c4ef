//! Where a part's rows are: by vertex, by edge, and its lists.
//!
//! Built on the first read and extended by the rows appended since, so that a million writes
//! without a read cost nothing here, and a write with a read each stays O(1).

use std::collections::BTreeMap;
use std::ops::Range;

use millrace_model::{Direction, EdgeId, EdgeTypeId, VertexId};
use rustc_hash::FxHashMap;

use crate::changes::{Changes, EdgeBlock, EdgeEnds};

/// A row: block, place in it.
pub(in crate::transaction) type Row = (u32, u32);

#[derive(Default)]
pub(in crate::transaction) struct PartIndex {
    pub(in crate::transaction) vertex_rows: FxHashMap<VertexId, Row>,
    pub(in crate::transaction) edge_rows: FxHashMap<EdgeId, Row>,
    /// The newest value's row of each owner, for each property block.
    pub(in crate::transaction) vertex_values: Vec<FxHashMap<VertexId, u32>>,
    pub(in crate::transaction) edge_values: Vec<FxHashMap<EdgeId, u32>>,
    lists: BTreeMap<(EdgeTypeId, Direction), FxHashMap<VertexId, OwnList>>,
    /// Rows that were appended since the last read.
    pending: Vec<Span>,
}

/// A piece of one vertex's list, in order of creation.
#[derive(Default)]
pub(in crate::transaction) struct OwnList {
    pub(in crate::transaction) neighbours: Vec<VertexId>,
    pub(in crate::transaction) edges: Vec<EdgeId>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::transaction) enum SpanKind {
    Vertices,
    Edges,
    VertexValues,
    EdgeValues,
}

struct Span {
    kind: SpanKind,
    block: u32,
    rows: Range<u32>,
}

impl PartIndex {
    /// Notes rows that are about to be appended to a block.
    pub(in crate::transaction) fn mark(
        &mut self,
        kind: SpanKind,
        block: usize,
        first: usize,
        count: usize,
    ) {
        let (block, first, end) = (block as u32, first as u32, (first + count) as u32);
        if let Some(last) = self.pending.last_mut()
            && (last.kind, last.block, last.rows.end) == (kind, block, first)
        {
            last.rows.end = end;
            return;
        }
        self.pending.push(Span { kind, block, rows: first..end });
    }

    pub(in crate::transaction) fn mark_all(&mut self, changes: &Changes) {
        for (at, block) in changes.vertices.iter().enumerate() {
            self.mark(SpanKind::Vertices, at, 0, block.ids.len());
        }
        for (at, block) in changes.edges.iter().enumerate() {
            self.mark(SpanKind::Edges, at, 0, block.ids.len());
        }
        for (at, block) in changes.vertex_properties.iter().enumerate() {
            self.mark(SpanKind::VertexValues, at, 0, block.owners.len());
        }
        for (at, block) in changes.edge_properties.iter().enumerate() {
            self.mark(SpanKind::EdgeValues, at, 0, block.owners.len());
        }
    }

    pub(in crate::transaction) fn is_current(&self) -> bool {
        self.pending.is_empty()
    }

    pub(in crate::transaction) fn catch_up(&mut self, changes: &Changes) {
        for Span { kind, block, rows } in std::mem::take(&mut self.pending) {
            let at = block as usize;
            match kind {
                SpanKind::Vertices => {
                    let ids = &changes.vertices[at].ids;
                    let fresh = rows.map(|row| (ids[row as usize], (block, row)));
                    self.vertex_rows.extend(fresh);
                }
                SpanKind::Edges => self.add_edges(&changes.edges[at], block, rows),
                SpanKind::VertexValues => {
                    let owners = &changes.vertex_properties[at].owners;
                    add_values(&mut self.vertex_values, at, owners, rows);
                }
                SpanKind::EdgeValues => {
                    let owners = &changes.edge_properties[at].owners;
                    add_values(&mut self.edge_values, at, owners, rows);
                }
            }
        }
    }

    /// The lists of a vertex with their type and its place in the order asked for.
    pub(in crate::transaction) fn lists_of<'a>(
        &'a self,
        vertex: VertexId,
        half: Direction,
        types: Option<&[EdgeTypeId]>,
        mut visit: impl FnMut(u32, EdgeTypeId, &'a OwnList),
    ) {
        for ((edge_type, direction), lists) in &self.lists {
            if *direction == half
                && let Some(place) = place_of(types, *edge_type)
                && let Some(list) = lists.get(&vertex)
                && !list.edges.is_empty()
            {
                visit(place, *edge_type, list);
            }
        }
    }

    pub(in crate::transaction) fn has_lists(&self) -> bool {
        !self.lists.is_empty()
    }

    pub(in crate::transaction) fn ends(&self, changes: &Changes, edge: EdgeId) -> Option<EdgeEnds> {
        let (block, row) = *self.edge_rows.get(&edge)?;
        let (block, row) = (&changes.edges[block as usize], row as usize);
        let (source, target) = (block.sources[row], block.targets[row]);
        Some(EdgeEnds { edge, edge_type: block.edge_type, source, target })
    }

    /// Takes an edge out of the lists of both ends.
    pub(in crate::transaction) fn remove_edge(&mut self, ends: EdgeEnds) {
        self.edge_rows.remove(&ends.edge);
        for (half, vertex) in [(Direction::Out, ends.source), (Direction::In, ends.target)] {
            if let Some(lists) = self.lists.get_mut(&(ends.edge_type, half))
                && let Some(list) = lists.get_mut(&vertex)
                && let Some(at) = list.edges.iter().position(|edge| *edge == ends.edge)
            {
                list.edges.swap_remove(at);
                list.neighbours.swap_remove(at);
            }
        }
    }

    pub(in crate::transaction) fn remove_edges(
        &mut self,
        changes: &Changes,
        is_dead: impl Fn(EdgeId) -> bool,
    ) {
        let dead: Vec<_> = self.edge_rows.keys().copied().filter(|edge| is_dead(*edge)).collect();
        for edge in dead {
            if let Some(ends) = self.ends(changes, edge) {
                self.remove_edge(ends);
            }
        }
    }

    fn add_edges(&mut self, block: &EdgeBlock, at: u32, rows: Range<u32>) {
        for row in rows.clone() {
            self.edge_rows.insert(block.ids[row as usize], (at, row));
        }
        let halves = [
            (Direction::Out, &block.sources, &block.targets),
            (Direction::In, &block.targets, &block.sources),
        ];
        for (half, owners, neighbours) in halves {
            let lists = self.lists.entry((block.edge_type, half)).or_default();
            for row in rows.start as usize..rows.end as usize {
                let list = lists.entry(owners[row]).or_default();
                list.neighbours.push(neighbours[row]);
                list.edges.push(block.ids[row]);
            }
        }
    }
}

/// The place of a type in the order asked for; all types are in order of their numbers.
pub(in crate::transaction) fn place_of(
    types: Option<&[EdgeTypeId]>,
    edge_type: EdgeTypeId,
) -> Option<u32> {
    match types {
        None => Some(edge_type.0),
        Some(types) => types.iter().position(|kind| *kind == edge_type).map(|at| at as u32),
    }
}

fn add_values<Id: Copy + Eq + std::hash::Hash>(
    rows_by_owner: &mut Vec<FxHashMap<Id, u32>>,
    block: usize,
    owners: &[Id],
    rows: Range<u32>,
) {
    if rows_by_owner.len() <= block {
        rows_by_owner.resize_with(block + 1, FxHashMap::default);
    }
    rows_by_owner[block].extend(rows.map(|row| (owners[row as usize], row)));
}
