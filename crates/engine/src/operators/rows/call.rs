//! `Call`: each row, once for every row that a procedure yields for its arguments.

use std::sync::Arc;

use millrace_model::{Batch, Column, Result};
use millrace_plan::op;

use super::streaming_call::StreamingCall;
use crate::compile::{Compile, Compiler, Place, Placed};
use crate::context::Procedure;
use crate::expressions::{Exprs, bug};
use crate::pipeline::{Completing, Keep, Upstream, Whole, add};
use crate::rows::batch_bytes;
use crate::run::{Charge, Run};

pub(crate) struct Call {
    procedure: Arc<dyn Procedure>,
    arguments: Exprs,
    /// Which of the columns it yields are read later.
    yields: Vec<usize>,
    keep: Keep,
}

impl Whole for Call {
    fn complete(
        &mut self,
        input: &mut Upstream<'_>,
        charge: &mut Charge,
        run: &Run<'_>,
    ) -> Result<Batch> {
        let Some(batch) = input.read_scopes(charge, run)? else { return Ok(Batch::default()) };
        let arguments = self.arguments.evaluate(&batch, run)?.into_iter();
        let arguments: Vec<Arc<Column>> =
            arguments.map(|argument| argument.into_column(batch.len)).collect();
        let yielded = self.procedure.call(&arguments, batch.len, run.context)?;
        let mut result = self.keep.take(&batch, &yielded.rows);
        for &column in &self.yields {
            add(&mut result, yielded.columns[column].clone());
        }
        charge.grow(batch_bytes(&result), run)?;
        Ok(result)
    }
}

impl Compile for op::Call {
    fn compile(&self, compiler: &Compiler<'_>, place: &Place<'_>) -> Result<Placed> {
        let Some((signature, procedure)) = compiler.procedures.named(&self.procedure) else {
            return Err(bug("a procedure was compiled that was not checked"));
        };
        let (keep, mut after) = place.keep();
        let mut slots = Vec::new();
        for (name, column) in &self.yields {
            if place.live.contains(column) {
                let slot = signature.column(name);
                slots.push(slot.ok_or_else(|| bug("a yield was not checked"))?);
                after.push(*column);
            }
        }
        let arguments = compiler.exprs(place.layout, &self.arguments)?;
        if procedure.streams() {
            let call = StreamingCall::new(Arc::clone(procedure), arguments, slots, keep);
            return Ok((Box::new(call), after));
        }
        let call = Call { procedure: Arc::clone(procedure), arguments, yields: slots, keep };
        Ok((Box::new(Completing::new(call)), after))
    }
}
