//! `UNWIND`: a row for each entry of a list.

use crate::text::error::Read;
use crate::text::parser::Parser;
use crate::tree::{Clause, Unwind};

/// `UNWIND …`.
pub(super) fn read(parser: &mut Parser<'_>) -> Read<Clause> {
    let at = parser.position();
    parser.advance();
    let list = parser.expression()?;
    parser.expect_word("AS")?;
    let variable = parser.variable()?;
    Ok(Clause::Unwind(Unwind { at, list, variable }))
}
