//! Rows of several scopes, scope by scope.

use millrace_model::Batch;

/// Rows in order of their ordinals, otherwise as they were.
pub(crate) fn by_ordinal(batch: Batch) -> Batch {
    let Some(ordinals) = &batch.ordinals else { return batch };
    if ordinals.is_sorted() {
        return batch;
    }
    let mut rows: Vec<u32> = (0..batch.len as u32).collect();
    rows.sort_by_key(|&row| ordinals[row as usize]);
    batch.take(&rows)
}
