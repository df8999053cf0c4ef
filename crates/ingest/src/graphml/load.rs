//! The load itself: documents into memory, then all of it to the store as one commit.

use super::read::read;
use crate::elements::{ElementGraph, Records};
use crate::error::LoadError;
use crate::format::Format;
use crate::progress::{Meter, Summary, open_all};
use crate::source::{LineEnds, Source};
use millrace_store::Store;

/// Loads all files as one commit.
pub(crate) fn load(
    store: &dyn Store,
    sources: Vec<Source>,
    mut meter: Meter<'_>,
) -> Result<Summary, LoadError> {
    let readers = open_all(sources, Format::GraphMl, LineEnds::All, &mut meter)?;
    let snapshot = store.snapshot()?;
    let mut graph = ElementGraph::default();
    for reader in readers {
        let (file, stream) = reader.into_stream();
        let mut take = |records: Records| {
            let (good, bad) = graph.add(records, &file, &*snapshot)?;
            meter.rows(good, bad)?;
            meter.hold(graph.byte_size())?;
            let (vertices, edges) = graph.counts();
            meter.found(vertices, edges)
        };
        let notes = read(&file, stream, &mut take)?;
        notes.into_iter().for_each(|note| meter.note(note));
    }
    graph.finish(store, snapshot, meter)
}
