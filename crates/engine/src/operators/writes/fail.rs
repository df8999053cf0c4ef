//! `Fail`: ends the query as soon as there is a row, in the words of the first.

use millrace_model::{Batch, Error, ErrorKind, Result};
use millrace_plan::op;

use crate::compile::{Compile, Compiler, Place, Placed};
use crate::expressions::Exprs;
use crate::pipeline::{Completing, Upstream, Whole};
use crate::run::{Charge, Run};

pub(crate) struct Fail {
    message: Exprs,
    kind: ErrorKind,
}

/// The error of a row that says this.
pub(crate) fn failure(message: &millrace_model::Value, kind: ErrorKind) -> Error {
    let text = message.as_str().map_or_else(|| format!("{message:?}"), str::to_owned);
    Error::new(kind, text)
}

impl Whole for Fail {
    fn complete(
        &mut self,
        input: &mut Upstream<'_>,
        _charge: &mut Charge,
        run: &Run<'_>,
    ) -> Result<Batch> {
        let Some(batch) = input.next(run)? else { return Ok(Batch::default()) };
        let message = self.message.evaluate_one(&batch.take(&[0]), run)?;
        Err(failure(&message.value(0), self.kind))
    }
}

impl Compile for op::Fail {
    fn compile(&self, compiler: &Compiler<'_>, place: &Place<'_>) -> Result<Placed> {
        let (_, after) = place.keep();
        let message = compiler.exprs(place.layout, [&self.message])?;
        let fail = Fail { message, kind: self.kind };
        Ok((Box::new(Completing::new(fail)), after))
    }
}
