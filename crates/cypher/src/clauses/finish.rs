//! `FINISH`: a query without a result.

use super::Clause;
use crate::text::{Parser, Read};

/// `FINISH`.
pub(super) fn read(parser: &mut Parser<'_>) -> Read<Clause> {
    let at = parser.position();
    parser.advance();
    Ok(Clause::Finish(at))
}
