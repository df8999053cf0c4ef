//! A batch from its committer to its position: the left box of the drawing in [the module](super).

use std::sync::Arc;

use millrace_model::Result;
use millrace_store::WriteBatch;

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
    if !batch.changes.catalog.is_empty() {
        // A change of the catalog is judged by the data there is, so nobody writes meanwhile, and
        // all that was written before is waited for.
        let _alone = open.take_turn(|| graph.declaring.write(), || graph.declaring.try_write());
        graph.check_there()?;
        let last = open.pipeline.sequencer.position();
        if !is_planted(open.folder.disk(), Bug::DeclaredEarly) {
            open.pipeline.progress.wait_visible(last, None)?;
        }
        return submit_judged(open, graph, batch, Declaring::Held);
    }
    if !batch.spilled.is_empty() {
        return submit_judged(open, graph, batch, Declaring::Free);
    }
    let _shared = open.shared_turn(graph);
    graph.check_there()?;
    submit_judged(open, graph, batch, Declaring::Held)
}

fn submit_judged(
    open: &OpenFolder,
    graph: &Arc<Graph>,
    mut batch: WriteBatch,
    declaring: Declaring,
) -> Result<u64> {
    let sequencer = &open.pipeline.sequencer;
    let mut large = None;
    let view = PresentView::new(open, graph);
    let mut prepared = prepare(&view, &sequencer.table, &batch, &mut |part| {
        large.get_or_insert_with(|| Large::new(open, graph)).push(part)
    })?;
    drop(view);
    // What is declared is in what was settled now, numbered.
    batch.changes.catalog = std::mem::take(&mut prepared.settled.catalog);
    let declares = !batch.changes.catalog.is_empty();
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
    large.unwrap_or_else(|| Large::new(open, graph)).finish(batch, prepared, declaring)
}
