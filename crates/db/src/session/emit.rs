//! Emits results: values, how many equal ones each stands for, and their elements detached.

use millrace_engine::batch_bytes;
use millrace_model::{Batch, Column, ColumnValues, DetachedElements, Result, Value};
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
        Presented::Json(answer) => answer.len() as u64,
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
        Presented::Json(answer) => results.take_json(&answer),
        Presented::Values(values) => {
            let values: Vec<Value> =
                values.into_iter().flat_map(|value| script.spread(value)).collect();
            results.take(&values, &vec![1; values.len()], &detach(&values)?)
        }
        Presented::Rows(rows) if results.takes_columns() && is_plain(&rows, width) => {
            emit_columns(&rows, &mut |taken, weights| {
                results.take_columns(&rows, taken, weights)?;
                if pace == Pace::Waits { results.wait() } else { Ok(()) }
            })
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

/// Whether rows are columns of booleans, numbers and texts.
fn is_plain(rows: &Batch, width: usize) -> bool {
    let is_plain = |values: &ColumnValues| {
        matches!(
            values,
            ColumnValues::Bool(_)
                | ColumnValues::I64(_)
                | ColumnValues::F64(_)
                | ColumnValues::String(_)
        )
    };
    0 < width && rows.columns.len() == width && rows.columns.iter().all(|own| is_plain(&own.values))
}

/// Receives the numbers of rows, and the weight of each.
type TakeRows<'a> = &'a mut dyn FnMut(&[u32], &[u64]) -> Result<()>;

/// The same as [`emit_rows`], by the numbers of rows.
fn emit_columns(rows: &Batch, take: TakeRows<'_>) -> Result<()> {
    let (mut taken, mut weights): (Vec<u32>, Vec<u64>) = Default::default();
    for row in 0..rows.len {
        let weight = rows.weight(row);
        if let (Some(known), Some(before)) = (weights.last_mut(), taken.last())
            && rows.columns.iter().all(|column| is_same(column, *before as usize, row))
            // A sum that overflows stays two results.
            && let Some(sum) = known.checked_add(weight)
        {
            *known = sum;
            continue;
        }
        if weights.len() == RESULT_BATCH_ROWS {
            take(&taken, &weights)?;
            taken.clear();
            weights.clear();
        }
        taken.push(row as u32);
        weights.push(weight);
    }
    if weights.is_empty() { Ok(()) } else { take(&taken, &weights) }
}

/// Whether two entries of a plain column are the same result: null and absent are.
fn is_same(column: &Column, left: usize, right: usize) -> bool {
    let is_missing = |row| column.is_null(row) || column.is_absent(row);
    if is_missing(left) || is_missing(right) {
        return is_missing(left) && is_missing(right);
    }
    match &column.values {
        ColumnValues::Bool(bits) => bits[left] == bits[right],
        ColumnValues::I64(ints) => ints[left] == ints[right],
        ColumnValues::F64(doubles) => doubles[left].to_bits() == doubles[right].to_bits(),
        ColumnValues::String(texts) => texts.bytes_of(left) == texts.bytes_of(right),
        _ => false,
    }
}

#[cfg(test)]
mod tests {

    use std::sync::Arc;

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
    fn plain_columns_give_the_rows_that_values_give() {
        let count = 3 * RESULT_BATCH_ROWS as i64 + 5;
        let mut first = Column::default();
        let (mut second, mut third) = (Column::default(), Column::default());
        for row in 0..count {
            first.push_entry(if row % 5 == 0 { None } else { Some(Value::I64(row / 3)) });
            second.push(if row % 7 < 3 { Value::Null } else { Value::F64(-0.0) });
            third.push(Value::from(["x", "y"][(row / 4 % 2) as usize]));
        }
        let mut rows = Batch::of(vec![first, second, third]);
        rows.weights = Some((0..count as u64).map(|row| 1 + row % 2).collect::<Vec<_>>().into());
        assert!(is_plain(&rows, 3) && !is_plain(&rows, 2));
        let mut found = Vec::new();
        emit_columns(&rows, &mut |taken, weights| {
            for (row, weight) in taken.iter().zip(weights) {
                let cell = |column: &Arc<Column>| column.get(*row as usize).unwrap_or_default();
                found.push((rows.columns.iter().map(cell).collect::<Vec<_>>(), *weight));
            }
            assert!(taken.len() <= RESULT_BATCH_ROWS);
            Ok(())
        })
        .unwrap();
        assert_eq!(found, emitted(&rows, 3));
    }

    #[test]
    fn rows_without_columns_are_no_results() {
        let rows = Batch::of(vec![Column::from_values([Value::I64(1)])]);
        emit_rows(&rows, 0, &mut |_, _| panic!("nothing is emitted")).unwrap();
    }
}
