//! The load itself: lines into memory, then all of it to the store as one commit.

use super::line::parse_block;
use crate::elements::ElementGraph;
use crate::error::LoadError;
use crate::format::Format;
use crate::progress::{Meter, Summary, open_all};
use crate::source::{LineEnds, Parsing, Source, run};
use millrace_store::Store;
use std::sync::Arc;

/// Loads all files as one commit.
pub(crate) fn load(
    store: &dyn Store,
    sources: Vec<Source>,
    mut meter: Meter<'_>,
) -> Result<Summary, LoadError> {
    let mut readers = open_all(sources, Format::GraphSon, LineEnds::All, &mut meter)?;
    let snapshot = store.snapshot()?;
    let mut graph = ElementGraph::default();
    run(
        &mut readers,
        &Parsing::of(&store.memory()),
        |block| (Arc::clone(&block.file), parse_block(&block)),
        |(file, lines)| {
            let (good, bad) = graph.add(lines, &file, &*snapshot)?;
            meter.rows(good, bad)?;
            meter.hold(graph.byte_size())?;
            let (vertices, edges) = graph.counts();
            meter.found(vertices, edges)
        },
    )?;
    graph.finish(store, snapshot, meter)
}
