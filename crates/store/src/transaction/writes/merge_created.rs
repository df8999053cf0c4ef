//! Vertices that a transaction makes, and that another made meanwhile under the same ids: its commit changes them.
//!
//! In its snapshot there is no such vertex, so each key that one has by now was set by others since. Where this
//! transaction writes such a key, or a label that is not there, it has lost; else both are right.
//!
//! ```text
//!   batch ──> made by others since the snapshot? ──> store ──> committed
//!               ▲        new vertices become values  │
//!               └── the winner is visible <── conflict
//! ```
//!
//! What becomes of new vertices at the commit enters, the same for every backend. Edges never do: two that make the same
//! edge make two.

use std::sync::Arc;

use millrace_model::{Bits, Column, EXTERNAL_ID_KEY, Error, ErrorKind, Phase, Result, VertexId};
use rustc_hash::FxHashMap;

use super::commit::{keep_columns, pick};
use crate::backend::{Store, StoreCall, Ticket};
use crate::changes::{Changes, Labels, PropertyBlock, VertexBlock, WriteBatch};
use crate::reads::{Elements, non_blocking};
use crate::snapshot::Snapshot;
use crate::transaction::Transaction;

/// Whether a batch makes vertices that may become values. Parts that were spilled stay as they are.
pub(in crate::transaction) fn may_merge(batch: &WriteBatch) -> bool {
    !batch.changes.vertices.is_empty() && batch.spilled.is_empty()
}

/// Commits a batch. After a conflict, it is committed again if that was over a vertex which it makes.
pub(in crate::transaction) fn commit(
    mut batch: WriteBatch,
    store: &dyn Store,
    snapshot: Arc<dyn Snapshot>,
) -> Result<Ticket> {
    store.announce(StoreCall::Snapshot)?;
    let newest = store.snapshot()?;
    if snapshot.position() < newest.position() {
        merge(&mut batch.changes, &*newest)?;
    }
    drop((snapshot, newest));
    loop {
        if !may_merge(&batch) {
            return store.commit(batch);
        }
        // The write set had counted room for its columns to grow by as much.
        let again = copy_of(&batch);
        let error = match store.commit(batch) {
            Err(error) if error.kind == ErrorKind::Conflict => error,
            done => return done,
        };
        let Some(conflict) = error.write_conflict.as_deref() else { return Err(error) };
        non_blocking::would_block()?;
        store.watermark().wait(conflict.winner, None)?;
        batch = again;
        // Each time at least one vertex fewer is made, so this ends.
        if !merge(&mut batch.changes, &*store.snapshot()?)? {
            return Err(error);
        }
    }
}

fn copy_of(batch: &WriteBatch) -> WriteBatch {
    WriteBatch {
        snapshot: batch.snapshot,
        catalog_version: batch.catalog_version,
        isolation: batch.isolation,
        unit: batch.unit,
        reads: batch.reads.clone(),
        claims: batch.claims.clone(),
        ticket: batch.ticket,
        origin: batch.origin,
        spilled: Vec::new(),
        changes: batch.changes.clone(),
    }
}

/// Internal ids for vertices of chosen ids: those of the vertices that others made since the snapshot.
pub(in crate::transaction) fn claim(
    transaction: &Transaction,
    ids: &[u64],
    apart: &Bits,
) -> Result<Vec<VertexId>> {
    let store = &transaction.store;
    loop {
        let found = made_by_others(transaction, ids)?;
        let rest: Vec<usize> = (0..ids.len()).filter(|row| found[*row].is_none()).collect();
        let numbers: Vec<u64> = rest.iter().map(|row| ids[*row]).collect();
        let apart: Bits = rest.iter().map(|row| apart.get(*row)).collect();
        let claimed = match transaction.store_of_ids()?.claim_vertices(&numbers, &apart) {
            // Another one was made, and may not be visible yet.
            Err(error) if error.kind == ErrorKind::AlreadyExists => {
                store.announce(StoreCall::Ticket)?;
                let newest = store.take_ticket(&[], None)?.position;
                store.watermark().wait(newest, None)?;
                continue;
            }
            claimed => claimed?,
        };
        let mut claimed = claimed.into_iter();
        let internal_id = |found: Option<VertexId>| found.or_else(|| claimed.next());
        let internal_ids: Option<Vec<VertexId>> = found.into_iter().map(internal_id).collect();
        return internal_ids
            .ok_or_else(|| Error::new(ErrorKind::Bug, "a claim gave fewer ids than were chosen"));
    }
}

/// The vertices that have these ids by now. In the transaction's snapshot there are none of them.
fn made_by_others(transaction: &Transaction, ids: &[u64]) -> Result<Vec<Option<VertexId>>> {
    let store = &transaction.store;
    store.announce(StoreCall::Snapshot)?;
    let newest = store.snapshot()?;
    if newest.position() <= transaction.snapshot.position() {
        return Ok(vec![None; ids.len()]);
    }
    let numbers = || ids.iter().copied().map(VertexId).collect();
    let places = newest.find_external(ids)?.unwrap_or_else(numbers);
    let exist = newest.exist(Elements::Vertices(&places))?;
    let before = transaction.snapshot.exist(Elements::Vertices(&places))?;
    if let Some(row) = exist.ones().find(|row| before.get(*row)) {
        // The snapshot has another vertex with the internal id, which is gone.
        return Err(lost(format!("the internal id of vertex {} was freed by another", ids[row])));
    }
    let place = |(row, place): (usize, VertexId)| exist.get(row).then_some(place);
    Ok(places.into_iter().enumerate().map(place).collect())
}

fn lost(detail: String) -> Error {
    let error = Error::new(ErrorKind::Conflict, detail).in_phase(Phase::Commit);
    error.with_help("run the transaction again")
}

/// Turns new vertices that are there into changes of them, and says whether there were any.
fn merge(changes: &mut Changes, newest: &dyn Snapshot) -> Result<bool> {
    let made: Vec<VertexId> =
        changes.vertices.iter().flat_map(|block| &block.ids).copied().collect();
    let exist = newest.exist(Elements::Vertices(&made))?;
    let there: Vec<VertexId> = exist.ones().map(|row| made[row]).collect();
    if there.is_empty() {
        return Ok(false);
    }
    let labels: FxHashMap<VertexId, Labels> =
        there.iter().copied().zip(newest.labels(&there)?).collect();
    let mut values = Vec::new();
    for block in &mut changes.vertices {
        take_merged(block, &labels, newest, &mut values)?;
    }
    changes.vertices.retain(|block| !block.ids.is_empty());
    for (vertex, wanted) in &changes.labels {
        check_labels(&labels, *vertex, wanted)?;
    }
    changes.labels.retain(|(vertex, _)| !labels.contains_key(vertex));
    // Values that were set after a vertex was made are the last.
    values.append(&mut changes.vertex_properties);
    changes.vertex_properties = values;
    changes.vertex_properties.iter().try_for_each(|block| check_values(&labels, block, newest))?;
    Ok(true)
}

/// Takes the vertices that are there out of a block; their values become changes.
fn take_merged(
    block: &mut VertexBlock,
    there: &FxHashMap<VertexId, Labels>,
    newest: &dyn Snapshot,
    values: &mut Vec<PropertyBlock<VertexId>>,
) -> Result<()> {
    let all = 0..block.ids.len() as u32;
    let (merged, rest): (Vec<u32>, Vec<u32>) =
        all.partition(|row| there.contains_key(&block.ids[*row as usize]));
    if merged.is_empty() {
        return Ok(());
    }
    let owners = pick(&block.ids, &merged);
    owners.iter().try_for_each(|vertex| check_labels(there, *vertex, &block.labels))?;
    let external = block.properties.iter().find(|(key, _)| *key == EXTERNAL_ID_KEY);
    let external = external.map(|(_, column)| column.take(&merged));
    check_external_ids(&owners, external.as_ref(), newest)?;
    for (key, column) in block.properties.iter().filter(|(key, _)| *key != EXTERNAL_ID_KEY) {
        let has_value = |row: &u32| !column.is_absent(*row as usize);
        let rows: Vec<u32> = merged.iter().copied().filter(has_value).collect();
        if !rows.is_empty() {
            let (owners, values_of) = (pick(&block.ids, &rows), column.take(&rows));
            values.push(PropertyBlock { key: *key, owners, values: values_of });
        }
    }
    block.ids = pick(&block.ids, &rest);
    keep_columns(&mut block.properties, &rest);
    Ok(())
}

/// A label is a write of the whole record, so the other transaction must have set it, too.
fn check_labels(
    there: &FxHashMap<VertexId, Labels>,
    vertex: VertexId,
    wanted: &Labels,
) -> Result<()> {
    match there.get(&vertex) {
        Some(labels) if !wanted.iter().all(|label| labels.contains(label)) => {
            Err(lost(format!("another transaction made vertex {vertex}, with other labels")))
        }
        Some(_) | None => Ok(()),
    }
}

/// An internal id may be that of another vertex by now.
fn check_external_ids(
    vertices: &[VertexId],
    own: Option<&Column>,
    newest: &dyn Snapshot,
) -> Result<()> {
    let there = newest.gather(Elements::Vertices(vertices), &[EXTERNAL_ID_KEY])?;
    let own = |row: usize| own.and_then(|column| column.get(row));
    match (0..vertices.len()).find(|row| own(*row) != there[0].get(*row)) {
        None => Ok(()),
        Some(row) => Err(lost(format!("vertex {} has another id by now", vertices[row]))),
    }
}

/// No key that is set here has a value: another transaction set it since.
fn check_values(
    there: &FxHashMap<VertexId, Labels>,
    block: &PropertyBlock<VertexId>,
    newest: &dyn Snapshot,
) -> Result<()> {
    let owners = block.owners.iter().filter(|vertex| there.contains_key(vertex));
    let owners: Vec<VertexId> = owners.copied().collect();
    if owners.is_empty() {
        return Ok(());
    }
    let values = newest.gather(Elements::Vertices(&owners), &[block.key])?;
    match (0..owners.len()).find(|row| !values[0].is_absent(*row)) {
        None => Ok(()),
        Some(row) => {
            Err(lost(format!("another transaction made vertex {}, with this key", owners[row])))
        }
    }
}
