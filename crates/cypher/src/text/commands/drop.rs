//! `DROP` of indexes, constraints and databases.

use millrace_model::TextPosition;

use super::{constraints, databases, indexes, read_if_exists, refused};
use crate::text::error::Read;
use crate::text::parser::Parser;
use crate::tree::{Command, Drop, SchemaName};

/// `DROP …`.
pub(super) fn read(parser: &mut Parser<'_>) -> Read<Command> {
    let at = parser.position();
    if refused::is_refused(parser) {
        return refused::read(parser);
    }
    parser.advance();
    if parser.take_word("INDEX") {
        if parser.is_word("ON") && parser.is_mark_after(1, ":") {
            return indexes::read_old_form(parser, at).map(Command::DropIndexOn);
        }
        return read_behind(parser, at).map(Command::DropIndex);
    }
    if parser.take_word("CONSTRAINT") {
        if parser.is_word("ON") && parser.is_mark_after(1, "(") {
            return constraints::read_old_form(parser, at, None).map(Command::DropConstraintOn);
        }
        return read_behind(parser, at).map(Command::DropConstraint);
    }
    parser.expect_word("DATABASE")?;
    let drop = read_behind(parser, at)?;
    databases::refuse_endings(parser)?;
    databases::read_wait(parser)?;
    Ok(Command::DropDatabase(drop))
}

fn read_behind(parser: &mut Parser<'_>, at: TextPosition) -> Read<Drop> {
    let name = SchemaName::read(parser, "a name")?;
    let if_exists = read_if_exists(parser)?;
    Ok(Drop { at, name, if_exists })
}
