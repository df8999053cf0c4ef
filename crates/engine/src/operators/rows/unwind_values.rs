//! `UnwindValues`: each row, once for every value of a property. Where no row has several, the batch
//! passes as it is, and the new column is the property's own.

use std::sync::Arc;

use millrace_model::property_values::{each_value, has_multi_valued};
use millrace_model::{Batch, Column, ColumnValues, Result, Value};
use millrace_plan::op;

use crate::compile::{Compile, Compiler, Place, Placed};
use crate::expressions::Exprs;
use crate::limits;
use crate::pipeline::{Deferred, Keep, Operator, Upstream, add};
use crate::run::Run;

pub(crate) struct UnwindValues {
    property: Exprs,
    /// Whether the value and its ordinal are read later.
    to: bool,
    ordinal: bool,
    keep: Keep,
    deferred: Deferred,
    pending: Option<Pending>,
}

/// The batch that is being unfolded, and the place to go on from.
struct Pending {
    batch: Batch,
    property: Arc<Column>,
    row: usize,
    at: usize,
}

impl UnwindValues {
    pub(crate) fn new(property: Exprs, (to, ordinal): (bool, bool), keep: Keep) -> UnwindValues {
        let deferred = Deferred::default();
        UnwindValues { property, to, ordinal, keep, deferred, pending: None }
    }

    /// The batch of a property that is one value in each row.
    fn pass(&self, batch: Batch, property: Arc<Column>) -> Batch {
        let len = batch.len;
        let mut result = self.keep.same(batch);
        if self.to {
            result.columns.push(property);
        }
        if self.ordinal {
            add(&mut result, Column::of(ColumnValues::I64(vec![0; len])));
        }
        result
    }

    fn emit(&self, pending: &mut Pending, run: &Run<'_>) -> Batch {
        let rows_max = run.context.guard().batch_rows(limits::BATCH_ROWS_MAX);
        let (mut rows, mut values, mut ordinals) = (Vec::new(), Column::default(), Vec::new());
        while pending.row < pending.batch.len && rows.len() < rows_max {
            let value = pending.property.get(pending.row);
            let room = rows_max - rows.len();
            let given = self.emit_row(&value, pending.at, room, (&mut values, &mut ordinals));
            rows.extend(std::iter::repeat_n(pending.row as u32, given));
            let count = value.as_ref().map_or(1, |value| each_value(value).count());
            pending.at += given;
            if pending.at == count {
                (pending.row, pending.at) = (pending.row + 1, 0);
            }
        }
        let mut result = self.keep.take(&pending.batch, &rows);
        if self.to {
            add(&mut result, values);
        }
        if self.ordinal {
            add(&mut result, Column::of(ColumnValues::I64(ordinals)));
        }
        result
    }

    /// Emits values of a row, from a place on; returns how many.
    fn emit_row(
        &self,
        value: &Option<Value>,
        from: usize,
        room: usize,
        (values, ordinals): (&mut Column, &mut Vec<i64>),
    ) -> usize {
        let Some(Value::PropertyValues(property)) = value else {
            values.push_entry(value.clone());
            ordinals.push(0);
            return 1;
        };
        let given = property.values().iter().skip(from).take(room);
        for own in given.clone() {
            values.push(own.value.clone());
            ordinals.push(i64::from(own.ordinal));
        }
        given.count()
    }
}

impl Operator for UnwindValues {
    fn begin(&mut self, _run: &Run<'_>) {
        self.deferred.begin();
        self.pending = None;
    }

    fn next(&mut self, input: &mut Upstream<'_>, run: &Run<'_>) -> Result<Option<Batch>> {
        if let Some(mut pending) = self.pending.take() {
            let result = self.emit(&mut pending, run);
            if pending.row < pending.batch.len {
                self.pending = Some(pending);
            }
            return Ok(Some(result));
        }
        self.deferred.raise()?;
        let Some(batch) = input.next(run)? else { return Ok(None) };
        let mut deferred = std::mem::take(&mut self.deferred);
        let property = deferred.evaluate(batch, |batch| {
            Ok(self.property.evaluate_one(batch, run)?.into_column(batch.len))
        });
        self.deferred = deferred;
        let (batch, property) = property?;
        if !has_multi_valued(&property) {
            return Ok(Some(self.pass(batch, property)));
        }
        self.pending = Some(Pending { batch, property, row: 0, at: 0 });
        self.next(input, run)
    }
}

impl Compile for op::UnwindValues {
    fn compile(&self, compiler: &Compiler<'_>, place: &Place<'_>) -> Result<Placed> {
        let (keep, after, [to, ordinal]) = place.keep_and([Some(self.to), self.ordinal]);
        let property = compiler.exprs(place.layout, [&self.property])?;
        Ok((Box::new(UnwindValues::new(property, (to, ordinal), keep)), after))
    }
}
