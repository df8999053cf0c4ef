//! `DROP` of indexes, constraints and databases.

use millrace_model::TextPosition;

use super::{databases, read_if_exists, refused};
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
        refuse_old_form(parser, "INDEX")?;
        return read_behind(parser, at).map(Command::DropIndex);
    }
    if parser.take_word("CONSTRAINT") {
        refuse_old_form(parser, "CONSTRAINT")?;
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

/// `DROP INDEX ON :Label(key)`, `DROP CONSTRAINT ON (n:Label) ASSERT …`.
fn refuse_old_form(parser: &Parser<'_>, kind: &str) -> Read<()> {
    let is_old =
        parser.is_word("ON") && (parser.is_mark_after(1, ":") || parser.is_mark_after(1, "("));
    if !is_old {
        return Ok(());
    }
    let detail = format!("`DROP {kind} ON` is not supported");
    let plural = if kind == "INDEX" { "INDEXES" } else { "CONSTRAINTS" };
    let help = format!("write `DROP {kind} name`; `SHOW {plural}` lists the names");
    Err(parser.refused(parser.position(), detail, help))
}
