//! Which vertices are new, and in which order they go to the store.

use super::super::graph::QuadGraph;
use crate::error::LoadError;
use crate::graph::{lease, push_text};
use crate::limits::{PART_ROWS, PASSED_IDS_MAX, PASSED_IDS_STEP, SEEK_ROWS};
use millrace_model::{Bits, Column, KeyId, Owner, VertexId};
use millrace_store::{Elements, SeekMatches, Snapshot, Store};

/// Vertices in the order in which they go to the store: new ones by label set, then those that
/// were there before.
pub(super) struct Order {
    /// Vertex of the graph in memory, by rank.
    pub(super) vertices: Vec<u32>,
    /// Rank, by vertex.
    pub(super) ranks: Vec<u32>,
    /// Id in the store, by rank.
    pub(super) ids: Vec<VertexId>,
    /// The uid of each new one that has one, by rank; 0 for none. Empty without a schema.
    pub(super) uids: Vec<u64>,
    /// How many are new.
    pub(super) new: u32,
}

impl Order {
    /// Whether some vertices were in the graph before.
    pub(super) fn has_existing(&self) -> bool {
        (self.new as usize) < self.ids.len()
    }
}

/// Finds the store's vertex of each name that it knows.
pub(super) fn find_names(
    graph: &QuadGraph,
    snapshot: &dyn Snapshot,
    xid: KeyId,
    existing: &mut [Option<VertexId>],
) -> Result<(), LoadError> {
    let catalog = snapshot.catalog();
    let Some(index) = catalog.index(Owner::AllVertices, &[xid]) else { return Ok(()) };
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
    Ok(())
}

/// Finds the store's vertex of each uid.
pub(super) fn find_uids(
    graph: &QuadGraph,
    snapshot: &dyn Snapshot,
    existing: &mut [Option<VertexId>],
) -> Result<(), LoadError> {
    let named = |vertex: u32| graph.uid(vertex).map(|uid| (vertex, uid));
    let all: Vec<(u32, u64)> = (0..graph.vertex_count() as u32).filter_map(named).collect();
    for part in all.chunks(SEEK_ROWS) {
        let uids: Vec<u64> = part.iter().map(|(_, uid)| *uid).collect();
        let found = snapshot.find_external(&uids)?;
        let internal_ids = found.unwrap_or_else(|| uids.into_iter().map(VertexId).collect());
        for row in snapshot.exist(Elements::Vertices(&internal_ids))?.ones() {
            existing[part[row].0 as usize] = Some(internal_ids[row]);
        }
    }
    Ok(())
}

pub(super) fn order_vertices(
    store: &dyn Store,
    graph: &QuadGraph,
    set_of: &[u32],
    existing: &[Option<VertexId>],
) -> Result<Order, LoadError> {
    let mut vertices: Vec<u32> = (0..set_of.len() as u32).collect();
    let place = |vertex: &u32| (existing[*vertex as usize].is_some(), set_of[*vertex as usize]);
    vertices.sort_by_key(place);
    let new = vertices.partition_point(|vertex| existing[*vertex as usize].is_none());
    let uid = |vertex: &u32| graph.uid(*vertex).unwrap_or_default();
    let uids: Vec<u64> = match graph.has_schema() {
        true => vertices[..new].iter().map(uid).collect(),
        false => Vec::new(),
    };
    let mut ids = if uids.is_empty() { lease(store, new)? } else { claim(store, &uids)? };
    ids.extend(vertices[new..].iter().filter_map(|vertex| existing[*vertex as usize]));
    let mut ranks = vec![0; vertices.len()];
    for (rank, vertex) in vertices.iter().enumerate() {
        ranks[*vertex as usize] = rank as u32;
    }
    Ok(Order { vertices, ranks, ids, uids, new: new as u32 })
}

/// Ids of new vertices: those of uids as they are, where they can be ids of the store, and behind them leased ones.
fn claim(store: &dyn Store, uids: &[u64]) -> Result<Vec<VertexId>, LoadError> {
    let mut chosen: Vec<(u64, usize)> = uids
        .iter()
        .enumerate()
        .filter(|(_, uid)| **uid != 0)
        .map(|(rank, uid)| (*uid, rank))
        .collect();
    // In ascending order, so that each claim is near the ids in use.
    chosen.sort_unstable();
    let (mut ids, mut own) = (vec![VertexId(0); uids.len()], Vec::new());
    for part in chosen.chunks(PART_ROWS) {
        let wanted: Vec<u64> = part.iter().map(|(uid, _)| *uid).collect();
        let claimed = store.claim_vertices(&wanted, &Bits::unset(wanted.len()))?;
        for ((uid, rank), id) in part.iter().zip(claimed) {
            ids[*rank] = id;
            own.extend((*uid == id.0).then_some(*uid));
        }
    }
    pass(store, &own)?;
    let mut leased = lease(store, uids.len() - chosen.len())?.into_iter();
    let others = ids.iter_mut().zip(uids).filter(|(_, uid)| **uid == 0);
    others.zip(&mut leased).for_each(|((id, _), fresh)| *id = fresh);
    Ok(ids)
}

/// Leases the ids before the highest uid, so that no vertex without a uid ever has one that looks like those of the file.
/// Uids ascend. Gaps beyond a bound stay: the store passes over each uid that was claimed, and leases what is between.
fn pass(store: &dyn Store, uids: &[u64]) -> Result<(), LoadError> {
    let Some(highest) = uids.last() else { return Ok(()) };
    let mut passed = 0;
    while passed < PASSED_IDS_MAX {
        let next = lease(store, 1)?[0].0;
        if *highest < next {
            return Ok(());
        }
        let claimed = uids.len() - uids.partition_point(|uid| *uid <= next);
        let free = (highest - next).saturating_sub(claimed as u64).min(PASSED_IDS_STEP);
        if free != 0 {
            store.lease_vertices(free)?;
        }
        passed += 1 + free;
    }
    Ok(())
}
