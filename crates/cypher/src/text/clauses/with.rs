//! `WITH`: the rows of the next part of a query.

use crate::text::error::Read;
use crate::text::parser::Parser;
use crate::tree::Clause;

/// `WITH … [WHERE test]`.
pub(super) fn read(parser: &mut Parser<'_>) -> Read<Clause> {
    let at = parser.position();
    parser.advance();
    let mut projection = parser.projection(at)?;
    projection.test = parser.test()?;
    Ok(Clause::With(projection))
}
