//! Which columns of the input go on, and a column beside them.

use std::sync::Arc;

use millrace_model::{Batch, Column, Result};

use super::stages::{Operator, Upstream};
use crate::run::Run;

/// Slots of the input that live on, in the order of the output.
#[derive(Clone, Debug, Default)]
pub(crate) struct Keep(pub(crate) Vec<usize>);

impl Keep {
    /// The same rows with only the kept columns.
    pub(crate) fn same(&self, batch: Batch) -> Batch {
        let all = self.0.len() == batch.columns.len()
            && self.0.iter().enumerate().all(|(place, &slot)| place == slot);
        if all {
            return batch;
        }
        let columns = self.0.iter().map(|&slot| batch.columns[slot].clone()).collect();
        Batch { columns, ..batch }
    }

    /// The rows at `rows`, with only the kept columns; rows may repeat.
    pub(crate) fn take(&self, batch: &Batch, rows: &[u32]) -> Batch {
        if rows.len() == batch.len && rows.iter().enumerate().all(|(i, &row)| i as u32 == row) {
            return self.same(batch.clone());
        }
        let taken = |slot: &usize| Arc::new(batch.columns[*slot].take(rows));
        let weights = batch.weights.as_ref();
        let ordinals = batch.ordinals.as_ref();
        Batch {
            len: rows.len(),
            columns: self.0.iter().map(taken).collect(),
            weights: weights.map(|weights| Arc::new(pick(weights, rows))),
            ordinals: ordinals.map(|ordinals| Arc::new(pick(ordinals, rows))),
        }
    }

    /// One row of the batch, `times` times.
    pub(crate) fn repeat(&self, batch: &Batch, row: usize, times: usize) -> Batch {
        if batch.len == 1 && times == 1 {
            return self.same(batch.clone());
        }
        if self.0.is_empty() {
            return Batch {
                len: times,
                columns: Vec::new(),
                weights: batch.weights.as_ref().map(|all| Arc::new(vec![all[row]; times])),
                ordinals: batch.ordinals.as_ref().map(|all| Arc::new(vec![all[row]; times])),
            };
        }
        self.take(batch, &vec![row as u32; times])
    }
}

fn pick<T: Copy>(numbers: &[T], rows: &[u32]) -> Vec<T> {
    rows.iter().map(|&row| numbers[row as usize]).collect()
}

/// Adds a column.
pub(crate) fn add(batch: &mut Batch, column: Column) {
    debug_assert_eq!(batch.len, column.len());
    batch.columns.push(Arc::new(column));
}

/// An operator that makes a column of each batch, an entry for each row.
pub(crate) trait MakeColumn: Send {
    /// The column.
    fn column(&self, batch: &Batch, run: &Run<'_>) -> Result<Column>;
}

/// Such an operator in a pipeline.
pub(crate) struct AddColumn<T> {
    pub(crate) operator: T,
    pub(crate) keep: Keep,
    /// Whether the column is read later; else it is not made.
    pub(crate) to: bool,
}

impl<T: MakeColumn> Operator for AddColumn<T> {
    fn begin(&mut self, _run: &Run<'_>) {}

    fn next(&mut self, input: &mut Upstream<'_>, run: &Run<'_>) -> Result<Option<Batch>> {
        let Some(batch) = input.next(run)? else { return Ok(None) };
        let column = if self.to { Some(self.operator.column(&batch, run)?) } else { None };
        let mut result = self.keep.same(batch);
        if let Some(column) = column {
            add(&mut result, column);
        }
        Ok(Some(result))
    }
}
