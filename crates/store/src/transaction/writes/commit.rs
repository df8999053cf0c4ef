//! From write set to write batch: dead rows are taken out, and the part in memory is added.
//!
//! A spilled part that holds a dead row is read, rewritten without it and spilled again, since a
//! batch may not delete elements that it creates.

use std::sync::Arc;

use millrace_model::{CatalogChange, Column, EdgeId, KeyId, Result, VertexId};
use parking_lot::Mutex;

use crate::backend::Store;
use crate::changes::{
    Changes, ConflictUnit, EdgeEnds, Isolation, PropertyBlock, SpilledChanges, WriteBatch,
};
use crate::snapshot::Snapshot;
use crate::transaction::state::created::Created;
use crate::transaction::state::read_log::ReadLog;
use crate::transaction::state::spilled_part::SpilledPart;
use crate::transaction::state::write_set::WriteSet;

pub(in crate::transaction) fn write_batch(
    set: WriteSet,
    store: &dyn Store,
    snapshot: &dyn Snapshot,
    isolation: Isolation,
    reads: Mutex<ReadLog>,
) -> Result<WriteBatch> {
    if let Some(error) = set.lost {
        return Err(error);
    }
    let dead = Dead { created: &set.created, edges: &set.dead_edges };
    let spilled = set.spilled.iter().map(|part| dead.mend(part, store));
    let spilled = spilled.collect::<Result<Vec<_>>>()?;
    let mut changes = set.open.changes;
    if dead.exist() {
        dead.remove_from(&mut changes);
    }
    let relabelled = set.relabelled.into_iter();
    changes.labels = relabelled.filter(|(vertex, _)| !set.created.is_dead(*vertex)).collect();
    changes.deleted_edges = set.deleted_edges.into_values().collect();
    changes.deleted_edges.sort_unstable_by_key(|ends| ends.edge);
    changes.deleted_vertices = set.deleted_vertices.into_iter().collect();
    changes.deleted_vertices.sort_unstable();
    changes.catalog = lasting(set.catalog_changes);
    Ok(WriteBatch {
        snapshot: snapshot.position(),
        catalog_version: set.catalog_version,
        isolation,
        unit: ConflictUnit::default(),
        reads: reads.into_inner().into_units(),
        claims: set.claims,
        ticket: None,
        origin: None,
        spilled,
        changes,
    })
}

/// Without the indexes that were defined and dropped here.
fn lasting(changes: Vec<CatalogChange>) -> Vec<CatalogChange> {
    let is_trace = |change: &CatalogChange| match change {
        CatalogChange::DropIndex(id) => super::schema_change::is_provisional(*id),
        _ => false,
    };
    changes.into_iter().filter(|change| !is_trace(change)).collect()
}

/// Elements that were created and deleted again.
struct Dead<'a> {
    created: &'a Created,
    edges: &'a rustc_hash::FxHashMap<EdgeId, EdgeEnds>,
}

impl Dead<'_> {
    fn exist(&self) -> bool {
        self.created.has_dead() || !self.edges.is_empty()
    }

    fn has_vertex(&self, vertex: VertexId) -> bool {
        self.created.is_dead(vertex)
    }

    fn has_edge(&self, edge: EdgeId) -> bool {
        self.edges.contains_key(&edge)
    }

    fn mend(&self, part: &SpilledPart, store: &dyn Store) -> Result<Arc<dyn SpilledChanges>> {
        if !self.exist() {
            return Ok(part.changes.clone());
        }
        let mut changes = part.changes.read()?;
        if !self.remove_from(&mut changes) {
            return Ok(part.changes.clone());
        }
        store.spill(changes)
    }

    /// Takes out dead rows, and says whether there were any.
    fn remove_from(&self, changes: &mut Changes) -> bool {
        let mut removed = false;
        for block in &mut changes.vertices {
            if let Some(rows) = kept(&block.ids, |vertex| self.has_vertex(vertex)) {
                block.ids = pick(&block.ids, &rows);
                keep_columns(&mut block.properties, &rows);
                removed = true;
            }
        }
        for block in &mut changes.edges {
            if let Some(rows) = kept(&block.ids, |edge| self.has_edge(edge)) {
                block.ids = pick(&block.ids, &rows);
                block.sources = pick(&block.sources, &rows);
                block.targets = pick(&block.targets, &rows);
                keep_columns(&mut block.properties, &rows);
                removed = true;
            }
        }
        for block in &mut changes.vertex_properties {
            removed |= keep_values(block, |vertex| self.has_vertex(vertex));
        }
        for block in &mut changes.edge_properties {
            removed |= keep_values(block, |edge| self.has_edge(edge));
        }
        removed
    }
}

/// The rows that live; `None` if all do.
fn kept<Id: Copy>(ids: &[Id], is_dead: impl Fn(Id) -> bool) -> Option<Vec<u32>> {
    let rows: Vec<u32> = (0..ids.len() as u32).filter(|row| !is_dead(ids[*row as usize])).collect();
    (rows.len() < ids.len()).then_some(rows)
}

pub(super) fn pick<T: Copy>(values: &[T], rows: &[u32]) -> Vec<T> {
    rows.iter().map(|row| values[*row as usize]).collect()
}

pub(super) fn keep_columns(columns: &mut [(KeyId, Column)], rows: &[u32]) {
    for (_, column) in columns {
        *column = column.take(rows);
    }
}

fn keep_values<Id: Copy>(block: &mut PropertyBlock<Id>, is_dead: impl Fn(Id) -> bool) -> bool {
    let Some(rows) = kept(&block.owners, is_dead) else { return false };
    block.owners = pick(&block.owners, &rows);
    block.values = block.values.take(&rows);
    true
}
