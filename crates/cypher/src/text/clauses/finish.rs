//! `FINISH`: a query without a result.

use crate::text::error::Read;
use crate::text::parser::Parser;
use crate::tree::Clause;

/// `FINISH`.
pub(super) fn read(parser: &mut Parser<'_>) -> Read<Clause> {
    let at = parser.position();
    parser.advance();
    Ok(Clause::Finish(at))
}
