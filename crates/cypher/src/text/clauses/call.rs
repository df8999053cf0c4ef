//! `CALL` of a procedure.

use millrace_model::TextPosition;

use super::call_subquery;
use crate::text::error::Read;
use crate::text::parser::Parser;
use crate::tree::{Call, Clause, Expr, Yield, YieldItem};

/// `CALL …`, of a procedure or of a subquery.
pub(super) fn read(parser: &mut Parser<'_>) -> Read<Clause> {
    let at = parser.position();
    read_optional(parser, at, false)
}

/// The same behind `OPTIONAL`.
pub(super) fn read_optional(
    parser: &mut Parser<'_>,
    at: TextPosition,
    optional: bool,
) -> Read<Clause> {
    parser.expect_word("CALL")?;
    if parser.is_mark("{") || parser.is_mark("(") {
        return call_subquery::read(parser, at, optional).map(Clause::CallSubquery);
    }
    let name = parser.dotted_name("a procedure")?;
    let arguments = match parser.take("(") {
        true => Some(read_arguments(parser)?),
        false => None,
    };
    let yields = match parser.take_word("YIELD") {
        true => Some(Yield::read(parser)?),
        false => None,
    };
    Ok(Clause::Call(Call { at, optional, name, arguments, yields }))
}

fn read_arguments(parser: &mut Parser<'_>) -> Read<Vec<Expr>> {
    if parser.take(")") {
        return Ok(Vec::new());
    }
    let arguments = parser.list(Parser::expression)?;
    parser.expect(")")?;
    Ok(arguments)
}

impl Yield {
    /// The items and their test, behind `YIELD`.
    pub(crate) fn read(parser: &mut Parser<'_>) -> Read<Yield> {
        let mut yields = Yield::read_items(parser)?;
        yields.test = parser.test()?;
        Ok(yields)
    }

    /// The items only.
    pub(crate) fn read_items(parser: &mut Parser<'_>) -> Read<Yield> {
        let all = parser.take("*");
        let items = match all || parser.take("-") {
            true => Vec::new(),
            false => parser.list(YieldItem::read)?,
        };
        Ok(Yield { all, items, test: None })
    }
}

impl YieldItem {
    fn read(parser: &mut Parser<'_>) -> Read<YieldItem> {
        let at = parser.position();
        let variable = parser.variable()?;
        let column = variable.name.clone();
        let variable = match parser.take_word("AS") {
            true => parser.variable()?,
            false => variable,
        };
        Ok(YieldItem { at, column, variable })
    }
}
