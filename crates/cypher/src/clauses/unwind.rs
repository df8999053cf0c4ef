//! `UNWIND`: a row for each entry of a list.

use millrace_model::TextPosition;

use super::Clause;
use crate::text::{Parser, Read};
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
