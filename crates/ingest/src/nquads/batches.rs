//! N-Quads in batches. A batch is upserted like a whole load: a name of the graph is the same
//! vertex, and a statement that it holds is held once.
//!
//! A blank node has no name in the graph, and yet the next batch must find it. So it gets a name, made
//! of the load's journal and its label, until the load ends.

use super::vocabulary::XID;
use super::{BlockRules, QuadGraph, emit, parse_block};
use crate::error::LoadError;
use crate::format::Format;
use crate::graph::Sink;
use crate::limits::{BATCH_ATTEMPTS_MAX, PART_ROWS};
use crate::progress::{Batch, Batches, Counts, DatatypeCounts, LoadPath, open_all};
use crate::source::{Block, LineEnds, Source};
use millrace_model::{Column, ErrorKind, VertexId};
use millrace_store::{Changes, Elements, PropertyBlock, ScanCursor, Store};
use std::sync::Arc;

/// Loads all files.
pub(crate) fn load_batches(
    batches: &mut Batches<'_, '_>,
    sources: Vec<Source>,
) -> Result<(), LoadError> {
    let readers = open_all(sources, Format::NQuads, LineEnds::All, &mut batches.meter)?;
    let (blanks, treatment) = (batches.journal_blanks(), batches.meter.unknown_types());
    let rules = BlockRules { treatment, ..BlockRules::default() };
    batches.table(0, readers, &mut |store, lines| make_batch(store, lines, &blanks, &rules))
}

fn make_batch<'a>(
    store: &'a dyn Store,
    lines: &[Block],
    blanks: &Arc<str>,
    rules: &BlockRules,
) -> Result<Batch<'a>, LoadError> {
    let mut graph = QuadGraph::naming_blanks(Arc::clone(blanks));
    let (mut rows, mut bad, mut unknown_types) = (0, Vec::new(), DatatypeCounts::default());
    for block in lines {
        let mut parsed = parse_block(block, rules);
        rows += parsed.quads;
        unknown_types.add_all(&parsed.unknown_types);
        bad.append(&mut parsed.bad);
        graph.add(parsed);
    }
    let has_blanks = graph.has_blanks();
    let emitted = emit(graph, store, LoadPath::Transaction, &mut |_, _| Ok(()))?;
    let (vertices, edges) = (emitted.vertices, emitted.edges);
    let counts = Counts { rows, bad_rows: bad.len() as u64, vertices, edges };
    Ok(Batch {
        sink: emitted.sink,
        snapshot: emitted.snapshot,
        counts,
        bad,
        has_blanks,
        unknown_types,
    })
}

/// Takes the names of blank nodes away again.
pub(crate) fn forget_blank_names(blanks: &str, store: &dyn Store) -> Result<(), LoadError> {
    let mut cursor = ScanCursor::default();
    let mut attempts = 0;
    while !cursor.finished {
        let before = cursor;
        match forget_some(blanks, store, &mut cursor) {
            Err(LoadError::Store(error))
                if error.kind == ErrorKind::Conflict && attempts < BATCH_ATTEMPTS_MAX =>
            {
                (cursor, attempts) = (before, attempts + 1);
            }
            done => done?,
        }
    }
    Ok(())
}

fn forget_some(blanks: &str, store: &dyn Store, cursor: &mut ScanCursor) -> Result<(), LoadError> {
    let snapshot = store.snapshot()?;
    let Some(xid) = snapshot.catalog().key(XID) else {
        cursor.finished = true;
        return Ok(());
    };
    let mut vertices = Vec::new();
    snapshot.scan_vertices(None, cursor, PART_ROWS, &mut vertices)?;
    let names = snapshot.gather(Elements::Vertices(&vertices), &[xid])?.remove(0);
    let is_blank = |row: usize| match names.get(row) {
        Some(millrace_model::Value::String(name)) => name.starts_with(blanks),
        _ => false,
    };
    let rows = vertices.iter().enumerate().filter(|(row, _)| is_blank(*row));
    let owners: Vec<VertexId> = rows.map(|(_, vertex)| *vertex).collect();
    if owners.is_empty() {
        return Ok(());
    }
    let mut values = Column::default();
    owners.iter().for_each(|_| values.push_absent());
    let block = PropertyBlock { key: xid, owners, values };
    let mut sink = Sink::transaction(store, Some(snapshot));
    sink.push(Changes { vertex_properties: vec![block], ..Changes::default() })?;
    sink.finish()?;
    Ok(())
}
