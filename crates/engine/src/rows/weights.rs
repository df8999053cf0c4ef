//! Arithmetic on weights: checked, as a wrong count is worse than none.

use std::sync::Arc;

use millrace_model::{Error, ErrorKind, Result};

/// The error of a weight above 64 bits.
pub(crate) fn overflow() -> Error {
    Error::new(ErrorKind::LimitReached, "more than 2^64 equal rows: their count has no room")
        .with_help("limit or deduplicate the rows earlier")
}

/// The weights of rows made of others: `weights[rows[i]] × by[i]`; `None` is all 1.
pub(crate) fn multiply(
    weights: Option<&Arc<Vec<u64>>>,
    rows: &[u32],
    by: Option<&Arc<Vec<u64>>>,
) -> Result<Option<Arc<Vec<u64>>>> {
    let product = match (weights, by) {
        (None, by) => return Ok(by.cloned()),
        (Some(weights), None) => rows.iter().map(|&row| weights[row as usize]).collect(),
        (Some(weights), Some(by)) => rows
            .iter()
            .zip(by.iter())
            .map(|(&row, by)| weights[row as usize].checked_mul(*by).ok_or_else(overflow))
            .collect::<Result<Vec<_>>>()?,
    };
    Ok(Some(Arc::new(product)))
}
