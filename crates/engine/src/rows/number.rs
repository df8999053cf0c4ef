//! Rows by number: whether two are equal, and slices of them.

use millrace_model::Column;
use millrace_store::key_hash::entries_equal;

/// Whether two rows of key columns hold the same values, by the order's equality.
pub(crate) fn row_equals(
    left: &[&Column],
    left_row: usize,
    right: &[&Column],
    right_row: usize,
) -> bool {
    let mut pairs = left.iter().zip(right);
    pairs.all(|(left, right)| entries_equal(left, left_row, right, right_row))
}

/// A row number as batches hold them.
pub(crate) fn row(index: usize) -> u32 {
    u32::try_from(index).expect("a batch has fewer than 2^32 rows")
}

/// So many rows in slices of at most `rows_max`.
pub(crate) fn slices(len: usize, rows_max: usize) -> impl Iterator<Item = Vec<u32>> {
    let slice = move |first: usize| (first as u32..len.min(first + rows_max) as u32).collect();
    (0..len).step_by(rows_max).map(slice)
}
