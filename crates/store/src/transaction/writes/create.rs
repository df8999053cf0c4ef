//! Creating vertices and edges: checked as a whole, then appended, then indexed.
//!
//! A call that fails has written nothing, so all checks come before the write set is changed, and
//! before ids are leased where the call leases them itself.

use std::sync::Arc;

use millrace_model::external_id::encode_ids;
use millrace_model::schema::IndexKind;
use millrace_model::{
    Bits, Column, Direction, EXTERNAL_ID_KEY, EdgeId, EdgeTypeId, Error, ErrorKind, ExternalId,
    IndexId, KeyId, Owner, Phase, Result, VertexId,
};
use rustc_hash::FxHashSet;

use crate::changes::Labels;
use crate::constraint::{self, vertex_owners};
use crate::external_ids::{self, check_choice};
use crate::reads::Elements;
use crate::reads::ordered_keys::check_sizes;
use crate::reads::pairs::{listed_pair, repeated_pair};
use crate::reads::run::RunSink;
use crate::snapshot::Snapshot;
use crate::transaction::state::NewProperties;
use crate::transaction::state::write_set::WriteSet;
use crate::transaction::view::View;
use crate::transaction::view::external_view::{slots_of_edges, slots_of_vertices};
use crate::transaction::writes::index_change::{Rows, check_unique};
use crate::transaction::writes::irregular_keys::note_irregular;
use crate::transaction::writes::merge_created;
use crate::transaction::writes::property_rules::{conform_new, lacks_required, replaced};
use crate::transaction::{LeasedEdges, Transaction};

pub(in crate::transaction) fn create_vertices(
    set: &mut WriteSet,
    transaction: &Transaction,
    labels: &Labels,
    count: usize,
    properties: NewProperties<'_>,
) -> Result<Vec<VertexId>> {
    let lease = |set: &mut WriteSet| Ok((lease(set, transaction, count)?, None));
    make_vertices(set, transaction, (labels, count), properties, lease)
}

pub(in crate::transaction) fn create_vertices_in(
    set: &mut WriteSet,
    transaction: &Transaction,
    internal_ids: &[VertexId],
    (labels, texts): (&Labels, Option<&[Arc<str>]>),
    properties: NewProperties<'_>,
) -> Result<Vec<VertexId>> {
    let ids: Option<Vec<ExternalId>> =
        texts.map(|texts| texts.iter().cloned().map(ExternalId::Text).collect());
    if let Some(ids) = &ids {
        check_chosen(set, transaction, Owner::AllVertices, ids)?;
    }
    let leased = |set: &mut WriteSet| {
        let Some(ids) = ids else { return Ok((internal_ids.to_vec(), None)) };
        set.learn_external_index(&*transaction.store, Owner::AllVertices)?;
        Ok((internal_ids.to_vec(), Some(encode_ids(ids.into_iter().map(Some)))))
    };
    make_vertices(set, transaction, (labels, internal_ids.len()), properties, leased)
}

pub(in crate::transaction) fn create_vertices_with_ids(
    set: &mut WriteSet,
    transaction: &Transaction,
    labels: &Labels,
    ids: &[u64],
    properties: NewProperties<'_>,
) -> Result<Vec<VertexId>> {
    ids.iter().try_for_each(|id| check_choice(Owner::AllVertices, &ExternalId::Number(*id)))?;
    let mut sorted = ids.to_vec();
    sorted.sort_unstable();
    if let Some(pair) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(constraint::vertex_exists(VertexId(pair[0])));
    }
    check_not_deleted(set, transaction, ids)?;
    if set.catalog.external_index().is_some() {
        set.catch_up();
    }
    let internal_ids: Vec<VertexId> = ids.iter().copied().map(VertexId).collect();
    transaction.record_elements(Elements::Vertices(&internal_ids));
    let view = View { snapshot: &*transaction.snapshot, set };
    let places = view.find_numbers(Owner::AllVertices, ids)?;
    let places = places.map_or(internal_ids, |places| places.into_iter().map(VertexId).collect());
    if let Some(row) = view.exist(Elements::Vertices(&places))?.ones().next() {
        return Err(constraint::vertex_exists(VertexId(ids[row])));
    }
    let is_own =
        |(id, place): (&u64, &VertexId)| place.0 != *id && set.created.is_alive(VertexId(*id));
    let apart: Bits = ids.iter().zip(&places).map(is_own).collect();
    let claim = |set: &mut WriteSet| {
        let claimed = match transaction.merges_created {
            true => merge_created::claim(transaction, ids, &apart),
            false => transaction.store_of_ids()?.claim_vertices(ids, &apart),
        };
        let internal_ids = claimed.map_err(made_meanwhile)?;
        check_free(ids, &places, &internal_ids)?;
        let kept = external_ids::kept_of(ids, &internal_ids);
        if kept.is_some() {
            set.learn_external_index(&*transaction.store, Owner::AllVertices)?;
        }
        Ok((internal_ids, kept))
    };
    make_vertices(set, transaction, (labels, ids.len()), properties, claim)
}

/// The snapshot has no vertex of the id, so what the store found is newer: the error is the one that the commit would
/// have.
fn made_meanwhile(error: Error) -> Error {
    match error.kind {
        ErrorKind::AlreadyExists => error.in_phase(Phase::Commit),
        _ => error,
    }
}

/// Requires ids that will be external ids to be free here, as far as this transaction can see; its
/// commit is judged by all others.
fn check_chosen(
    set: &mut WriteSet,
    transaction: &Transaction,
    owner: Owner,
    ids: &[ExternalId],
) -> Result<()> {
    let mut seen = FxHashSet::default();
    for id in ids {
        check_choice(owner, id)?;
        if !seen.insert(id) {
            return Err(constraint::id_exists(owner, id));
        }
    }
    set.catch_up();
    let view = View { snapshot: &*transaction.snapshot, set };
    let (mut numbers, mut texts) = (Vec::new(), Vec::new());
    for id in ids {
        match id {
            ExternalId::Number(number) => numbers.push(*number),
            ExternalId::Text(text) => texts.push(Arc::clone(text)),
        }
    }
    let internal_ids = view.find_numbers(owner, &numbers)?.unwrap_or_else(|| numbers.clone());
    let there = external_ids::with_elements(owner, &internal_ids, |elements| view.exist(elements))?;
    if let Some(row) = there.ones().next() {
        return Err(constraint::id_exists(owner, &ExternalId::Number(numbers[row])));
    }
    let found = view.find_texts(owner, &texts)?;
    match found.iter().position(Option::is_some) {
        Some(row) => Err(constraint::id_exists(owner, &ExternalId::Text(Arc::clone(&texts[row])))),
        None => Ok(()),
    }
}

/// A vertex that was deleted here cannot be made again: its old record and its new one would be
/// one.
fn check_not_deleted(set: &WriteSet, transaction: &Transaction, ids: &[u64]) -> Result<()> {
    let before = transaction.snapshot.find_external(ids)?;
    let gone = |row: &usize| {
        let internal_id = VertexId(ids[*row]);
        let vertex = before.as_ref().map_or(internal_id, |before| before[*row]);
        set.deleted_vertices.contains(&vertex) || set.created.is_dead(internal_id)
    };
    match (0..ids.len()).find(gone) {
        None => Ok(()),
        Some(row) => {
            let id = ids[row];
            let detail = format!("vertex {id} was deleted in this transaction, and is made again");
            Err(Error::new(ErrorKind::Unsupported, detail).with_help("commit in between"))
        }
    }
}

/// An internal id that another vertex had in the snapshot, and has no more, may be given to a later
/// transaction. This snapshot is too old to know, so its number is refused here.
fn check_free(ids: &[u64], places: &[VertexId], internal_ids: &[VertexId]) -> Result<()> {
    let freed =
        |row: &usize| internal_ids[*row].0 == ids[*row] && places[*row] != internal_ids[*row];
    match (0..ids.len()).find(freed) {
        None => Ok(()),
        Some(row) => {
            let detail = format!("the internal id of vertex {} was freed by another", ids[row]);
            let error = Error::new(ErrorKind::Conflict, detail);
            Err(error.with_help("run the transaction again"))
        }
    }
}

/// Fresh ids. One that was an external id when the transaction began, and is none any more, would
/// be in use twice here: it is passed over.
pub(in crate::transaction) fn lease(
    set: &WriteSet,
    transaction: &Transaction,
    count: usize,
) -> Result<Vec<VertexId>> {
    let snapshot = &*transaction.snapshot;
    let mut leased = Vec::with_capacity(count);
    while leased.len() < count {
        let ranges = transaction.store_of_ids()?.lease_vertices((count - leased.len()) as u64)?;
        let ids = ranges.into_iter().flatten();
        match set.catalog.external_index() {
            None => leased.extend(ids.map(VertexId)),
            Some(index) => {
                let (ids, view) = (ids.collect::<Vec<_>>(), View { snapshot, set });
                let seek = |keys: &_, matches: &mut _| view.seek(index.id, &[keys], matches);
                leased.extend(external_ids::not_external(&ids, seek)?.into_iter().map(VertexId));
            }
        }
    }
    Ok(leased)
}

fn make_vertices(
    set: &mut WriteSet,
    transaction: &Transaction,
    (labels, count): (&Labels, usize),
    properties: NewProperties<'_>,
    ids: impl FnOnce(&mut WriteSet) -> Result<(Vec<VertexId>, Option<Column>)>,
) -> Result<Vec<VertexId>> {
    let owners: Vec<Owner> = vertex_owners(labels).collect();
    let conformed = conform_new(set, &owners, count, properties)?;
    let properties = replaced(properties, &conformed);
    let properties = &*properties;
    let absent = absent_column(count);
    let entries = new_entries(set, &*transaction.snapshot, &owners, (count, &absent), properties)?;
    let (ids, kept) = ids(set)?;
    let all: Vec<_> =
        properties.iter().copied().chain(kept.iter().map(|o| (EXTERNAL_ID_KEY, o))).collect();
    properties.iter().for_each(|(key, values)| note_irregular(set, *key, values));
    set.open.push_vertices(labels, &ids, &all);
    ids.iter().for_each(|id| set.created.push(*id, labels));
    set.counts.add_vertices(labels, count as i64);
    for (index, keys) in entries {
        set.insert_entries(index, &keys, ids.iter().map(|id| id.0));
    }
    if let Some(kept) = &kept {
        set.insert_external(Owner::AllVertices, kept, &slots_of_vertices(&ids));
    }
    if lacks_required(&set.catalog, &owners, properties) {
        set.unchecked.vertices.extend(&ids);
    }
    set.settle(&*transaction.store)?;
    Ok(ids)
}

pub(in crate::transaction) fn create_edges(
    set: &mut WriteSet,
    transaction: &Transaction,
    edge_type: EdgeTypeId,
    ends: (&[VertexId], &[VertexId]),
    properties: NewProperties<'_>,
) -> Result<Vec<EdgeId>> {
    let lease = |set: &mut WriteSet| Ok((fresh_edges(set, transaction, edge_type, ends.0)?, None));
    make_edges(set, transaction, edge_type, ends, properties, lease)
}

pub(in crate::transaction) fn create_edges_with_ids(
    set: &mut WriteSet,
    transaction: &Transaction,
    edge_type: EdgeTypeId,
    ends: (&[VertexId], &[VertexId]),
    ids: &[ExternalId],
    properties: NewProperties<'_>,
) -> Result<Vec<EdgeId>> {
    assert_eq!(ends.0.len(), ids.len(), "an id for each edge");
    check_chosen(set, transaction, Owner::AllEdges, ids)?;
    let claim = |set: &mut WriteSet| {
        transaction.store_of_ids()?.claim_edges(ids)?;
        set.learn_external_index(&*transaction.store, Owner::AllEdges)?;
        let edges = fresh_edges(set, transaction, edge_type, ends.0)?;
        Ok((edges, Some(encode_ids(ids.iter().cloned().map(Some)))))
    };
    make_edges(set, transaction, edge_type, ends, properties, claim)
}

/// Fresh ids of edges. A number that is an external id here would be in use twice: it is passed
/// over.
fn fresh_edges(
    set: &WriteSet,
    transaction: &Transaction,
    edge_type: EdgeTypeId,
    sources: &[VertexId],
) -> Result<Vec<EdgeId>> {
    if set.catalog.external_edge_index().is_none() {
        return transaction.lease_edges(edge_type, sources);
    }
    let view = View { snapshot: &*transaction.snapshot, set };
    let lease = |sources: &[VertexId]| transaction.lease_edges(edge_type, sources);
    external_ids::lease_not_external(sources, lease, |internal_ids| {
        view.are_external(Owner::AllEdges, internal_ids)
    })
}

pub(in crate::transaction) fn create_leased_edges(
    set: &mut WriteSet,
    transaction: &Transaction,
    edge_type: EdgeTypeId,
    edges: LeasedEdges<'_>,
    properties: NewProperties<'_>,
) -> Result<()> {
    let LeasedEdges { ids, sources, targets } = edges;
    assert_eq!(ids.len(), sources.len(), "an id was leased for each edge");
    let leased = |_: &mut WriteSet| Ok((ids.to_vec(), None));
    make_edges(set, transaction, edge_type, (sources, targets), properties, leased).map(drop)
}

fn make_edges(
    set: &mut WriteSet,
    transaction: &Transaction,
    edge_type: EdgeTypeId,
    (sources, targets): (&[VertexId], &[VertexId]),
    properties: NewProperties<'_>,
    ids: impl FnOnce(&mut WriteSet) -> Result<(Vec<EdgeId>, Option<Column>)>,
) -> Result<Vec<EdgeId>> {
    assert_eq!(sources.len(), targets.len(), "an edge has one source and one target");
    let count = sources.len();
    check_ends(set, &*transaction.snapshot, sources.iter().chain(targets))?;
    let owners = [Owner::EdgeType(edge_type)];
    let conformed = conform_new(set, &owners, count, properties)?;
    let properties = replaced(properties, &conformed);
    let properties = &*properties;
    let absent = absent_column(count);
    let entries = new_entries(set, &*transaction.snapshot, &owners, (count, &absent), properties)?;
    check_set(set, transaction, edge_type, (sources, targets))?;
    let (ids, kept) = ids(set)?;
    let all: Vec<_> =
        properties.iter().copied().chain(kept.iter().map(|own| (EXTERNAL_ID_KEY, own))).collect();
    properties.iter().for_each(|(key, values)| note_irregular(set, *key, values));
    set.open.push_edges(edge_type, &ids, (sources, targets), &all);
    set.counts.add_edges(edge_type, count as i64);
    for (index, keys) in entries {
        set.insert_entries(index, &keys, ids.iter().map(|id| id.0));
    }
    if let Some(kept) = &kept {
        set.insert_external(Owner::AllEdges, kept, &slots_of_edges(&ids));
    }
    if lacks_required(&set.catalog, &owners, properties) {
        set.unchecked.edges.extend(&ids);
    }
    set.settle(&*transaction.store)?;
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
    owners: &[Owner],
    (count, absent): (usize, &'a Column),
    properties: &[(KeyId, &'a Column)],
) -> Result<Vec<(IndexId, Vec<&'a Column>)>> {
    let mut entries = Vec::new();
    for index in owners.iter().flat_map(|owner| set.catalog.indexes.of_owner(*owner)) {
        let column = |key: &KeyId| properties.iter().find(|(own, _)| own == key).map(|pair| pair.1);
        let found: Vec<Option<&Column>> = index.keys.iter().map(column).collect();
        let serves = match index.kind {
            IndexKind::Made => found.iter().any(Option::is_some),
            IndexKind::Unique | IndexKind::Exact | IndexKind::Range => {
                found.iter().all(Option::is_some)
            }
        };
        if !serves {
            continue;
        }
        let keys: Vec<&Column> = found.into_iter().map(|own| own.unwrap_or(absent)).collect();
        let rows = Rows { ids: &[], count, is_stored: false };
        check_unique(set, snapshot, index.id, &keys, rows)?;
        let checked = check_sizes(index, &keys, count);
        checked.map_err(|(_, error)| constraint::of_index(&set.catalog, index, error))?;
        entries.push((index.id, keys));
    }
    Ok(entries)
}

/// A column of rows without a value.
fn absent_column(rows: usize) -> Column {
    let mut column = Column::default();
    (0..rows).for_each(|_| column.push_absent());
    column
}
