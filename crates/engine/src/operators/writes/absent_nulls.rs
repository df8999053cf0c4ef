//! Entries as writes take them: a property that is null is not there.

use std::sync::Arc;

/// Entries with nulls marked absent: a property that is null is not there.
pub(super) fn null_is_absent(column: &Arc<millrace_model::Column>) -> Arc<millrace_model::Column> {
    let Some(nulls) = &column.nulls else { return column.clone() };
    let mut column = millrace_model::Column::clone(column);
    let absents = column.absents.get_or_insert_default();
    nulls.ones().for_each(|row| {
        absents.insert(row);
    });
    column.nulls = None;
    Arc::new(column)
}
