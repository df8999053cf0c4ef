//! `Filter`: keeps rows for which the predicate is true; unknown is false.

use millrace_model::{Batch, Result};
use millrace_plan::op;

use super::Compile;
use super::deferred::Deferred;
use super::keep::Keep;
use crate::expressions::{Exprs, selected};
use crate::pipeline::{Operator, Upstream};
use crate::prepare::{Compiler, Place, Placed};
use crate::run::Run;

pub(crate) struct Filter {
    predicate: Exprs,
    keep: Keep,
    deferred: Deferred,
}

impl Filter {
    pub(crate) fn new(predicate: Exprs, keep: Keep) -> Filter {
        Filter { predicate, keep, deferred: Deferred::default() }
    }
}

impl Operator for Filter {
    fn begin(&mut self, _run: &Run<'_>) {
        self.deferred.begin();
    }

    fn next(&mut self, input: &mut Upstream<'_>, run: &Run<'_>) -> Result<Option<Batch>> {
        loop {
            self.deferred.raise()?;
            let Some(batch) = input.next(run)? else { return Ok(None) };
            let (batch, rows) = self.deferred.evaluate(batch, |batch| {
                selected(&self.predicate.evaluate_one(batch, run)?, batch.len)
            })?;
            if !rows.is_empty() {
                return Ok(Some(self.keep.take(&batch, &rows)));
            }
        }
    }
}

impl Compile for op::Filter {
    fn compile(&self, compiler: &Compiler<'_>, place: &Place<'_>) -> Result<Placed> {
        let (keep, after) = place.keep();
        let predicate = compiler.exprs(place.layout, [&self.predicate])?;
        Ok((Box::new(Filter::new(predicate, keep)), after))
    }
}
