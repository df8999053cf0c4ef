//! `DELETE` and `DETACH DELETE`.

use millrace_model::TextPosition;

use super::Clause;
use crate::text::{Parser, Read};
use crate::tree::Expr;

/// `[DETACH] DELETE expressions`; `NODETACH` is the default.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Delete {
    pub(crate) at: TextPosition,
    pub(crate) detach: bool,
    pub(crate) exprs: Vec<Expr>,
}

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
