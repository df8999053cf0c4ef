//! A batch from its committer to its position: the left box of the drawing in [the module](super).

use std::sync::Arc;

use millrace_model::{Owner, Result};
use millrace_store::{Changes, WriteBatch};

use super::declaration::Declaration;
use super::frame::{Effect, Record};
use super::large;
use super::prepare::{Prepared, prepare};
use super::sequencer::Submission;
use crate::graph::Graph;
use crate::open::OpenFolder;

/// Commits a batch that writes or claims something, and gives its position.
pub(crate) fn submit(open: &Arc<OpenFolder>, graph: &Arc<Graph>, batch: WriteBatch) -> Result<u64> {
    open.admit(0)?;
    let (batch, parts) = read_parts(batch)?;
    if parts.iter().any(|part| !part.catalog.is_empty()) {
        let mut declaration = Declaration::begin(open, graph, batch, parts)?;
        loop {
            if let Some(position) = declaration.step()? {
                return Ok(position);
            }
        }
    }
    let is_large = 1 < parts.len();
    let _undeclared = is_large.then(|| graph.declaring.shared(open.threaded)).transpose()?;
    let _stays = graph.dropping.read();
    graph.check_there()?;
    submit_parts(open, graph, &batch, parts, &[])
}

/// The batch and its parts, those spilled first.
pub(crate) fn read_parts(mut batch: WriteBatch) -> Result<(WriteBatch, Vec<Changes>)> {
    let mut parts = Vec::with_capacity(batch.spilled.len() + 1);
    for spilled in &batch.spilled {
        parts.push(spilled.read()?);
    }
    parts.push(std::mem::take(&mut batch.changes));
    Ok((batch, parts))
}

/// Judges and orders a batch. Whoever declares names the owners.
pub(crate) fn submit_parts(
    open: &OpenFolder,
    graph: &Arc<Graph>,
    batch: &WriteBatch,
    parts: Vec<Changes>,
    declared: &[Owner],
) -> Result<u64> {
    let prepared = {
        let pin = open.pin();
        prepare(&pin.view(graph), &open.pipeline.sequencer.table, batch, parts, declared)?
    };
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
