//! `Sort`: the rows of each scope in order, stable.
//!
//! Compared by the order of the plan's mode, without widths (1 and 1.0 are equal); null and absent entries go
//! where the key says, apart from its direction.

use std::cmp::Ordering;
use std::sync::Arc;

use millrace_model::{Batch, Column, ColumnValues, Result, Value, compare, query_limits};
use millrace_plan::{Nulls, Op, SortKey, op};
use rayon::slice::ParallelSliceMut;

use super::row_count::CompiledRowCount;
use crate::compile::{Compile, Compiler, Place, Placed};
use crate::expressions::{Exprs, Operand};
use crate::pipeline::{Completing, FirstRows, Keep, RowOrder, Upstream, Whole};
use crate::rows::{Collector, shallow_bytes};
use crate::run::{Charge, Run};
use crate::{limits, threads};

/// The keys of an order.
pub(crate) struct SortKeys {
    exprs: Exprs,
    directions: Vec<(bool, Nulls)>,
}

impl SortKeys {
    pub(crate) fn new(exprs: Exprs, keys: &[SortKey]) -> SortKeys {
        let directions = keys.iter().map(|key| (key.descending, key.nulls)).collect();
        SortKeys { exprs, directions }
    }

    /// The key of the last row of a batch in order, if it is the only key, the rows are as many as are wanted, and a number that
    /// has one place among others.
    pub(super) fn last_of(
        &self,
        count: u64,
        batch: &Batch,
        run: &Run<'_>,
    ) -> Result<Option<Value>> {
        let is_full = batch.weights.is_none() && batch.ordinals.is_none();
        if !is_full || (batch.len as u64) < count || self.directions.len() != 1 || batch.len == 0 {
            return Ok(None);
        }
        let value = self.exprs.evaluate_one(batch, run)?.value(batch.len - 1);
        Ok(match value {
            Value::I64(_) => Some(value),
            Value::F64(double) if is_plain(double) => Some(value),
            _ => None,
        })
    }

    /// The rows of a batch without those that do not come before this key, where all keys are numbers of one type.
    pub(super) fn before(&self, last: &Value, batch: Batch, run: &Run<'_>) -> Result<Batch> {
        if batch.ordinals.is_some() {
            return Ok(batch);
        }
        let Operand::Column(column) = self.exprs.evaluate_one(&batch, run)? else {
            return Ok(batch);
        };
        if column.nulls.is_some() || column.absents.is_some() {
            return Ok(batch);
        }
        let descending = self.directions[0].0;
        let rows: Vec<u32> = match (&column.values, last) {
            (ColumnValues::I64(ints), Value::I64(last)) => {
                rows_where(ints, |int| if descending { int > last } else { int < last })
            }
            (ColumnValues::F64(doubles), Value::F64(last)) => {
                // Those that have no plain place stay.
                rows_where(doubles, |double| {
                    let is_before = if descending { double > last } else { double < last };
                    is_before || !is_plain(*double)
                })
            }
            _ => return Ok(batch),
        };
        Ok(if rows.len() == batch.len { batch } else { batch.take(&rows) })
    }

    /// The rows of a batch in order: by ordinal, then by the keys, then as they came.
    pub(super) fn order(&self, batch: &Batch, run: &Run<'_>) -> Result<Vec<u32>> {
        self.first(usize::MAX, batch, run)
    }

    /// The first so many of them, at least.
    pub(super) fn first(&self, count: usize, batch: &Batch, run: &Run<'_>) -> Result<Vec<u32>> {
        let operands = self.exprs.evaluate(batch, run)?;
        let mut rows: Vec<u32> = (0..batch.len as u32).collect();
        let columns: Vec<(&Column, bool, Nulls)> = operands
            .iter()
            .zip(&self.directions)
            .filter_map(|(operand, &(descending, nulls))| match operand {
                Operand::Column(column) => Some((&**column, descending, nulls)),
                // One value for all rows orders nothing.
                Operand::Constant(_) => None,
            })
            .collect();
        let order_of_values = compare::order_of(run.compare);
        let compare = |&left: &u32, &right: &u32| {
            let (left, right) = (left as usize, right as usize);
            let scopes = batch.ordinal(left).cmp(&batch.ordinal(right));
            columns.iter().fold(scopes, |order, (column, descending, nulls)| {
                order.then_with(|| {
                    let direction = (*descending, *nulls);
                    compare_entries(column, (left, right), direction, order_of_values)
                })
            })
        };
        let units = |left: &u32, right: &u32| comparison_work(&columns, *left, *right);
        if count < rows.len() {
            // As they came where keys are equal, so that it is as stable as a sort of all.
            let stable = |left: &u32, right: &u32| compare(left, right).then(left.cmp(right));
            query_limits::select_by(&mut rows, count, stable, units)?;
            rows.truncate(count);
            rows.sort_unstable();
        }
        sort(&mut rows, compare, units, run)?;
        Ok(rows)
    }
}

/// Pieces are sorted by threads and merged, if there are many rows: as stable as on one thread. Deadline and
/// cancel flag are asked on each thread.
fn sort(
    rows: &mut [u32],
    compare: impl Fn(&u32, &u32) -> Ordering + Send + Sync,
    units: impl Fn(&u32, &u32) -> u64 + Send + Sync,
    run: &Run<'_>,
) -> Result<()> {
    let is_large = limits::PARALLEL_SORT_ROWS_MIN <= rows.len();
    let Some(taken) = is_large.then(threads::take).flatten() else {
        return query_limits::sort_by(rows, compare, units);
    };
    let guard = run.context.guard();
    let compare = |left: &u32, right: &u32| {
        if query_limits::is_due(units(left, right))
            && let Err(error) = guard.check()
        {
            query_limits::stop(error);
        }
        compare(left, right)
    };
    query_limits::stoppable(|| taken.install(|| rows.par_sort_by(compare)))
}

fn rows_where<T>(entries: &[T], is_wanted: impl Fn(&T) -> bool) -> Vec<u32> {
    let rows = entries.iter().zip(0u32..);
    rows.filter(|(entry, _)| is_wanted(entry)).map(|(_, row)| row).collect()
}

/// About how much work the comparison of two rows is.
fn comparison_work(columns: &[(&Column, bool, Nulls)], left: u32, right: u32) -> u64 {
    let of_column = |(column, _, _): &(&Column, bool, Nulls)| match &column.values {
        ColumnValues::Value(values) => {
            let [left, right] = [left, right].map(|row| &values[row as usize]);
            query_limits::work_of(left).min(query_limits::work_of(right))
        }
        ColumnValues::Path(_) => PATH_UNITS,
        ColumnValues::Vertex(_)
        | ColumnValues::Edge(_)
        | ColumnValues::Bool(_)
        | ColumnValues::I64(_)
        | ColumnValues::F64(_)
        | ColumnValues::String(_)
        | ColumnValues::Bag(_)
        | ColumnValues::Fields(_) => 1,
    };
    columns.iter().map(of_column).sum()
}

/// Units of work for the comparison of two paths, which are made values for it.
const PATH_UNITS: u64 = 16;

fn compare_entries(
    column: &Column,
    (left, right): (usize, usize),
    (descending, nulls): (bool, Nulls),
    order_of_values: impl Fn(&Value, &Value) -> Ordering,
) -> Ordering {
    let missing = |row| column.is_null(row) || column.is_absent(row);
    match (missing(left), missing(right)) {
        (true, true) => return Ordering::Equal,
        (false, false) => {}
        (left_missing, _) => {
            let first = left_missing == (nulls == Nulls::First);
            return if first { Ordering::Less } else { Ordering::Greater };
        }
    }
    let order = match &column.values {
        ColumnValues::Vertex(ids) => ids[left].cmp(&ids[right]),
        ColumnValues::Edge(ids) => ids[left].cmp(&ids[right]),
        ColumnValues::Bool(bits) => bits[left].cmp(&bits[right]),
        ColumnValues::I64(ints) => ints[left].cmp(&ints[right]),
        ColumnValues::String(texts) => texts.get(left).cmp(texts.get(right)),
        ColumnValues::Value(values) => order_of_values(&values[left], &values[right]),
        ColumnValues::F64(doubles) if is_plain(doubles[left]) && is_plain(doubles[right]) => {
            doubles[left].total_cmp(&doubles[right])
        }
        ColumnValues::F64(_)
        | ColumnValues::Path(_)
        | ColumnValues::Bag(_)
        | ColumnValues::Fields(_) => {
            order_of_values(&column.values.value(left), &column.values.value(right))
        }
    };
    if descending { order.reverse() } else { order }
}

/// Whether all modes order a double by its value alone: zeros have signs, and what is no number has a place of its own.
fn is_plain(double: f64) -> bool {
    double != 0.0 && !double.is_nan()
}

pub(crate) struct Sort {
    keys: SortKeys,
    keep: Keep,
    /// The number of rows that the page behind it takes, where they may come in its order.
    page: Option<(CompiledRowCount, Arc<RowOrder>)>,
}

impl Sort {
    pub(crate) fn new(keys: SortKeys, keep: Keep) -> Sort {
        Sort { keys, keep, page: None }
    }
}

/// The rows, until the first `count` in order are among them; all where they come in no order.
fn read_first(
    count: u64,
    order: &Arc<RowOrder>,
    input: &mut Upstream<'_>,
    charge: &mut Charge,
    run: &Run<'_>,
) -> Result<Option<Batch>> {
    let mut first = FirstRows::ask(Some(order), count);
    let mut collector = Collector::default();
    while let Some(batch) = input.next(run)? {
        if first.take(&batch) {
            collector = Collector::default();
            charge.release(run);
        }
        charge.hold(&batch, run)?;
        if limits::GROWTH_UNCOUNTED_ROWS_MAX < collector.len() {
            // Columns that grow have room for as much again.
            charge.grow(shallow_bytes(&batch), run)?;
        }
        collector.push(batch);
        if first.are_enough() {
            break;
        }
    }
    Ok((0 < collector.len()).then(|| collector.finish(0)))
}

impl Whole for Sort {
    fn complete(
        &mut self,
        input: &mut Upstream<'_>,
        charge: &mut Charge,
        run: &Run<'_>,
    ) -> Result<Batch> {
        let batch = match &self.page {
            Some((count, order)) => read_first(count.get(input, run)?, order, input, charge, run)?,
            None => input.read_all(charge, run)?,
        };
        let Some(batch) = batch else { return Ok(Batch::default()) };
        let rows = self.keys.order(&batch, run)?;
        Ok(self.keep.take(&batch, &rows))
    }
}

impl Compile for op::Sort {
    fn compile(&self, compiler: &Compiler<'_>, place: &Place<'_>) -> Result<Placed> {
        let (keep, after) = place.keep();
        let keys = SortKeys::compile(&self.keys, compiler, place)?;
        let mut sort = Sort::new(keys, keep);
        if let (Some(order), Some(Op::Range(op::Range { to: Some(to), .. }))) =
            (&place.row_order, place.behind.first())
        {
            sort.page = Some((CompiledRowCount::compile(to, compiler)?, Arc::clone(order)));
        }
        Ok((Box::new(Completing::new(sort)), after))
    }
}

impl SortKeys {
    pub(super) fn compile(
        keys: &[SortKey],
        compiler: &Compiler<'_>,
        place: &Place<'_>,
    ) -> Result<SortKeys> {
        Ok(SortKeys::new(compiler.exprs(place.layout, keys.iter().map(|key| &key.by))?, keys))
    }
}
