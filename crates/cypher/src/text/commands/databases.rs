//! `CREATE`, `DROP` and `ALTER` of databases.

use millrace_model::TextPosition;

use super::{read_if_exists, read_if_not_exists, read_options, refused};
use crate::text::error::Read;
use crate::text::lexer::Token;
use crate::text::parser::Parser;
use crate::tree::{AlterDatabase, Command, CreateDatabase, SchemaName};

/// `DATABASE …` behind `CREATE [OR REPLACE]`.
pub(super) fn read_create(
    parser: &mut Parser<'_>,
    at: TextPosition,
    or_replace: bool,
) -> Read<Command> {
    parser.advance();
    let name = SchemaName::read(parser, "the name of a database")?;
    let if_not_exists = read_if_not_exists(parser)?;
    refuse_endings(parser)?;
    let options = read_options(parser)?;
    read_wait(parser)?;
    Ok(Command::CreateDatabase(CreateDatabase { at, name, or_replace, if_not_exists, options }))
}

/// `ALTER DATABASE …`.
pub(super) fn read_alter(parser: &mut Parser<'_>) -> Read<Command> {
    let at = parser.position();
    if refused::is_refused(parser) {
        return refused::read(parser);
    }
    parser.advance();
    parser.expect_word("DATABASE")?;
    let name = SchemaName::read(parser, "the name of a database")?;
    let if_exists = read_if_exists(parser)?;
    let place = parser.position();
    if parser.is_word("REMOVE")
        || parser.are_words(&["SET", "ACCESS"])
        || parser.are_words(&["SET", "TOPOLOGY"])
    {
        let detail = "this change of a database is not supported";
        return Err(parser.refused(place, detail, "`SET OPTION key value` is"));
    }
    parser.expect_word("SET")?;
    parser.expect_word("OPTION")?;
    let option = parser.dotted_name("an option")?;
    let value = parser.expression()?;
    read_wait(parser)?;
    Ok(Command::AlterDatabase(AlterDatabase { at, name, if_exists, option, value }))
}

/// `TOPOLOGY`, `DUMP DATA` and their kind, which are refused; `DESTROY DATA` is the default.
pub(super) fn refuse_endings(parser: &mut Parser<'_>) -> Read<()> {
    parser.take_word("RESTRICT");
    parser.take_words(&["DESTROY", "DATA"]);
    for word in ["TOPOLOGY", "DUMP", "CASCADE", "SET"] {
        if parser.is_word(word) {
            let detail = format!("`{word}` of a database is not supported");
            return Err(parser.refused(parser.position(), detail, "leave it out"));
        }
    }
    Ok(())
}

/// `WAIT n SECONDS`, `NOWAIT`: a command is done when it answers, in any case.
pub(super) fn read_wait(parser: &mut Parser<'_>) -> Read<()> {
    if parser.take_word("NOWAIT") || !parser.take_word("WAIT") {
        return Ok(());
    }
    if matches!(parser.token(), Token::Integer(_)) {
        parser.advance();
        parser.take_one_of(&["SECONDS", "SECOND", "SEC"]);
    }
    Ok(())
}
