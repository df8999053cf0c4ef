//! `Project`: adds columns.

use millrace_model::{Batch, Result};
use millrace_plan::{ColumnId, op};

use crate::compile::{Compile, Compiler, Place, Placed};
use crate::expressions::{Exprs, operands_bytes};
use crate::pipeline::{Deferred, Keep, Operator, Upstream};
use crate::run::{Charge, Run};

pub(crate) struct Project {
    columns: Exprs,
    /// Which of the columns are read later. The others are evaluated too: they may fail.
    live: Vec<bool>,
    keep: Keep,
    deferred: Deferred,
    /// The new columns, while the rows behind this operator have them.
    charge: Charge,
}

impl Operator for Project {
    fn begin(&mut self, run: &Run<'_>) {
        self.deferred.begin();
        self.charge.release(run);
    }

    fn next(&mut self, input: &mut Upstream<'_>, run: &Run<'_>) -> Result<Option<Batch>> {
        self.charge.release(run);
        let Some(batch) = self.deferred.pull(input, run)? else { return Ok(None) };
        let (batch, operands) = self
            .deferred
            .evaluate_some(&batch, |batch| self.columns.evaluate_together(batch, run))?;
        let len = batch.len;
        let live = operands.iter().zip(&self.live).filter(|(_, live)| **live);
        self.charge.grow(operands_bytes(live.map(|(operand, _)| operand)), run)?;
        let mut result = self.keep.same(batch);
        for (operand, live) in operands.into_iter().zip(&self.live) {
            if *live {
                result.columns.push(operand.into_column(len));
            }
        }
        Ok(Some(result))
    }
}

impl Compile for op::Project {
    fn compile(&self, compiler: &Compiler<'_>, place: &Place<'_>) -> Result<Placed> {
        let (keep, mut after) = place.keep();
        let columns = compiler.exprs(place.layout, self.columns.iter().map(|(_, expr)| expr))?;
        let is_live = |column: &ColumnId| place.live.contains(column);
        let live = self.columns.iter().map(|(column, _)| is_live(column)).collect();
        after.extend(self.columns.iter().map(|(column, _)| *column).filter(is_live));
        Ok((
            Box::new(Project {
                columns,
                live,
                keep,
                deferred: Deferred::default(),
                charge: Charge::default(),
            }),
            after,
        ))
    }
}
