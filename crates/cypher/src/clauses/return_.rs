//! `RETURN`: the result of a query.

use super::Clause;
use crate::text::{Parser, Read};

/// `RETURN …`.
pub(super) fn read(parser: &mut Parser<'_>) -> Read<Clause> {
    let at = parser.position();
    parser.advance();
    parser.projection(at).map(Clause::Return)
}
