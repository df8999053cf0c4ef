//! `TERMINATE TRANSACTIONS`.

use super::show;
use crate::text::error::Read;
use crate::text::parser::Parser;
use crate::tree::Command;

/// `TERMINATE TRANSACTIONS 'id', …`.
pub(super) fn read_terminate(parser: &mut Parser<'_>) -> Read<Command> {
    let at = parser.position();
    parser.advance();
    parser.expect_one_of(&["TRANSACTIONS", "TRANSACTION"])?;
    let Some(ids) = show::read_ids(parser)? else {
        parser.expect_also("an id");
        return Err(parser.unexpected());
    };
    if parser.is_word("YIELD") || parser.is_word("SHOW") {
        let detail = "`TERMINATE TRANSACTIONS` joined to other commands is not supported";
        return Err(parser.refused(parser.position(), detail, "end the statement after the ids"));
    }
    Ok(Command::TerminateTransactions(at, ids))
}
