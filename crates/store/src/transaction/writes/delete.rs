//! Deleting, idempotent: elements that are gone already are passed over.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use millrace_model::{Direction, EdgeId, EdgeTypeId, Error, Owner, Result, VertexId};
use rustc_hash::FxHashSet;

use crate::changes::EdgeEnds;
use crate::constraint::{holds_labels, holds_type, still_connected};
use crate::reads::Elements;
use crate::reads::run::Run;
use crate::transaction::Transaction;
use crate::transaction::state::write_set::{DeletedDegree, WriteSet};
use crate::transaction::view::View;
use crate::transaction::writes::index_change::{self, IndexChange};
use crate::transaction::writes::property_rules::owners_of_labels;

pub(in crate::transaction) fn delete_edges(
    set: &mut WriteSet,
    transaction: &Transaction,
    edges: &[EdgeId],
) -> Result<()> {
    set.catch_up();
    let view = View { snapshot: &*transaction.snapshot, set };
    let mut seen = FxHashSet::default();
    let edges: Vec<_> = edges.iter().copied().filter(|edge| seen.insert(*edge)).collect();
    let (ends, own) = (view.ends(&edges)?, view.own_ends(&edges)?);
    let living = (0..edges.len()).filter(|row| ends.exist.get(*row));
    let living: Vec<_> = living
        .map(|row| EdgeEnds {
            edge: edges[row],
            edge_type: ends.types[row],
            source: ends.sources[row],
            target: ends.targets[row],
        })
        .collect();
    let changes = edge_index_changes(view, &living)?;
    let own: FxHashSet<_> = own.into_iter().flatten().map(|ends| ends.edge).collect();
    index_change::apply(set, &*transaction.snapshot, &changes)?;
    for ends in living {
        set.counts.add_edges(ends.edge_type, -1);
        if own.contains(&ends.edge) {
            set.open.index.remove_edge(ends);
            set.dead_edges.insert(ends.edge, ends);
            set.loaded.clear();
        } else {
            set.deleted_edges.insert(ends.edge, ends);
            lose(set, ends.source, Direction::Out, ends);
            lose(set, ends.target, Direction::In, ends);
        }
    }
    Ok(())
}

pub(in crate::transaction) fn delete_vertices(
    set: &mut WriteSet,
    transaction: &Transaction,
    vertices: &[VertexId],
    detach: bool,
) -> Result<()> {
    set.catch_up();
    let view = View { snapshot: &*transaction.snapshot, set };
    let exist = view.exist(Elements::Vertices(vertices))?;
    let mut seen = FxHashSet::default();
    let living = vertices
        .iter()
        .enumerate()
        .filter(|(row, vertex)| exist.get(*row) && seen.insert(**vertex));
    let vertices: Vec<_> = living.map(|(_, vertex)| *vertex).collect();
    if detach {
        let edges = incident_edges(view, &vertices)?;
        delete_edges(set, transaction, &edges)?;
    } else {
        set.unchecked.dangling.extend(&vertices);
    }
    let view = View { snapshot: &*transaction.snapshot, set };
    let labels = view.labels(&vertices)?;
    let mut changes = Vec::new();
    let owners = owners_of_labels(&labels);
    for index in owners.iter().flat_map(|owner| set.catalog.indexes.of_owner(*owner)) {
        let rows = vertices.iter().zip(&labels);
        let held = rows.filter(|(_, labels)| holds_labels(index.owner, labels));
        let held: Vec<_> = held.map(|(vertex, _)| *vertex).collect();
        if !held.is_empty() {
            let old = view.gather(Elements::Vertices(&held), &index.keys)?;
            let ids = held.iter().map(|vertex| vertex.0).collect();
            changes.push(IndexChange { index: index.id, ids, old, new: Vec::new() });
        }
    }
    index_change::apply(set, &*transaction.snapshot, &changes)?;
    for (vertex, labels) in vertices.into_iter().zip(labels) {
        set.counts.add_vertices(&labels, -1);
        if set.created.is_alive(vertex) {
            set.created.kill(vertex);
        } else {
            set.deleted_vertices.insert(vertex);
        }
    }
    Ok(())
}

/// No edge may be left without an end.
pub(in crate::transaction) fn check_dangling(
    set: &mut WriteSet,
    transaction: &Transaction,
) -> Result<()> {
    if set.unchecked.dangling.is_empty() {
        return Ok(());
    }
    set.catch_up();
    let view = View { snapshot: &*transaction.snapshot, set };
    let (vertices, mut degrees) = (&set.unchecked.dangling, Vec::new());
    view.degrees(vertices, None, Direction::Both, &mut degrees)?;
    if let Some((vertex, degree)) = vertices.iter().zip(degrees).find(|(_, degree)| *degree != 0) {
        let detail = format!("vertex {vertex} cannot be deleted: it still has {degree} edges");
        let is_new = set.created.ordinal(*vertex).is_some();
        return Err(Error { detail, ..still_connected(*vertex, is_new) });
    }
    set.unchecked.dangling.clear();
    Ok(())
}

fn incident_edges(view: View<'_>, vertices: &[VertexId]) -> Result<Vec<EdgeId>> {
    let mut edges = Vec::new();
    view.expand(vertices, None, Direction::Both, &mut |_: usize, run: Run<'_>| {
        edges.extend((0..run.len()).map(|at| run.edge(at)));
        ControlFlow::Continue(())
    })?;
    Ok(edges)
}

fn edge_index_changes(view: View<'_>, edges: &[EdgeEnds]) -> Result<Vec<IndexChange>> {
    let mut changes = Vec::new();
    let types: BTreeSet<EdgeTypeId> = edges.iter().map(|ends| ends.edge_type).collect();
    let owners = types.into_iter().map(Owner::EdgeType).chain([Owner::AllEdges]);
    for index in owners.flat_map(|owner| view.set.catalog.indexes.of_owner(owner)) {
        let held = |ends: &&EdgeEnds| holds_type(index.owner, ends.edge_type);
        let held: Vec<_> = edges.iter().filter(held).map(|ends| ends.edge).collect();
        if !held.is_empty() {
            let old = view.gather(Elements::Edges(&held), &index.keys)?;
            let ids = held.iter().map(|edge| edge.0).collect();
            changes.push(IndexChange { index: index.id, ids, old, new: Vec::new() });
        }
    }
    Ok(changes)
}

fn lose(set: &mut WriteSet, vertex: VertexId, half: Direction, ends: EdgeEnds) {
    let lost = set.deleted_degrees.entry(vertex).or_default();
    let same = |lost: &&mut DeletedDegree| (lost.half, lost.edge_type) == (half, ends.edge_type);
    match lost.iter_mut().find(same) {
        Some(lost) => lost.count += 1,
        None => lost.push(DeletedDegree { half, edge_type: ends.edge_type, count: 1 }),
    }
}
