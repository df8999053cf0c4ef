//! `Unwind`: each row, once for every entry of a list. Null and absent have none. Of a range no list is made, however
//! long it is.

use std::ops::Range;
use std::sync::Arc;

use millrace_model::{Batch, Column, ColumnValues, Error, ErrorKind, Result, Value};
use millrace_plan::functions::NumberRange;
use millrace_plan::{Expr, Function, op};

use crate::compile::{Compile, Compiler, Place, Placed};
use crate::expressions::{Exprs, operands_bytes};
use crate::limits;
use crate::pipeline::{Deferred, Keep, Operator, Upstream, add};
use crate::run::{Charge, Run};

pub(crate) struct Unwind {
    list: Exprs,
    /// Whether the expressions are the arguments of a range, and not a list.
    is_range: bool,
    /// Whether the entry and its position are read later.
    to: bool,
    position: bool,
    keep: Keep,
    deferred: Deferred,
    pending: Option<Pending>,
    /// The lists that are being unwound.
    charge: Charge,
}

/// The batch that is being unwound, and the place to go on from.
struct Pending {
    batch: Batch,
    lists: Vec<UnwoundList>,
    row: usize,
    at: u64,
}

/// The entries for one row.
enum UnwoundList {
    None,
    List(Arc<[Value]>),
    Range(NumberRange),
}

impl UnwoundList {
    fn len(&self) -> u64 {
        match self {
            UnwoundList::None => 0,
            UnwoundList::List(values) => values.len() as u64,
            UnwoundList::Range(numbers) => numbers.count,
        }
    }

    /// Adds the entries at some places to a column.
    fn add(&self, places: Range<u64>, entries: &mut Column) {
        match self {
            UnwoundList::None => {}
            UnwoundList::List(values) => {
                let values = &values[places.start as usize..places.end as usize];
                values.iter().for_each(|value| entries.push(value.clone()));
            }
            UnwoundList::Range(numbers) => {
                places.for_each(|place| entries.push(Value::I64(numbers.entry(place))));
            }
        }
    }
}

impl Unwind {
    pub(crate) fn new(list: Exprs, (to, position): (bool, bool), keep: Keep) -> Unwind {
        let (deferred, pending, charge) = (Deferred::default(), None, Charge::default());
        Unwind { list, is_range: false, to, position, keep, deferred, pending, charge }
    }

    /// The list of each row, and the bytes that they alone hold.
    fn lists(&self, batch: &Batch, run: &Run<'_>) -> Result<(Vec<UnwoundList>, u64)> {
        if self.is_range {
            let arguments = self.list.evaluate(batch, run)?;
            let numbers = |row| {
                let values: Vec<Value> = arguments.iter().map(|own| own.value(row)).collect();
                Ok(NumberRange::of(&values)?.map_or(UnwoundList::None, UnwoundList::Range))
            };
            return Ok(((0..batch.len).map(numbers).collect::<Result<_>>()?, 0));
        }
        let operands = self.list.evaluate_together(batch, run)?;
        let operand = &operands[0];
        let bytes = operands_bytes([operand]);
        let list = |row| match operand.value(row) {
            Value::List(values) | Value::Set(values) => Ok(UnwoundList::List(values)),
            Value::Null => Ok(UnwoundList::None),
            other => {
                let kind = other.type_name();
                let detail = format!("a list is unwound, and this is a {kind}");
                Err(Error::new(ErrorKind::BadQuery, detail))
            }
        };
        Ok(((0..batch.len).map(list).collect::<Result<_>>()?, bytes))
    }

    fn emit(&self, pending: &mut Pending, run: &Run<'_>) -> Batch {
        let rows_max = run.context.guard().batch_rows(limits::BATCH_ROWS_MAX);
        let (mut rows, mut entries, mut positions) = (Vec::new(), Column::default(), Vec::new());
        while pending.row < pending.lists.len() && rows.len() < rows_max {
            let list = &pending.lists[pending.row];
            let end = list.len().min(pending.at + (rows_max - rows.len()) as u64);
            let places = pending.at..end;
            rows.extend(places.clone().map(|_| pending.row as u32));
            if self.position {
                positions.extend(places.clone().map(|place| place as i64));
            }
            if self.to {
                list.add(places, &mut entries);
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
    fn begin(&mut self, run: &Run<'_>) {
        self.deferred.begin();
        self.charge.release(run);
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
            self.charge.release(run);
            let mut deferred = std::mem::take(&mut self.deferred);
            let lists = match deferred.pull(input, run) {
                Ok(Some(batch)) => deferred.evaluate_some(&batch, |batch| self.lists(batch, run)),
                Ok(None) => return Ok(None),
                Err(error) => Err(error),
            };
            self.deferred = deferred;
            let (batch, (lists, bytes)) = lists?;
            self.charge.grow(bytes, run)?;
            self.pending = Some(Pending { batch, lists, row: 0, at: 0 });
        }
    }
}

impl Compile for op::Unwind {
    fn compile(&self, compiler: &Compiler<'_>, place: &Place<'_>) -> Result<Placed> {
        let (keep, after, [to, position]) = place.keep_and([Some(self.to), self.position]);
        let mut range = None;
        if let Expr::Call { function: Function::Range, arguments } = &self.list {
            range = Some(compiler.exprs(place.layout, arguments)?);
        }
        let is_range = range.is_some();
        let list = range.map_or_else(|| compiler.exprs(place.layout, [&self.list]), Ok)?;
        let unwind = Unwind { is_range, ..Unwind::new(list, (to, position), keep) };
        Ok((Box::new(unwind), after))
    }
}
