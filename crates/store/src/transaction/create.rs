//! Creating vertices and edges: checked as a whole, then appended, then indexed.
//!
//! What a reader would get wrong: a call that fails has written nothing, so all checks come before
//! the lease, and the write set is touched only after it.

use millrace_model::{
    Column, Direction, EdgeId, EdgeTypeId, Error, ErrorKind, KeyId, Owner, Result, VertexId,
};

use super::declared_rules::{conform_new, lacks_required, replaced};
use super::index_change::check_unique;
use super::view::View;
use super::write_set::WriteSet;
use super::{NewProperties, Transaction};
use crate::changes::Labels;
use crate::constraint::{self, holds_labels};
use crate::pairs::{listed_pair, repeated_pair};
use crate::run::RunSink;
use crate::snapshot::{Elements, Snapshot};

pub(super) fn create_vertices(
    set: &mut WriteSet,
    transaction: &Transaction,
    labels: &Labels,
    count: usize,
    properties: NewProperties<'_>,
) -> Result<Vec<VertexId>> {
    let lease = || {
        let ranges = transaction.store.lease_vertices(count as u64)?;
        Ok(ranges.into_iter().flatten().map(VertexId).collect())
    };
    make_vertices(set, transaction, (labels, count), properties, lease)
}

pub(super) fn create_vertices_with_ids(
    set: &mut WriteSet,
    transaction: &Transaction,
    labels: &Labels,
    ids: &[VertexId],
    properties: NewProperties<'_>,
) -> Result<()> {
    let mut sorted = ids.to_vec();
    sorted.sort_unstable();
    let twice = sorted.windows(2).find(|pair| pair[0] == pair[1]).map(|pair| pair[0]);
    let own = ids.iter().copied().find(|id| set.created.is_alive(*id));
    if let Some(id) = twice.or(own) {
        return Err(constraint::vertex_exists(id));
    }
    let gone = |id: &&VertexId| set.deleted_vertices.contains(id) || set.created.is_dead(**id);
    if let Some(id) = ids.iter().find(gone) {
        let detail = format!("vertex {id} was deleted in this transaction, and is made again");
        return Err(Error::new(ErrorKind::Unsupported, detail).with_help("commit in between"));
    }
    transaction.record_elements(Elements::Vertices(ids));
    let exist = transaction.snapshot.exist(Elements::Vertices(ids))?;
    if let Some(row) = exist.ones().next() {
        return Err(constraint::vertex_exists(ids[row]));
    }
    let claim = || transaction.store.claim_vertices(ids).map(|()| ids.to_vec());
    make_vertices(set, transaction, (labels, ids.len()), properties, claim).map(drop)
}

fn make_vertices(
    set: &mut WriteSet,
    transaction: &Transaction,
    (labels, count): (&Labels, usize),
    properties: NewProperties<'_>,
    ids: impl FnOnce() -> Result<Vec<VertexId>>,
) -> Result<Vec<VertexId>> {
    let applies = |owner: Owner| holds_labels(owner, labels);
    let conformed = conform_new(set, applies, count, properties)?;
    let properties = replaced(properties, &conformed);
    let properties = &*properties;
    let entries = new_entries(set, &*transaction.snapshot, applies, count, properties)?;
    let ids = ids()?;
    set.open.push_vertices(labels, &ids, properties);
    ids.iter().for_each(|id| set.created.push(*id, labels));
    set.counts.add_vertices(labels, count as i64);
    for (at, keys) in entries {
        ids.iter().enumerate().for_each(|(row, id)| set.indexes[at].insert(&keys, row, id.0));
    }
    if lacks_required(&set.catalog, applies, properties) {
        set.unchecked.vertices.extend(&ids);
    }
    set.spill_if_large(&*transaction.store)?;
    Ok(ids)
}

pub(super) fn create_edges(
    set: &mut WriteSet,
    transaction: &Transaction,
    edge_type: EdgeTypeId,
    sources: &[VertexId],
    targets: &[VertexId],
    properties: NewProperties<'_>,
) -> Result<Vec<EdgeId>> {
    assert_eq!(sources.len(), targets.len(), "an edge has one source and one target");
    let count = sources.len();
    check_ends(set, &*transaction.snapshot, sources.iter().chain(targets))?;
    let applies = |owner: Owner| owner == Owner::EdgeType(edge_type);
    let conformed = conform_new(set, applies, count, properties)?;
    let properties = replaced(properties, &conformed);
    let properties = &*properties;
    let entries = new_entries(set, &*transaction.snapshot, applies, count, properties)?;
    check_set(set, transaction, edge_type, (sources, targets))?;
    let ids = transaction.store.lease_edges(edge_type, sources)?;
    set.open.push_edges(edge_type, &ids, (sources, targets), properties);
    set.counts.add_edges(edge_type, count as i64);
    for (at, keys) in entries {
        ids.iter().enumerate().for_each(|(row, id)| set.indexes[at].insert(&keys, row, id.0));
    }
    if lacks_required(&set.catalog, applies, properties) {
        set.unchecked.edges.extend(&ids);
    }
    set.spill_if_large(&*transaction.store)?;
    Ok(ids)
}

fn check_ends<'a>(
    set: &WriteSet,
    snapshot: &dyn Snapshot,
    ends: impl Iterator<Item = &'a VertexId>,
) -> Result<()> {
    let others: Vec<_> = ends.copied().filter(|end| !set.created.is_alive(*end)).collect();
    if others.is_empty() {
        return Ok(());
    }
    let exist = snapshot.exist(Elements::Vertices(&others))?;
    let gone =
        |(row, end): &(usize, &VertexId)| !exist.get(*row) || set.deleted_vertices.contains(end);
    match others.iter().enumerate().find(gone) {
        Some((_, end)) => Err(constraint::no_such(format!("vertex {end}, end of an edge,"))),
        None => Ok(()),
    }
}

/// In a type that is a set, no edge may join two vertices a second time.
fn check_set(
    set: &mut WriteSet,
    transaction: &Transaction,
    edge_type: EdgeTypeId,
    (sources, targets): (&[VertexId], &[VertexId]),
) -> Result<()> {
    if !set.catalog.is_set(edge_type) {
        return Ok(());
    }
    set.catch_up();
    let view = View { snapshot: &*transaction.snapshot, set };
    let pairs: Vec<_> = sources.iter().copied().zip(targets.iter().copied()).collect();
    let there = |frontier: &[VertexId], sink: &mut dyn RunSink| {
        view.expand(frontier, Some(&[edge_type]), Direction::Out, sink)
    };
    let taken = match repeated_pair(pairs.clone()) {
        Some(pair) => Some(pair),
        None => listed_pair(&pairs, |_| false, there)?,
    };
    match taken {
        None => Ok(()),
        Some(pair) => Err(constraint::second_edge(&set.catalog, edge_type, pair)),
    }
}

/// The indexes that new elements enter, with their key columns; unique ones are checked.
fn new_entries<'a>(
    set: &WriteSet,
    snapshot: &dyn Snapshot,
    applies: impl Fn(Owner) -> bool,
    count: usize,
    properties: &[(KeyId, &'a Column)],
) -> Result<Vec<(usize, Vec<&'a Column>)>> {
    let mut entries = Vec::new();
    for (at, index) in set.indexes.iter().enumerate() {
        if !applies(index.declaration.owner) {
            continue;
        }
        let column = |key: &KeyId| properties.iter().find(|(own, _)| own == key).map(|pair| pair.1);
        let keys = index.declaration.keys.iter().map(column);
        let Some(keys) = keys.collect::<Option<Vec<_>>>() else { continue };
        check_unique(set, snapshot, at, &keys, count)?;
        entries.push((at, keys));
    }
    Ok(entries)
}
