//! A batch from its committer to its position: the left box of the drawing in [the module](super).

use std::sync::Arc;

use millrace_model::{CatalogChange, Result};
use millrace_store::{Changes, WriteBatch};
use parking_lot::RwLockReadGuard;

use super::frame::{Effect, Record};
use super::large;
use super::prepare::{Prepared, prepare};
use super::sequencer::Submission;
use crate::graph::Graph;
use crate::open::OpenFolder;

/// Commits a batch that writes or claims something, and gives its position.
pub(crate) fn submit(open: &OpenFolder, graph: &Arc<Graph>, mut batch: WriteBatch) -> Result<u64> {
    open.admit(0)?;
    let mut parts = Vec::with_capacity(batch.spilled.len() + 1);
    for spilled in &batch.spilled {
        parts.push(spilled.read()?);
    }
    parts.push(std::mem::take(&mut batch.changes));
    if parts.iter().all(|part| part.catalog.is_empty()) {
        let mut shared = graph.declaring.read();
        graph.check_there()?;
        return submit_parts(open, graph, &batch, parts, |wait| {
            // Whoever has the turn may want to change the catalog.
            RwLockReadGuard::unlocked(&mut shared, wait)
        });
    }
    // A change of the catalog is judged by the data there is, so nobody writes meanwhile, and all
    // that was written before is waited for.
    let _alone = graph.declaring.write();
    graph.check_there()?;
    let last = open.pipeline.sequencer.position();
    open.pipeline.progress.wait_visible(last, None)?;
    let changes: Vec<CatalogChange> = parts.iter().flat_map(|part| part.catalog.clone()).collect();
    let position = submit_parts(open, graph, &batch, parts, |wait| wait())?;
    graph.note_demand(position, &changes);
    Ok(position)
}

type Wait<'w> = &'w mut dyn FnMut() -> Result<()>;

fn submit_parts(
    open: &OpenFolder,
    graph: &Arc<Graph>,
    batch: &WriteBatch,
    parts: Vec<Changes>,
    unlocked: impl FnOnce(Wait<'_>) -> Result<()>,
) -> Result<u64> {
    let prepared = {
        let pin = open.pin();
        prepare(&pin.view(graph), &open.pipeline.sequencer.table, batch, parts)?
    };
    let turns = &open.pipeline.sequencer.table.turns;
    if turns.any() {
        let keys = prepared.footprint.set_keys();
        unlocked(&mut || turns.pass(batch.turn, open.threaded, &keys))?;
        graph.check_there()?;
    }
    let snapshot = batch.snapshot.0;
    let Prepared { mut parts, footprint } = prepared;
    if parts.len() == 1 {
        let physical = parts.pop().expect("there is one");
        let record = Record::new(graph, Effect::Changes(physical))?;
        if record.payload.len() <= open.options.large_commit_bytes {
            return open.pipeline.sequencer.sequence(Submission { record, footprint, snapshot });
        }
        if let Effect::Changes(physical) = record.effect {
            parts.push(physical);
        }
    }
    large::submit(open, graph, Prepared { parts, footprint }, snapshot)
}
