//! `Unwind`: each row, once for every entry of a list. Null and absent have none.

use millrace_model::{Batch, Column, ColumnValues, Error, ErrorKind, Result, Value};
use millrace_plan::op;

use super::Compile;
use super::deferred::Deferred;
use super::keep::{Keep, add};
use crate::expressions::Exprs;
use crate::limits;
use crate::pipeline::{Operator, Upstream};
use crate::prepare::{Compiler, Place, Placed};
use crate::run::Run;

pub(crate) struct Unwind {
    list: Exprs,
    /// Whether the entry and its position are read later.
    to: bool,
    position: bool,
    keep: Keep,
    deferred: Deferred,
    pending: Option<Pending>,
}

/// The batch that is being unwound, and the place to go on from.
struct Pending {
    batch: Batch,
    lists: Vec<Value>,
    row: usize,
    at: usize,
}

impl Unwind {
    pub(crate) fn new(list: Exprs, (to, position): (bool, bool), keep: Keep) -> Unwind {
        Unwind { list, to, position, keep, deferred: Deferred::default(), pending: None }
    }

    fn lists(&self, batch: &Batch, run: &Run<'_>) -> Result<Vec<Value>> {
        let operand = self.list.evaluate_one(batch, run)?;
        let list = |row| match operand.value(row) {
            list @ (Value::List(_) | Value::Set(_) | Value::Null) => Ok(list),
            other => {
                let kind = other.type_name();
                let detail = format!("a list is unwound, and this is a {kind}");
                Err(Error::new(ErrorKind::BadQuery, detail))
            }
        };
        (0..batch.len).map(list).collect()
    }

    fn emit(&self, pending: &mut Pending, run: &Run<'_>) -> Batch {
        let rows_max = run.context.guard().batch_rows(limits::BATCH_ROWS_MAX);
        let (mut rows, mut entries, mut positions) = (Vec::new(), Column::default(), Vec::new());
        while pending.row < pending.lists.len() && rows.len() < rows_max {
            let values: &[Value] = match &pending.lists[pending.row] {
                Value::List(values) | Value::Set(values) => values,
                _ => &[],
            };
            let room = rows_max - rows.len();
            let end = values.len().min(pending.at + room);
            for (at, value) in values.iter().enumerate().take(end).skip(pending.at) {
                rows.push(pending.row as u32);
                positions.push(at as i64);
                if self.to {
                    entries.push(value.clone());
                }
            }
            pending.at = end;
            if end == values.len() {
                (pending.row, pending.at) = (pending.row + 1, 0);
            }
        }
        let mut result = self.keep.take(&pending.batch, &rows);
        if self.to {
            add(&mut result, entries);
        }
        if self.position {
            add(&mut result, Column::of(ColumnValues::I64(positions)));
        }
        result
    }
}

impl Operator for Unwind {
    fn begin(&mut self, _run: &Run<'_>) {
        self.deferred.begin();
        self.pending = None;
    }

    fn next(&mut self, input: &mut Upstream<'_>, run: &Run<'_>) -> Result<Option<Batch>> {
        loop {
            if let Some(mut pending) = self.pending.take() {
                let result = self.emit(&mut pending, run);
                if pending.row < pending.lists.len() {
                    self.pending = Some(pending);
                }
                if 0 < result.len {
                    return Ok(Some(result));
                }
                continue;
            }
            self.deferred.raise()?;
            let Some(batch) = input.next(run)? else { return Ok(None) };
            let mut deferred = std::mem::take(&mut self.deferred);
            let lists = deferred.evaluate(batch, |batch| self.lists(batch, run));
            self.deferred = deferred;
            let (batch, lists) = lists?;
            self.pending = Some(Pending { batch, lists, row: 0, at: 0 });
        }
    }
}

impl Compile for op::Unwind {
    fn compile(&self, compiler: &Compiler<'_>, place: &Place<'_>) -> Result<Placed> {
        let (keep, after, [to, position]) = place.keep_and([Some(self.to), self.position]);
        let list = compiler.exprs(place.layout, [&self.list])?;
        Ok((Box::new(Unwind::new(list, (to, position), keep)), after))
    }
}
