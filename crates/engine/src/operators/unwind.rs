//! `Unwind`: each row, once for every entry of a list. Null and absent have none. The entries of a range are made
//! as they leave, so a range may be longer than a list.

use std::ops::Range;

use millrace_model::{Batch, Column, ColumnValues, Error, ErrorKind, Result, Value};
use millrace_plan::{Expr, Function, IntegerRange, op};

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
    /// Whether `list` is the arguments of a range.
    is_range: bool,
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
    lists: Vec<UnwoundList>,
    row: usize,
    at: u64,
}

/// The entries of one row's list.
enum UnwoundList {
    List(Value),
    Range(IntegerRange),
}

impl UnwoundList {
    const NONE: UnwoundList = UnwoundList::List(Value::Null);

    fn len(&self) -> u64 {
        match self {
            UnwoundList::List(list) => values_of(list).len() as u64,
            UnwoundList::Range(range) => range.len(),
        }
    }

    fn add_to(&self, column: &mut Column, places: Range<u64>) {
        match self {
            UnwoundList::List(list) => {
                let values = &values_of(list)[places.start as usize..places.end as usize];
                values.iter().for_each(|value| column.push(value.clone()));
            }
            UnwoundList::Range(range) => places.for_each(|place| column.push(range.get(place))),
        }
    }
}

fn values_of(list: &Value) -> &[Value] {
    match list {
        Value::List(values) | Value::Set(values) => values,
        _ => &[],
    }
}

impl Unwind {
    fn lists(&self, batch: &Batch, run: &Run<'_>) -> Result<Vec<UnwoundList>> {
        if self.is_range {
            return self.ranges(batch, run);
        }
        let operand = self.list.evaluate_one(batch, run)?;
        let list = |row| match operand.value(row) {
            list @ (Value::List(_) | Value::Set(_) | Value::Null) => Ok(UnwoundList::List(list)),
            other => {
                let kind = other.type_name();
                let detail = format!("a list is unwound, and this is a {kind}");
                Err(Error::new(ErrorKind::BadQuery, detail))
            }
        };
        (0..batch.len).map(list).collect()
    }

    fn ranges(&self, batch: &Batch, run: &Run<'_>) -> Result<Vec<UnwoundList>> {
        let operands = self.list.evaluate(batch, run)?;
        let range = |row| {
            let arguments: Vec<Value> = operands.iter().map(|own| own.value(row)).collect();
            match arguments.iter().any(Value::is_null) {
                true => Ok(UnwoundList::NONE),
                false => IntegerRange::of(&arguments).map(UnwoundList::Range),
            }
        };
        (0..batch.len).map(range).collect()
    }

    fn emit(&self, pending: &mut Pending, run: &Run<'_>) -> Batch {
        let rows_max = run.context.guard().batch_rows(limits::BATCH_ROWS_MAX);
        let (mut rows, mut entries, mut positions) = (Vec::new(), Column::default(), Vec::new());
        while pending.row < pending.lists.len() && rows.len() < rows_max {
            let list = &pending.lists[pending.row];
            let room = (rows_max - rows.len()) as u64;
            let end = list.len().min(pending.at.saturating_add(room));
            let places = pending.at..end;
            rows.resize(rows.len() + (end - pending.at) as usize, pending.row as u32);
            if self.position {
                positions.extend(places.clone().map(|place| place as i64));
            }
            if self.to {
                list.add_to(&mut entries, places);
            }
            pending.at = end;
            if end == list.len() {
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
        let mut is_range = false;
        let list = if let Expr::Call { function: Function::Range, arguments } = &self.list {
            is_range = true;
            compiler.exprs(place.layout, arguments)?
        } else {
            compiler.exprs(place.layout, [&self.list])?
        };
        let deferred = Deferred::default();
        let unwind = Unwind { list, is_range, to, position, keep, deferred, pending: None };
        Ok((Box::new(unwind), after))
    }
}
