//! Which vertices are new, and in which order they go to the store.

use super::super::graph::QuadGraph;
use crate::error::LoadError;
use crate::graph::{lease, push_text};
use crate::limits::SEEK_ROWS;
use millrace_model::{Column, KeyId, Owner, VertexId};
use millrace_store::{SeekMatches, Snapshot, Store};

/// Vertices in the order in which they go to the store: new ones by label set, then those that
/// were there before.
pub(super) struct Order {
    /// Vertex of the graph in memory, by rank.
    pub(super) vertices: Vec<u32>,
    /// Rank, by vertex.
    pub(super) ranks: Vec<u32>,
    /// Id in the store, by rank.
    pub(super) ids: Vec<VertexId>,
    /// How many are new.
    pub(super) new: u32,
}

impl Order {
    /// Whether some vertices were in the graph before.
    pub(super) fn has_existing(&self) -> bool {
        (self.new as usize) < self.ids.len()
    }
}

/// The store's vertex of each name that it knows.
pub(super) fn find_existing(
    graph: &QuadGraph,
    snapshot: &dyn Snapshot,
    xid: KeyId,
) -> Result<Vec<Option<VertexId>>, LoadError> {
    let mut existing = vec![None; graph.vertex_count()];
    let catalog = snapshot.catalog();
    let Some(index) = catalog.index(Owner::AllVertices, &[xid]) else { return Ok(existing) };
    let count = graph.vertex_count();
    for first in (0..count).step_by(SEEK_ROWS) {
        let mut column = Column::default();
        for vertex in first..count.min(first + SEEK_ROWS) {
            match graph.xid(vertex as u32) {
                Some(name) => push_text(&mut column, &name),
                None => column.push_absent(),
            }
        }
        let mut matches = SeekMatches::default();
        snapshot.seek(index.id, &[&column], &mut matches)?;
        for (row, id) in matches.rows.iter().zip(&matches.ids) {
            existing[first + *row as usize] = Some(VertexId(*id));
        }
    }
    Ok(existing)
}

pub(super) fn order_vertices(
    store: &dyn Store,
    set_of: &[u32],
    existing: &[Option<VertexId>],
) -> Result<Order, LoadError> {
    let mut vertices: Vec<u32> = (0..set_of.len() as u32).collect();
    let place = |vertex: &u32| (existing[*vertex as usize].is_some(), set_of[*vertex as usize]);
    vertices.sort_by_key(place);
    let new = vertices.partition_point(|vertex| existing[*vertex as usize].is_none());
    let mut ids = lease(store, new)?;
    ids.extend(vertices[new..].iter().filter_map(|vertex| existing[*vertex as usize]));
    let mut ranks = vec![0; vertices.len()];
    for (rank, vertex) in vertices.iter().enumerate() {
        ranks[*vertex as usize] = rank as u32;
    }
    Ok(Order { vertices, ranks, ids, new: new as u32 })
}
