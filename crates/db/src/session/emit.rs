//! Emits results: values, how many equal ones each stands for, and their elements detached.

use millrace_engine::batch_bytes;
use millrace_model::{Batch, DetachedElements, Result, Value};
use millrace_plan::language::{Explained, Presented, Script};

use crate::limits::RESULT_BATCH_ROWS;
use crate::request::Results;

/// Bytes that a result holds, for the budget.
pub(super) fn bytes_of(result: &Presented) -> u64 {
    match result {
        Presented::Rows(rows) => batch_bytes(rows),
        Presented::Values(values) => values.iter().map(Value::byte_size).sum::<usize>() as u64,
        Presented::Profile(_, rows) => rows.as_ref().map_or(0, batch_bytes),
        Presented::Explanation(explained) => explained.text.len() as u64,
    }
}

/// Flow control between two batches of one result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pace {
    /// The caller waits for its client between pieces.
    Free,
    /// The thread waits until the client has taken enough.
    Waits,
}

/// Passes a result with rows of some width to its receiver, batch by batch; `detach` detaches the elements in some
/// values.
pub(super) fn emit(
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
