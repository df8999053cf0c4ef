//! The result rows of an `Apply`: one function for each kind.

use std::sync::Arc;

use millrace_model::{Bags, Batch, Column, ColumnValues, Result};

use super::regroup::Regrouped;
use crate::limits::FLAT_ROWS_UNASKED_MAX;
use crate::pipeline::{Keep, add};
use crate::rows::{append, batch_bytes, multiplied, nulls};
use crate::run::Run;

/// How the sub's rows become results. Slots are of the sub's last row.
pub(crate) enum ApplyResult {
    /// Outer row × sub rows; with `optional`, an outer row without any stays, with nulls.
    Flat { optional: bool, slots: Vec<usize> },
    /// One value: the only column of a keyless aggregate at the end of the subplan.
    Value { live: bool },
    /// Outer rows that have a row, or that have none.
    Exists { wanted: bool },
    /// A bag of these columns.
    Bag { slots: Vec<usize>, live: bool },
    /// The outer row.
    Effect,
}

impl ApplyResult {
    /// Whether the sub's rows are looked at.
    pub(super) fn needs_rows(&self) -> bool {
        match self {
            ApplyResult::Effect => false,
            ApplyResult::Flat { .. }
            | ApplyResult::Value { .. }
            | ApplyResult::Exists { .. }
            | ApplyResult::Bag { .. } => true,
        }
    }

    /// The outer rows with their shares of the sub's.
    pub(crate) fn join(
        &self,
        keep: &Keep,
        outer: &Batch,
        scope_of: &[u32],
        sub: &Regrouped,
        run: &Run<'_>,
    ) -> Result<Batch> {
        match self {
            ApplyResult::Flat { optional, slots } => {
                room_for_flat(outer, scope_of, sub, run)?;
                let joined = flat(keep, outer, scope_of, sub, slots, *optional);
                multiplied(joined.batch, joined.by.as_deref(), run.context.guard())
            }
            ApplyResult::Value { live } => {
                let mut result = keep.same(outer.clone());
                if *live {
                    let whole = sub.rows.len == outer.len && scope_of.is_sorted();
                    let column = &sub.rows.columns[0];
                    let column = if whole { column.clone() } else { column.take(scope_of).into() };
                    result.columns.push(column);
                }
                Ok(result)
            }
            ApplyResult::Exists { wanted } => {
                let has = |row: &u32| sub.scope(scope_of[*row as usize]).is_empty() != *wanted;
                let rows: Vec<u32> = (0..outer.len as u32).filter(has).collect();
                Ok(keep.take(outer, &rows))
            }
            ApplyResult::Bag { slots, live } => {
                let mut result = keep.same(outer.clone());
                if *live {
                    add(&mut result, bag(scope_of, sub, slots));
                }
                Ok(result)
            }
            ApplyResult::Effect => Ok(keep.same(outer.clone())),
        }
    }
}

/// Fails where the rows that are to be joined do not fit the budget: a few of each make many together.
fn room_for_flat(outer: &Batch, scope_of: &[u32], sub: &Regrouped, run: &Run<'_>) -> Result<()> {
    let rows: u64 = scope_of.iter().map(|&scope| sub.scope(scope).len() as u64).sum();
    if rows < FLAT_ROWS_UNASKED_MAX {
        return Ok(());
    }
    let row_bytes = |batch: &Batch| batch_bytes(batch) / batch.len.max(1) as u64;
    let each = 2 * size_of::<u32>() as u64 + row_bytes(outer) + row_bytes(&sub.rows);
    run.context.guard().require_room(rows.saturating_mul(each))
}

fn bag(scope_of: &[u32], sub: &Regrouped, slots: &[usize]) -> Column {
    let columns = slots.iter().map(|&slot| sub.rows.columns[slot].clone()).collect();
    let rows =
        Batch { len: sub.rows.len, columns, weights: sub.rows.weights.clone(), ordinals: None };
    let view = |&scope: &u32| {
        let rows = sub.scope(scope);
        (rows.start, rows.end - rows.start)
    };
    let views = scope_of.iter().map(view).collect();
    Column::of(ColumnValues::Bag(Bags { views, rows: Arc::new(rows) }))
}

/// Outer rows with their sub rows, and how often each of these stands.
struct Joined {
    batch: Batch,
    by: Option<Vec<u64>>,
}

fn flat(
    keep: &Keep,
    outer: &Batch,
    scope_of: &[u32],
    sub: &Regrouped,
    slots: &[usize],
    optional: bool,
) -> Joined {
    // The row behind the last stands for "none".
    let none = sub.rows.len as u32;
    let (mut outer_rows, mut sub_rows) = (Vec::new(), Vec::new());
    for (row, &scope) in scope_of.iter().enumerate() {
        let found = sub.scope(scope);
        if found.is_empty() && optional {
            outer_rows.push(row as u32);
            sub_rows.push(none);
        }
        outer_rows.extend(std::iter::repeat_n(row as u32, found.len()));
        sub_rows.extend(found);
    }
    let mut result = keep.take(outer, &outer_rows);
    let weight = |row: u32| if row == none { 1 } else { sub.rows.weight(row as usize) };
    let by = sub.rows.weights.is_some();
    let by = by.then(|| sub_rows.iter().map(|&row| weight(row)).collect());
    let missing = sub_rows.contains(&none);
    for &slot in slots {
        let column = &sub.rows.columns[slot];
        add(&mut result, pick(column, &sub_rows, missing));
    }
    Joined { batch: result, by }
}

/// Entries of the sub's rows; the row behind the last is null.
fn pick(column: &Arc<Column>, rows: &[u32], missing: bool) -> Column {
    if !missing {
        return column.take(rows);
    }
    let mut with_none = Column::clone(column);
    append(&mut with_none, &nulls(1));
    with_none.take(rows)
}
