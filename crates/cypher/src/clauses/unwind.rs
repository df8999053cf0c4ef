//! `UNWIND`: a row for each entry of a list.

use millrace_model::{Result, TextPosition};
use millrace_plan::op;

use super::Clause;
use crate::expressions::list_or_single;
use crate::text::{Parser, Read};
use crate::translate::Translator;
use crate::tree::{Expr, Variable};

/// `UNWIND list AS variable`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Unwind {
    pub(crate) at: TextPosition,
    pub(crate) list: Expr,
    pub(crate) variable: Variable,
}

/// `UNWIND …`.
pub(super) fn read(parser: &mut Parser<'_>) -> Read<Clause> {
    let at = parser.position();
    parser.advance();
    let list = parser.expression()?;
    parser.expect_word("AS")?;
    let variable = parser.variable()?;
    Ok(Clause::Unwind(Unwind { at, list, variable }))
}

impl Unwind {
    /// A value that is no list is its own only entry; null has none.
    pub(super) fn translate(&self, translator: &mut Translator<'_>) -> Result<()> {
        let list = list_or_single(translator, &self.list)?;
        let to = translator.new_column(&self.variable);
        translator.plan.push(op::Unwind { list, to, position: None });
        translator.bind(&self.variable, to);
        Ok(())
    }
}
