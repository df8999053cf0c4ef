//! `DELETE` and `DETACH DELETE`.

use crate::text::error::Read;
use crate::text::parser::Parser;
use crate::tree::{Clause, Delete};

/// `DELETE …`, `DETACH DELETE …`, `NODETACH DELETE …`.
pub(super) fn read(parser: &mut Parser<'_>) -> Read<Clause> {
    let at = parser.position();
    let detach = parser.take_word("DETACH");
    if !detach {
        parser.take_word("NODETACH");
    }
    parser.expect_word("DELETE")?;
    let exprs = parser.list(Parser::expression)?;
    Ok(Clause::Delete(Delete { at, detach, exprs }))
}
