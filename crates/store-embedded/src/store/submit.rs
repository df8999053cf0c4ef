//! A batch from its committer to its position: the left box of the drawing in [`commit`](crate::commit).

use std::sync::Arc;

use millrace_model::schema::IndexDefinition;
use millrace_model::{CatalogChange, IndexId, Owner, Result};
use millrace_store::{Isolation, WriteBatch, non_blocking};
use parking_lot::RwLockReadGuard;

use super::out_of_line::OutOfLine;
use super::schema_change::SchemaChange;
use crate::base::commit_limits::PAYLOAD_BYTES;
use crate::checkpoint::OpenFolder;
use crate::commit::prepare::{Prepared, prepare};
use crate::commit::{
    Effect, Footprint, Mark, Physical, PresentView, Purpose, Record, Submission, encode,
};
use crate::graph::Graph;

/// Commits a batch that writes or claims something, and gives its position.
pub(crate) fn submit(open: &Arc<OpenFolder>, graph: &Arc<Graph>, batch: WriteBatch) -> Result<u64> {
    open.admit()?;
    // Notes judge no data, so they are no schema change.
    if !batch.changes.catalog.iter().all(CatalogChange::is_note) {
        non_blocking::would_block()?;
        let changes = batch.changes.catalog.clone();
        let mut change = SchemaChange::begin(open, graph, batch)?;
        loop {
            if let Some(position) = change.step()? {
                graph.note_demand(position, &changes);
                return Ok(position);
            }
        }
    }
    // A spilled batch takes long to judge, so it holds back only schema changes.
    let is_large = !batch.spilled.is_empty();
    if is_large {
        non_blocking::would_block()?;
    }
    let _schema = is_large.then(|| open.lock_schema_shared(graph));
    let shared = if is_large { None } else { Some(shared(open, graph)?) };
    graph.check_there()?;
    submit_judged(open, graph, batch, &[], shared)
}

/// Leave to write in a graph; a thread that must not block waits for no schema change.
fn shared<'g>(open: &OpenFolder, graph: &'g Graph) -> Result<RwLockReadGuard<'g, ()>> {
    if let Some(shared) = graph.dropping.try_read() {
        return Ok(shared);
    }
    non_blocking::would_block()?;
    Ok(open.lock_shared(graph))
}

/// Judges and orders a batch. A schema change names its owners.
pub(super) fn submit_judged(
    open: &OpenFolder,
    graph: &Arc<Graph>,
    mut batch: WriteBatch,
    defined: &[Owner],
    mut shared: Option<RwLockReadGuard<'_, ()>>,
) -> Result<u64> {
    let sequencer = &open.pipeline.sequencer;
    let mut large = None;
    let view = PresentView::new(&open.pipeline, graph);
    let mut prepared = prepare(&view, &sequencer.table, &batch, defined, &mut |part| {
        large.get_or_insert_with(|| OutOfLine::new(open, graph)).push(part)
    })?;
    drop(view);
    pass_queue(open, graph, &batch, &mut prepared.footprint, shared.as_mut())?;
    let defines = !batch.changes.catalog.is_empty();
    let is_exclusive = needs_graph_alone(graph, &batch.changes.catalog);
    let is_alone = !batch.changes.catalog.iter().all(CatalogChange::is_note);
    if batch.spilled.is_empty() {
        let mut payload = Vec::with_capacity(PAYLOAD_BYTES);
        let index_delta = &prepared.index_delta;
        let hashed = [index_delta.index_added.as_slice(), &index_delta.index_removed];
        let ordered = [index_delta.ordered_added.as_slice(), &index_delta.ordered_removed];
        encode(&mut payload, &batch.changes, hashed, ordered, batch.origin)?;
        if payload.len() <= open.options.out_of_line_bytes_min {
            let Prepared { index_delta, footprint } = prepared;
            let snapshot = batch.snapshot.0;
            let origin = batch.origin;
            let changes = &mut batch.changes;
            let physical = || Physical { origin, ..index_delta.of(std::mem::take(changes)) };
            let record = match defines {
                true => Record::new(graph, Effect::Changes(physical()))?,
                false => Record::of_commit(graph, payload, physical),
            };
            return open.sequence(Submission { record, footprint, snapshot }, Purpose::Change);
        }
    }
    non_blocking::would_block()?;
    // A drop of the graph does not wait while an out-of-line commit queues.
    drop(shared);
    if !is_alone {
        check_demand(graph, &batch, &mut prepared.footprint);
    }
    large.unwrap_or_else(|| OutOfLine::new(open, graph)).finish(batch, prepared, is_exclusive)
}

/// Whether no other commit may write during this schema change: it is judged by all there is.
pub(super) fn needs_graph_alone(graph: &Graph, changes: &[CatalogChange]) -> bool {
    let catalog = graph.catalog.newest();
    let is_of_edge_ids = |id: &IndexId| {
        catalog.maintained_index(*id).is_some_and(IndexDefinition::is_of_external_edge_ids)
    };
    changes.iter().any(|change| match change {
        CatalogChange::CreateSet(_) => true,
        CatalogChange::FinishIndex(id) => is_of_edge_ids(id),
        _ => false,
    })
}

/// Waits until no other transaction holds a ticket for a key that the commit changes. Meanwhile the
/// catalog may change, since the holder may want that.
fn pass_queue(
    open: &OpenFolder,
    graph: &Graph,
    batch: &WriteBatch,
    footprint: &mut Footprint,
    shared: Option<&mut RwLockReadGuard<'_, ()>>,
) -> Result<()> {
    let queue = &open.pipeline.sequencer.table.queue;
    if !queue.any() {
        return Ok(());
    }
    non_blocking::would_block()?;
    let pass = || queue.pass(batch.ticket, open.threaded, &footprint.set_keys());
    match shared {
        Some(shared) => RwLockReadGuard::unlocked(shared, pass)?,
        None => pass()?,
    }
    check_demand(graph, batch, footprint);
    if batch.changes.catalog.iter().all(CatalogChange::is_note) {
        check_edge_ids(graph, footprint);
    }
    graph.check_there()
}

/// The first chosen id of an edge, if a client chose it after the batch was judged, makes the batch
/// lose: its footprint has no marks for the numbers that its edges are shown under.
fn check_edge_ids(graph: &Graph, footprint: &mut Footprint) {
    footprint.check(Mark::Schema(Owner::AllEdges).key(graph.id));
}

/// A demand that comes after the batch was judged makes it lose.
fn check_demand(graph: &Graph, batch: &WriteBatch, footprint: &mut Footprint) {
    if batch.isolation != Isolation::Serializable {
        footprint.check(Mark::Demanded.key(graph.id));
    }
}
