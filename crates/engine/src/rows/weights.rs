//! Arithmetic on weights: a row stands for at most 2^64 - 1 equal ones, and no count is ever wrong.
//!
//! Merged rows usually become one row, but not always. Where the sum of their weights exceeds 64 bits,
//! they stay several rows, side by side: the rows of a plan are a multiset, in which two equal rows of
//! weights a and b mean the same as one of a + b. A caller that wants one number for all of them adds
//! them up in a [`Tally`](super::Tally).

use millrace_model::{Batch, Error, ErrorKind, Result};

use super::batch_bytes;
use crate::context::Guard;

/// The error of a number of equal edges above 64 bits.
pub(crate) fn overflow() -> Error {
    Error::new(ErrorKind::LimitReached, "more than 2^64 equal rows: their count has no room")
        .with_help("limit or deduplicate the rows earlier")
}

/// Rows that stand for others: where each comes from, and its weight.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Weighed {
    /// The place of each row, ascending; `None`: each place has one row.
    pub(crate) places: Option<Vec<u32>>,
    pub(crate) weights: Vec<u64>,
}

impl Weighed {
    /// Rows for these counts, as few as they fit in. There may be far more than are held now, so
    /// the budget is asked first.
    pub(crate) fn of(
        counts: impl ExactSizeIterator<Item = u128> + Clone,
        row_bytes: u64,
        guard: &Guard,
    ) -> Result<Weighed> {
        if counts.clone().all(|count| count <= FULL) {
            return Ok(Weighed {
                places: None,
                weights: counts.map(|count| count as u64).collect(),
            });
        }
        let rows = counts.clone().map(rows_of).fold(0, u128::saturating_add);
        room(rows, row_bytes, guard)?;
        let (mut places, mut weights) = (Vec::new(), Vec::new());
        for (place, count) in (0u32..).zip(counts) {
            let (full, rest) = (count / FULL, (count % FULL) as u64);
            places.resize(places.len() + full as usize, place);
            weights.resize(weights.len() + full as usize, u64::MAX);
            if rest != 0 || count == 0 {
                places.push(place);
                weights.push(rest);
            }
        }
        Ok(Weighed { places: Some(places), weights })
    }

    /// The value at the place of each row.
    pub(crate) fn pick<T: Copy>(&self, at_places: Vec<T>) -> Vec<T> {
        match &self.places {
            Some(places) => places.iter().map(|&place| at_places[place as usize]).collect(),
            None => at_places,
        }
    }
}

const FULL: u128 = u64::MAX as u128;

/// How many rows stand for so many; one of weight 0 for none, as a place has a row.
fn rows_of(count: u128) -> u128 {
    count.div_ceil(FULL).max(1)
}

/// Fails where so many rows do not fit the budget, and says why there are so many.
fn room(rows: u128, row_bytes: u64, guard: &Guard) -> Result<()> {
    let help = || {
        format!(
            "a row stands for 2^64 equal ones at most, and {rows} such rows are wanted: \
             go fewer rounds, or deduplicate or limit the rows earlier"
        )
    };
    if u128::from(u32::MAX) <= rows {
        let detail = "more than 2^32 rows in one batch";
        return Err(Error::new(ErrorKind::LimitReached, detail).with_help(help()));
    }
    let bytes = (rows as u64).saturating_mul(row_bytes);
    guard.require_room(bytes).map_err(|error| error.with_help(help()))
}

/// The rows, each `by` times as often as it was; `None` is once.
pub(crate) fn multiplied(batch: Batch, by: Option<&[u64]>, guard: &Guard) -> Result<Batch> {
    let Some(by) = by else { return Ok(batch) };
    debug_assert_eq!(batch.len, by.len());
    let product = |row: usize| u128::from(batch.weight(row)) * u128::from(by[row]);
    let row_bytes = batch_bytes(&batch).div_ceil(batch.len.max(1) as u64) + 8;
    let weighed = Weighed::of((0..batch.len).map(product), row_bytes, guard)?;
    let batch = match &weighed.places {
        Some(places) => batch.take(places),
        None => batch,
    };
    Ok(Batch { weights: Some(weighed.weights.into()), ..batch })
}
