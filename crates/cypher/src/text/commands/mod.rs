//! The readers of commands: a file for each family.
//!
//! What a command does belongs to `commands`, and never here.

mod constraints;
mod databases;
mod drop;
mod indexes;
mod refused;
mod show;
mod transactions;

use std::sync::Arc;

use super::error::Read;
use super::lexer::Token;
use super::parser::{CommandReader, Parser};
use crate::tree::{Command, Expr, MaybeName, SchemaName};

/// The words that commands begin with, in order.
pub(crate) const COMMANDS: &[CommandReader] = &[
    CommandReader { keyword: "ALTER", read: databases::read_alter },
    CommandReader { keyword: "CREATE", read: read_create },
    CommandReader { keyword: "DEALLOCATE", read: refused::read },
    CommandReader { keyword: "DENY", read: refused::read },
    CommandReader { keyword: "DROP", read: drop::read },
    CommandReader { keyword: "DRYRUN", read: refused::read },
    CommandReader { keyword: "ENABLE", read: refused::read },
    CommandReader { keyword: "GRANT", read: refused::read },
    CommandReader { keyword: "REALLOCATE", read: refused::read },
    CommandReader { keyword: "RENAME", read: refused::read },
    CommandReader { keyword: "REVOKE", read: refused::read },
    CommandReader { keyword: "SHOW", read: show::read },
    CommandReader { keyword: "START", read: refused::read },
    CommandReader { keyword: "STOP", read: refused::read },
    CommandReader { keyword: "TERMINATE", read: transactions::read_terminate },
];

/// The reader of the command that begins here; `CREATE` and `START` begin clauses too.
pub(crate) fn command_reader(parser: &Parser<'_>) -> Option<&'static CommandReader> {
    let reader = parser.command_reader()?;
    let is_command = match reader.keyword {
        "CREATE" => {
            let has_word = matches!(parser.token_after(1), Token::Word(_));
            let is_path = parser.is_mark_after(2, "=") || parser.is_mark_after(2, "(");
            has_word && !is_path && !parser.are_words(&["CREATE", "UNIQUE"])
        }
        "START" => parser.are_words(&["START", "DATABASE"]),
        _ => true,
    };
    is_command.then_some(reader)
}

/// `CREATE …` of anything but a pattern.
fn read_create(parser: &mut Parser<'_>) -> Read<Command> {
    let at = parser.position();
    if refused::is_refused(parser) {
        return refused::read(parser);
    }
    parser.advance();
    let or_replace = parser.take_words(&["OR", "REPLACE"]);
    if parser.is_word("DATABASE") {
        return databases::read_create(parser, at, or_replace);
    }
    parser.expect_also("DATABASE");
    if or_replace {
        return Err(parser.unexpected());
    }
    if parser.is_word("CONSTRAINT") {
        return constraints::read_create(parser, at);
    }
    parser.expect_also("CONSTRAINT");
    indexes::read_create(parser, at)
}

impl SchemaName {
    /// A name, perhaps with points in it, or a parameter.
    pub(crate) fn read(parser: &mut Parser<'_>, kind: &'static str) -> Read<SchemaName> {
        let at = parser.position();
        if let Token::Parameter(name) = parser.token() {
            let name = Arc::clone(name);
            parser.advance();
            return Ok(SchemaName::Parameter(at, name));
        }
        Ok(SchemaName::Name(at, parser.dotted_name(kind)?))
    }

    /// A name, if one stands before `IF NOT EXISTS` or `FOR`.
    fn read_maybe(parser: &mut Parser<'_>, kind: &'static str) -> Read<MaybeName> {
        let is_for = parser.is_word("FOR") && parser.is_mark_after(1, "(");
        if is_for || parser.are_words(&["IF", "NOT"]) {
            return Ok(None);
        }
        SchemaName::read(parser, kind).map(Some)
    }
}

/// `IF NOT EXISTS`, if it is there.
fn read_if_not_exists(parser: &mut Parser<'_>) -> Read<bool> {
    if !parser.take_word("IF") {
        return Ok(false);
    }
    parser.expect_word("NOT")?;
    parser.expect_word("EXISTS")?;
    Ok(true)
}

/// `IF EXISTS`, if it is there.
fn read_if_exists(parser: &mut Parser<'_>) -> Read<bool> {
    if !parser.take_word("IF") {
        return Ok(false);
    }
    parser.expect_word("EXISTS")?;
    Ok(true)
}

/// `OPTIONS {…}`, if it is there.
fn read_options(parser: &mut Parser<'_>) -> Read<Option<Expr>> {
    if !parser.take_word("OPTIONS") {
        return Ok(None);
    }
    match parser.token() {
        Token::Mark("{") | Token::Parameter(_) => parser.expression().map(Some),
        _ => {
            parser.expect_also("{");
            Err(parser.unexpected())
        }
    }
}
