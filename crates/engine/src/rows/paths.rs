//! Paths on their way out of a run: values in place of steps.

use std::sync::Arc;

use millrace_model::{Bags, Batch, Column, ColumnValues};

/// The batch with its paths as values, those in bags too: steps end with their run.
pub(crate) fn paths_as_values(batch: Batch) -> Batch {
    if !batch.columns.iter().any(|column| has_paths(column)) {
        return batch;
    }
    let columns = batch.columns.iter().map(as_values).collect();
    Batch { columns, ..batch }
}

fn has_paths(column: &Column) -> bool {
    match &column.values {
        ColumnValues::Path(_) => true,
        ColumnValues::Bag(bags) => bags.rows.columns.iter().any(|column| has_paths(column)),
        _ => false,
    }
}

fn as_values(column: &Arc<Column>) -> Arc<Column> {
    let values = match &column.values {
        ColumnValues::Path(paths) => {
            ColumnValues::Value((0..paths.last.len()).map(|row| column.values.value(row)).collect())
        }
        ColumnValues::Bag(bags) => {
            let rows = Arc::new(paths_as_values((*bags.rows).clone()));
            ColumnValues::Bag(Bags { views: bags.views.clone(), rows })
        }
        _ => return column.clone(),
    };
    Arc::new(Column { values, nulls: column.nulls.clone(), absents: column.absents.clone() })
}
