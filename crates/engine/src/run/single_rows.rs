//! Rows of weight 1 (single rows), which writes need, and plans with merging off.

use millrace_model::{Batch, Error, ErrorKind, Result};

use super::state::Run;

/// A row of weight `w` as `w` single rows.
pub(crate) fn single_rows(batch: &Batch, run: &Run<'_>) -> Result<Batch> {
    let Some(weights) = &batch.weights else { return Ok(batch.clone()) };
    if weights.iter().all(|&weight| weight == 1) {
        return Ok(Batch { weights: None, ..batch.clone() });
    }
    let total = weights.iter().try_fold(0u64, |sum, &weight| sum.checked_add(weight));
    let total = total.filter(|&total| total < u64::from(u32::MAX)).ok_or_else(|| {
        Error::new(ErrorKind::LimitReached, "more than 2^32 rows, each wanted by itself")
    })?;
    run.charge(total * 4)?;
    let rows: Vec<u32> = (0u32..)
        .zip(weights.iter())
        .flat_map(|(row, &weight)| std::iter::repeat_n(row, weight as usize))
        .collect();
    let batch = Batch { weights: None, ..batch.take(&rows) };
    run.context.guard().release(total * 4);
    Ok(batch)
}
