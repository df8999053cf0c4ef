//! Numbers of rows that an operator keeps or passes over, known with the plan or evaluated when the operator begins.

use millrace_model::{Batch, Result};
use millrace_plan::RowCount;

use crate::expressions::Exprs;
use crate::prepare::Compiler;
use crate::run::Run;

/// A number of rows, with its expressions resolved.
pub(crate) enum Rows {
    Number(u64),
    Sum(Exprs),
}

impl Rows {
    pub(super) fn compile(count: &RowCount, compiler: &Compiler<'_>) -> Result<Rows> {
        Ok(match count {
            RowCount::Number(number) => Rows::Number(*number),
            RowCount::Sum(parts) => Rows::Sum(compiler.exprs(&[], parts)?),
        })
    }

    /// The number; an error if it is none.
    pub(super) fn get(&self, run: &Run<'_>) -> Result<u64> {
        match self {
            Rows::Number(number) => Ok(*number),
            Rows::Sum(parts) => {
                let values = parts.evaluate(&Batch::unit(), run)?;
                RowCount::sum(values.iter().map(|value| value.value(0)))
            }
        }
    }
}
