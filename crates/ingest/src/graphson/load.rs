//! The load itself: lines into memory, then all of it to the store as one commit.

use super::emit::emit;
use super::graph::LineGraph;
use super::line::parse_block;
use crate::error::LoadError;
use crate::load::{Meter, Phase, Summary};
use crate::pipeline;
use crate::source::{BlockReader, LineEnds, Source};
use millrace_store::Store;
use std::sync::Arc;

/// Loads all files as one commit.
pub(crate) fn load(
    store: &dyn Store,
    sources: Vec<Source>,
    mut meter: Meter<'_>,
) -> Result<Summary, LoadError> {
    meter.expect_bytes(sources.iter().map(|source| source.bytes));
    let readers = sources
        .into_iter()
        .enumerate()
        .map(|(at, source)| BlockReader::open(source, at, LineEnds::All, meter.packed_bytes()));
    let mut readers = readers.collect::<Result<Vec<_>, _>>()?;
    let snapshot = store.snapshot()?;
    let mut graph = LineGraph::default();
    pipeline::run(
        &mut readers,
        |block| (Arc::clone(&block.file), parse_block(&block)),
        |(file, lines)| {
            let (good, bad) = graph.add(lines, &file, &*snapshot)?;
            meter.rows(good, bad)?;
            let (vertices, edges) = graph.counts();
            meter.found(vertices, edges)
        },
    )?;
    let edges = graph.add_incoming();
    meter.found(graph.counts().0, edges)?;
    meter.enter(Phase::Storing)?;
    let emitted = emit(graph, store, snapshot, &mut meter)?;
    meter.enter(Phase::Finishing)?;
    let position = emitted.sink.finish()?;
    meter.finish(position, emitted.vertices, emitted.edges)
}
