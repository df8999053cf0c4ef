//! `Weigh`: each row as often as its count says. A weight that no longer fits 64 bits becomes several rows.

use std::sync::Arc;

use millrace_model::{Batch, Column, ColumnValues, Error, ErrorKind, Result, Value};
use millrace_plan::op;

use crate::compile::{Compile, Compiler, Place, Placed};
use crate::pipeline::{Keep, Operator, Upstream};
use crate::rows::Tally;
use crate::run::Run;

pub(crate) struct Weigh {
    by: usize,
    keep: Keep,
}

impl Operator for Weigh {
    fn begin(&mut self, _run: &Run<'_>) {}

    fn next(&mut self, input: &mut Upstream<'_>, run: &Run<'_>) -> Result<Option<Batch>> {
        loop {
            let Some(batch) = input.next(run)? else { return Ok(None) };
            let counts = counts(&batch.columns[self.by])?;
            let rows: Vec<u32> =
                (0..batch.len as u32).filter(|&row| counts[row as usize] != 0).collect();
            if rows.is_empty() {
                continue;
            }
            let mut tally = Tally::default();
            tally.resize(rows.len());
            for (place, &row) in rows.iter().enumerate() {
                tally.add_times(place, counts[row as usize], batch.weight(row as usize));
            }
            let weighed = tally.into_rows(ROW_BYTES, run.context.guard())?;
            let kept = self.keep.take(&batch, &weighed.pick(rows));
            return Ok(Some(Batch { weights: Some(Arc::new(weighed.weights)), ..kept }));
        }
    }
}

const ROW_BYTES: u64 = 16;

/// The counts of a column, null as 0.
fn counts(column: &Column) -> Result<Vec<u64>> {
    let count = |value: Option<Value>| match value.filter(|value| *value != Value::Null) {
        None => Ok(0),
        Some(value) => {
            value.as_int().and_then(|count| u64::try_from(count).ok()).ok_or_else(|| {
                let detail = format!(
                    "{value:?} rows of a kind are more than this can count, or fewer than none"
                );
                Error::new(ErrorKind::LimitReached, detail)
            })
        }
    };
    if let (ColumnValues::I64(values), None, None) =
        (&column.values, &column.nulls, &column.absents)
        && values.iter().all(|value| 0 <= *value)
    {
        return Ok(values.iter().map(|&value| value as u64).collect());
    }
    (0..column.len()).map(|row| count(column.get(row))).collect()
}

impl Compile for op::Weigh {
    fn compile(&self, compiler: &Compiler<'_>, place: &Place<'_>) -> Result<Placed> {
        let (keep, after) = place.keep();
        Ok((Box::new(Weigh { by: compiler.slot(place.layout, self.by)?, keep }), after))
    }
}
