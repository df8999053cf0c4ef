//! `FOREACH`: writes for each entry of a list.

use crate::text::error::Read;
use crate::text::parser::Parser;
use crate::tree::{Clause, Foreach};

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
