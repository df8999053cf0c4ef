//! Numbers of rows that an operator keeps or passes over, known with the plan or evaluated when the operator begins.

use millrace_model::{Batch, Result};
use millrace_plan::RowCount;

use crate::compile::Compiler;
use crate::expressions::Exprs;
use crate::pipeline::Upstream;
use crate::run::Run;

/// A number of rows, with its expressions resolved.
pub(crate) enum CompiledRowCount {
    Number(u64),
    Sum(Exprs),
}

impl CompiledRowCount {
    pub(crate) fn compile(count: &RowCount, compiler: &Compiler<'_>) -> Result<Self> {
        Ok(match count {
            RowCount::Number(number) => Self::Number(*number),
            RowCount::Sum(parts) => Self::Sum(compiler.exprs(&[], parts)?),
        })
    }

    /// The number, for an operator that is asked for rows; an error if it is none. A branch that no row entered does
    /// not run, so nothing is evaluated in it.
    pub(crate) fn get(&self, input: &Upstream<'_>, run: &Run<'_>) -> Result<u64> {
        match self {
            Self::Number(number) => Ok(*number),
            Self::Sum(_) if input.scopes().len() == 0 => Ok(0),
            Self::Sum(parts) => {
                let values = parts.evaluate(&Batch::unit(), run)?;
                RowCount::sum(values.iter().map(|value| value.value(0)))
            }
        }
    }
}
