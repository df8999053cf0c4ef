//! A batch from its committer to its position: the left box of the drawing in [the module](super).

use std::sync::Arc;

use millrace_model::{CatalogChange, Result};
use millrace_store::{Isolation, WriteBatch};
use parking_lot::RwLockReadGuard;

use super::conflict::{Footprint, Mark};
use super::frame::{Effect, Record};
use super::large::{Declaring, Large};
use super::limits::PAYLOAD_BYTES;
use super::physical::{Physical, encode};
use super::prepare::{Prepared, Settled, prepare};
use super::sequencer::Submission;
use crate::graph::Graph;
use crate::io::{Bug, is_planted};
use crate::open::OpenFolder;
use crate::view::PresentView;

/// Commits a batch that writes or claims something, and gives its position.
pub(crate) fn submit(open: &OpenFolder, graph: &Arc<Graph>, batch: WriteBatch) -> Result<u64> {
    open.admit()?;
    // Notes judge no data, so they hold back nobody.
    if !batch.changes.catalog.iter().all(CatalogChange::is_note) {
        // A change of the catalog is judged by the data there is, so nobody writes meanwhile, and
        // all that was written before is waited for.
        let _alone = open.take_turn(|| graph.declaring.write(), || graph.declaring.try_write());
        graph.check_there()?;
        let last = open.pipeline.sequencer.position();
        if !is_planted(open.folder.disk(), Bug::DeclaredEarly) {
            open.pipeline.progress.wait_visible(last, None)?;
        }
        let changes = batch.changes.catalog.clone();
        let position = submit_judged(open, graph, batch, None)?;
        graph.note_demand(position, &changes);
        return Ok(position);
    }
    // What was spilled takes long to judge, so it holds nobody back meanwhile.
    let shared = batch.spilled.is_empty().then(|| open.shared_turn(graph));
    graph.check_there()?;
    submit_judged(open, graph, batch, shared)
}

fn submit_judged(
    open: &OpenFolder,
    graph: &Arc<Graph>,
    mut batch: WriteBatch,
    mut shared: Option<RwLockReadGuard<'_, ()>>,
) -> Result<u64> {
    let sequencer = &open.pipeline.sequencer;
    let mut large = None;
    let view = PresentView::new(open, graph);
    let mut prepared = prepare(&view, &sequencer.table, &batch, &mut |part| {
        large.get_or_insert_with(|| Large::new(open, graph)).push(part)
    })?;
    drop(view);
    pass_turns(open, graph, &batch, &mut prepared.footprint, shared.as_mut())?;
    // What is declared is in what was settled now, numbered.
    batch.changes.catalog = std::mem::take(&mut prepared.settled.catalog);
    let declares = !batch.changes.catalog.is_empty();
    let is_alone = !batch.changes.catalog.iter().all(CatalogChange::is_note);
    if batch.spilled.is_empty() {
        let mut payload = Vec::with_capacity(PAYLOAD_BYTES);
        let Settled { index_added, index_removed, .. } = &prepared.settled;
        encode(&mut payload, &batch.changes, [index_added, index_removed])?;
        if payload.len() <= open.options.large_commit_bytes {
            let Prepared { settled, footprint, .. } = prepared;
            let Settled { index_added, index_removed, .. } = settled;
            let snapshot = batch.snapshot.0;
            let physical = || Physical { changes: batch.changes, index_added, index_removed };
            let record = match declares {
                true => Record::new(graph, Effect::Changes(physical()))?,
                false => Record::of_commit(graph, payload, physical),
            };
            return sequencer.sequence(Submission { record, footprint, snapshot });
        }
    }
    // Nobody waits for a large commit's turn with the declarations held back for less than itself.
    drop(shared);
    let declaring = if is_alone { Declaring::Held } else { Declaring::Free };
    if !is_alone {
        check_demand(graph, &batch, &mut prepared.footprint);
    }
    large.unwrap_or_else(|| Large::new(open, graph)).finish(batch, prepared, declaring)
}

/// Waits until nobody else has the turn for what the commit changes. Meanwhile the catalog may
/// change, for whoever has the turn may want that.
fn pass_turns(
    open: &OpenFolder,
    graph: &Graph,
    batch: &WriteBatch,
    footprint: &mut Footprint,
    shared: Option<&mut RwLockReadGuard<'_, ()>>,
) -> Result<()> {
    let turns = &open.pipeline.sequencer.table.turns;
    if !turns.any() {
        return Ok(());
    }
    let pass = || turns.pass(batch.turn, open.threaded, &footprint.set_keys());
    match shared {
        Some(shared) => RwLockReadGuard::unlocked(shared, pass)?,
        None => pass()?,
    }
    check_demand(graph, batch, footprint);
    graph.check_there()
}

/// A demand that comes after the batch was judged makes it lose.
fn check_demand(graph: &Graph, batch: &WriteBatch, footprint: &mut Footprint) {
    if batch.isolation != Isolation::Serializable {
        footprint.check(Mark::Demanded.key(graph.id));
    }
}
