//! Results as they leave the database: values, how many equal ones each stands for, and their elements detached.

mod detached;

use std::sync::Arc;

use millrace_engine::batch_bytes;
use millrace_model::{Batch, DetachedElements, Error, ErrorKind, Profile, Result, Value};
use millrace_plan::language::{Explained, Presented, Script};
use millrace_plan::{Notice, WriteCounts};

use crate::limits::RESULT_BATCH_ROWS;

pub(crate) use detached::DetachPlans;

/// What is known of results before the first of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ResultHead {
    /// The names of the columns; `None`: a row is one value without a name.
    pub columns: Option<Arc<[Arc<str>]>>,
    /// Whether the statement changes nothing, whatever it finds.
    pub only_reads: bool,
    /// Whether it is a command, or calls a procedure of the program: of the schema, as Neo4j names it.
    pub is_administrative: bool,
}

impl ResultHead {
    /// Values of a row.
    pub fn width(&self) -> usize {
        self.columns.as_ref().map_or(1, |columns| columns.len())
    }
}

/// The receiver of results.
pub trait Results {
    /// A run begins. Results of an earlier run that were not sent are void. `streams` says whether results may
    /// be sent before the run has ended.
    fn begin(&mut self, streams: bool);

    /// What is known of the results that follow, in front of them.
    fn take_head(&mut self, _head: &ResultHead) {}

    /// Receives rows: their values, row by row and as many for each as there are columns, the weight of each row, and
    /// the elements in the values.
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

    /// Takes what the last statement tells beside its results, if it tells anything, before its results.
    fn take_notices(&mut self, _notices: &[Notice]) {}

    /// Takes the operators of a plan as text, and as a tree if the language has one, which are wanted in place of
    /// results: by default one value without a name, whatever columns the query has.
    fn take_explanation(&mut self, text: &str, _tree: Option<&Profile>) -> Result<()> {
        self.take_head(&ResultHead { only_reads: true, ..ResultHead::default() });
        self.take(&[Value::from(text)], &[1], &DetachedElements::default())
    }

    /// Whether the rows of a profiled query are wanted, too, in front of the profile.
    fn takes_rows_beside_profile(&self) -> bool {
        false
    }

    /// Takes a profile, which is wanted in place of results, or beside them.
    fn take_profile(&mut self, profile: &Profile) -> Result<()>;
}

/// Bytes that a result holds, for the budget.
pub(crate) fn bytes_of(result: &Presented) -> u64 {
    match result {
        Presented::Rows(rows) => batch_bytes(rows),
        Presented::Values(values) => values.iter().map(Value::byte_size).sum::<usize>() as u64,
        Presented::Profile(_, rows) => rows.as_ref().map_or(0, batch_bytes),
        Presented::Explanation(explained) => explained.text.len() as u64,
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

/// Passes a result with rows of some width to its receiver, batch by batch; `detach` detaches the elements in some
/// values.
pub(crate) fn emit(
    script: &dyn Script,
    (result, width): (Presented, usize),
    (results, pace): (&mut dyn Results, Pace),
    detach: &mut dyn FnMut(&[Value]) -> Result<DetachedElements>,
) -> Result<()> {
    match result {
        Presented::Profile(profile, rows) => {
            if let Some(rows) = rows.filter(|_| results.takes_rows_beside_profile()) {
                emit_rows(&rows, width, &mut |values, weights| {
                    results.take(values, weights, &detach(values)?)
                })?;
            }
            results.take_profile(&profile)
        }
        Presented::Explanation(Explained { text, tree }) => {
            results.take_explanation(&text, tree.as_ref())
        }
        Presented::Values(values) => {
            let values: Vec<Value> =
                values.into_iter().flat_map(|value| script.spread(value)).collect();
            results.take(&values, &vec![1; values.len()], &detach(&values)?)
        }
        Presented::Rows(rows) => emit_rows(&rows, width, &mut |values, weights| {
            results.take(values, weights, &detach(values)?)?;
            if pace == Pace::Waits { results.wait() } else { Ok(()) }
        }),
    }
}

/// Receives the values of rows, and the weight of each row.
type Take<'a> = &'a mut dyn FnMut(&[Value], &[u64]) -> Result<()>;

/// Emits rows in batches. Equal neighbours are one result, whatever the order; rows without columns are none.
fn emit_rows(rows: &Batch, width: usize, take: Take<'_>) -> Result<()> {
    let (mut values, mut weights): (Vec<Value>, Vec<u64>) = Default::default();
    if width == 0 {
        return Ok(());
    }
    for row in 0..rows.len {
        let start = values.len();
        let cell = |place: usize| rows.columns.get(place).and_then(|column| column.get(row));
        values.extend((0..width).map(|place| cell(place).unwrap_or_default()));
        let weight = rows.weight(row);
        let (before, own) = values.split_at(start);
        if let (Some(known), true) = (weights.last_mut(), before.ends_with(own))
            // A sum that overflows stays two results.
            && let Some(sum) = known.checked_add(weight)
        {
            *known = sum;
            values.truncate(start);
            continue;
        }
        if weights.len() == RESULT_BATCH_ROWS {
            let last = values.split_off(start);
            take(&values, &weights)?;
            values = last;
            weights.clear();
        }
        weights.push(weight);
    }
    if weights.is_empty() { Ok(()) } else { take(&values, &weights) }
}

#[cfg(test)]
mod tests {
    use millrace_model::Column;

    use super::*;

    fn emitted(rows: &Batch, width: usize) -> Vec<(Vec<Value>, u64)> {
        let mut found = Vec::new();
        let take = &mut |values: &[Value], weights: &[u64]| {
            assert_eq!(values.len(), width * weights.len());
            let rows = values.chunks(width).map(<[Value]>::to_vec);
            found.extend(rows.zip(weights.iter().copied()));
            Ok(())
        };
        emit_rows(rows, width, take).unwrap();
        found
    }

    #[test]
    fn rows_of_several_columns_are_emitted_row_by_row_and_equal_neighbours_once() {
        let count = 3 * RESULT_BATCH_ROWS as i64;
        let first = Column::from_values((0..count).map(|row| Value::I64(row / 2)));
        let second = Column::from_values((0..count).map(|_| Value::from("x")));
        let rows = emitted(&Batch::of(vec![first, second]), 2);
        assert_eq!(rows.len() as i64, count / 2);
        assert!(rows.iter().all(|(values, weight)| values.len() == 2 && *weight == 2));
        assert_eq!(rows[7], (vec![Value::I64(7), Value::from("x")], 2));
    }

    #[test]
    fn rows_without_columns_are_no_results() {
        let rows = Batch::of(vec![Column::from_values([Value::I64(1)])]);
        emit_rows(&rows, 0, &mut |_, _| panic!("nothing is emitted")).unwrap();
    }
}
