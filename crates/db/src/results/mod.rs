//! Results as they leave the database: values, how many equal ones each stands for, and their elements detached.

mod detached;

use millrace_engine::batch_bytes;
use millrace_model::{Batch, DetachedElements, Error, ErrorKind, Profile, Result, Value};
use millrace_plan::WriteCounts;
use millrace_plan::language::{Presented, Script};

use crate::limits::RESULT_BATCH_ROWS;

pub(crate) use detached::DetachPlans;

/// The receiver of results.
pub trait Results {
    /// A run begins. Results of an earlier run that were not sent are void. `streams` says whether results may
    /// be sent before the run has ended.
    fn begin(&mut self, streams: bool);

    /// Receives results: values, the weight of each, and the elements in them.
    fn take(
        &mut self,
        values: &[Value],
        weights: &[u64],
        elements: &DetachedElements,
    ) -> Result<()>;

    /// Waits, where results are streamed, until the client has read enough of the earlier ones.
    fn wait(&mut self) -> Result<()> {
        Ok(())
    }

    /// Takes an answer that its language wrote as JSON.
    fn take_json(&mut self, _answer: &str) -> Result<()> {
        Err(Error::new(ErrorKind::Bug, "an answer in JSON has a receiver that takes values only"))
    }

    /// Takes what the last statement changed, if it changed anything, before its results.
    fn take_write_counts(&mut self, _counts: &WriteCounts) {}

    /// Takes a profile, which is wanted in place of results.
    fn take_profile(&mut self, profile: &Profile) -> Result<()>;
}

/// Bytes that a result holds, for the budget.
pub(crate) fn bytes_of(result: &Presented) -> u64 {
    match result {
        Presented::Rows(rows) => batch_bytes(rows),
        Presented::Values(values) => values.iter().map(Value::byte_size).sum::<usize>() as u64,
        Presented::Profile(_) => 0,
    }
}

/// Flow control between two batches of one result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pace {
    /// The caller waits for its client between pieces.
    Free,
    /// The thread waits until the client has taken enough.
    Waits,
}

/// Passes a result to its receiver, batch by batch; `detach` detaches the elements in some values.
pub(crate) fn emit(
    script: &dyn Script,
    result: Presented,
    (results, pace): (&mut dyn Results, Pace),
    detach: &mut dyn FnMut(&[Value]) -> Result<DetachedElements>,
) -> Result<()> {
    match result {
        Presented::Profile(profile) => results.take_profile(&profile),
        Presented::Values(values) => {
            let values: Vec<Value> =
                values.into_iter().flat_map(|value| script.spread(value)).collect();
            results.take(&values, &vec![1; values.len()], &detach(&values)?)
        }
        Presented::Rows(rows) => emit_rows(&rows, &mut |values, weights| {
            results.take(values, weights, &detach(values)?)?;
            if pace == Pace::Waits { results.wait() } else { Ok(()) }
        }),
    }
}

/// Receives values, and the weight of each.
type Take<'a> = &'a mut dyn FnMut(&[Value], &[u64]) -> Result<()>;

/// Emits the rows of one column in batches. Equal neighbours are one result, whatever the order.
fn emit_rows(rows: &Batch, take: Take<'_>) -> Result<()> {
    let (mut values, mut weights): (Vec<Value>, Vec<u64>) = Default::default();
    for row in 0..rows.len {
        let value = rows.columns.first().and_then(|column| column.get(row)).unwrap_or_default();
        let weight = rows.weight(row);
        if let (Some(own), true) = (weights.last_mut(), values.last() == Some(&value))
            // A sum that overflows stays two results.
            && let Some(sum) = own.checked_add(weight)
        {
            *own = sum;
            continue;
        }
        if values.len() == RESULT_BATCH_ROWS {
            take(&values, &weights)?;
            values.clear();
            weights.clear();
        }
        values.push(value);
        weights.push(weight);
    }
    if values.is_empty() { Ok(()) } else { take(&values, &weights) }
}
