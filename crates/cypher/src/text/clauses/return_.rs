//! `RETURN`: the result of a query.

use crate::text::error::Read;
use crate::text::parser::Parser;
use crate::tree::Clause;

/// `RETURN …`.
pub(super) fn read(parser: &mut Parser<'_>) -> Read<Clause> {
    let at = parser.position();
    parser.advance();
    parser.projection(at).map(Clause::Return)
}
