//! `FOREACH`: writes for each entry of a list.

use millrace_model::TextPosition;

use super::Clause;
use crate::text::{Parser, Read};
use crate::tree::{Expr, Variable};

/// `FOREACH (variable IN list | clauses)`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Foreach {
    pub(crate) at: TextPosition,
    pub(crate) variable: Variable,
    pub(crate) list: Expr,
    pub(crate) clauses: Vec<Clause>,
}

/// `FOREACH …`.
pub(super) fn read(parser: &mut Parser<'_>) -> Read<Clause> {
    let at = parser.position();
    parser.advance();
    parser.expect("(")?;
    let variable = parser.variable()?;
    parser.expect_word("IN")?;
    let list = parser.with_pipe_ending(true, Parser::expression)?;
    parser.expect("|")?;
    let clauses = parser.nested(|parser| parser.clauses(Some(")")))?;
    parser.expect(")")?;
    Ok(Clause::Foreach(Foreach { at, variable, list, clauses }))
}
