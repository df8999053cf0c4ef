//! Paths on their way out of a run: values in place of steps.

use std::sync::Arc;

use millrace_model::{Bags, Batch, Column, Entries};

/// The batch with its paths as values, those in bags too: steps end with their run.
pub(crate) fn paths_as_values(batch: Batch) -> Batch {
    if !batch.columns.iter().any(|column| has_paths(column)) {
        return batch;
    }
    let columns = batch.columns.iter().map(as_values).collect();
    Batch { columns, ..batch }
}

fn has_paths(column: &Column) -> bool {
    match &column.entries {
        Entries::Path(_) => true,
        Entries::Bag(bags) => bags.rows.columns.iter().any(|column| has_paths(column)),
        _ => false,
    }
}

fn as_values(column: &Arc<Column>) -> Arc<Column> {
    let entries = match &column.entries {
        Entries::Path(paths) => {
            Entries::Value((0..paths.last.len()).map(|row| column.entries.value(row)).collect())
        }
        Entries::Bag(bags) => {
            let rows = Arc::new(paths_as_values((*bags.rows).clone()));
            Entries::Bag(Bags { views: bags.views.clone(), rows })
        }
        _ => return column.clone(),
    };
    Arc::new(Column { entries, nulls: column.nulls.clone(), absents: column.absents.clone() })
}
