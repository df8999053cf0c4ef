//! `FOREACH`: writes for each entry of a list.

use millrace_model::{Result, TextPosition};
use millrace_plan::op::{self, ApplyKind};

use super::Clause;
use crate::expressions::list_or_single;
use crate::text::{Parser, Read};
use crate::translate::Translator;
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

impl Foreach {
    pub(super) fn translate(&self, translator: &mut Translator<'_>) -> Result<()> {
        let list = list_or_single(translator, &self.list)?;
        let (sub, ()) = translator.sub(|sub| {
            let to = sub.new_column(&self.variable);
            sub.plan.push(op::Unwind { list, to, position: None });
            sub.bind(&self.variable, to);
            self.clauses.iter().try_for_each(|clause| clause.translate(sub).map(drop))
        })?;
        translator.apply(sub, ApplyKind::Effect);
        Ok(())
    }
}
