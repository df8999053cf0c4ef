//! Tables to the store: all node tables, then all relationship tables, straight into a bulk load.
//! Only the names stay in memory, because a later row may mention any of them.

use super::apoc;
use super::consume::Consumer;
use super::dialect::CsvOptions;
use super::spaces::KnownSpaces;
use super::table::{TableFiles, Tables};
use crate::error::LoadError;
use crate::progress::{Meter, Summary};
use millrace_store::Store;

/// Loads all tables as one commit.
pub(crate) fn load(
    store: &dyn Store,
    tables: Vec<TableFiles>,
    options: CsvOptions,
    mut meter: Meter<'_>,
) -> Result<Summary, LoadError> {
    let mut tables = Tables::open(tables, options.dialect, &mut meter)?;
    tables.find_spaces(&KnownSpaces::new(store.snapshot()?))?;
    tables.note(&mut meter);
    let Tables { nodes, edges, apoc: of_apoc } = tables;
    if !of_apoc.is_empty() {
        return apoc::load(store, of_apoc, options, meter);
    }
    let mut consumer = Consumer::new(store, options, meter)?;
    for table in nodes {
        consumer.nodes(table)?;
    }
    consumer.all_edges(edges)
}
