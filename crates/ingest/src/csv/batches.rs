//! Tables in batches: all nodes, then all relationships, with ends that are found in the graph.

use super::consume::Consumer;
use super::dialect::CsvOptions;
use super::spaces::KnownSpaces;
use super::table::{Table, TableFiles, TableKind, Tables};
use crate::error::LoadError;
use crate::progress::{Batch, Batches, Counts, Meter, quiet};
use crate::source::Block;
use millrace_store::Store;

/// Loads all tables.
pub(crate) fn load_batches(
    batches: &mut Batches<'_, '_>,
    tables: Vec<TableFiles>,
    mut options: CsvOptions,
) -> Result<(), LoadError> {
    if tables.iter().any(|table| table.is_parquet) {
        // Its rows are a line each, and one with a line break in it is refused.
        options.dialect.multiline = false;
    }
    if options.dialect.multiline || options.create_ends {
        let detail = "multi-line fields and created ends cannot be loaded in batches: load the files \
                      as one commit";
        return Err(LoadError::Input(detail.into()));
    }
    let mut tables = Tables::open(tables, options.dialect, &mut batches.meter)?;
    tables.find_spaces(&KnownSpaces::new(batches.store.snapshot()?))?;
    tables.note(&mut batches.meter);
    let Tables { nodes, edges, apoc } = tables;
    if !apoc.is_empty() {
        let detail = "tables of APOC can't be loaded in batches, since their ids stay: load the files as one commit";
        return Err(LoadError::Input(detail.into()));
    }
    for (number, table) in nodes.into_iter().chain(edges).enumerate() {
        let Table { kind, header, readers, .. } = table;
        batches.table(number, readers, &mut |store, lines| {
            make_batch(store, options, lines, &|consumer, lines| match &kind {
                TableKind::Nodes(labels) => consumer.node_blocks(&header, labels, lines),
                TableKind::Relationships(edge_type) => {
                    consumer.edge_blocks(&header, edge_type.as_deref(), lines)
                }
            })
        })?;
    }
    Ok(())
}

/// Has a consumer take the lines.
type Take<'t> = &'t dyn Fn(&mut Consumer<'_, '_>, Vec<Block>) -> Result<(), LoadError>;

fn make_batch<'a>(
    store: &'a dyn Store,
    options: CsvOptions,
    lines: &[Block],
    take: Take<'_>,
) -> Result<Batch<'a>, LoadError> {
    let snapshot = store.snapshot()?;
    let mut quiet = quiet;
    let meter = Meter::of_batch(&mut quiet);
    let mut consumer = Consumer::for_batch(store, options, meter, snapshot.clone())?;
    take(&mut consumer, lines.to_vec())?;
    let (sink, meter, vertices, edges) = consumer.into_batch();
    let (rows, bad) = meter.into_rows();
    let counts = Counts { rows, bad_rows: bad.len() as u64, vertices, edges };
    Ok(Batch { sink, snapshot, counts, bad, has_blanks: false, unknown_types: Default::default() })
}
