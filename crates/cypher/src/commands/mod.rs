//! Commands: indexes, constraints, databases, `SHOW`. A file for each family, with its syntax and its reader.

mod columns;
mod constraints;
mod databases;
mod drop;
mod indexes;
mod plan;
mod refused;
mod show;
mod transactions;
mod types;

pub(crate) use columns::ShownColumn;
pub(crate) use constraints::{CreateConstraint, Requirement};
pub(crate) use databases::{AlterDatabase, CreateDatabase};
pub(crate) use drop::Drop;
pub(crate) use indexes::{CreateIndex, IndexKind, On};
pub(crate) use plan::translate;
pub(crate) use show::{Show, Shown};

use std::sync::Arc;

use millrace_model::TextPosition;

use crate::text::{Parser, Read, Token};
use crate::tree::{Expr, Name};

/// A command.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "a statement has one, and it is seldom moved")]
pub(crate) enum Command {
    CreateIndex(CreateIndex),
    CreateConstraint(CreateConstraint),
    /// `DROP INDEX name [IF EXISTS]`.
    DropIndex(Drop),
    /// `DROP CONSTRAINT name [IF EXISTS]`.
    DropConstraint(Drop),
    Show(Show),
    /// `TERMINATE TRANSACTIONS 'id', …`.
    TerminateTransactions(TextPosition, Expr),
    CreateDatabase(CreateDatabase),
    /// `DROP DATABASE name [IF EXISTS]`.
    DropDatabase(Drop),
    AlterDatabase(AlterDatabase),
    /// A command that is known by its name and refused: `CREATE USER`, `GRANT` …
    Refused(TextPosition, Name),
}

/// A name, given or not.
pub(crate) type MaybeName = Option<SchemaName>;

/// A name in a command: written, or a parameter.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum SchemaName {
    Name(TextPosition, Name),
    Parameter(TextPosition, Name),
}

/// How a command is read.
pub(crate) struct CommandReader {
    /// The word that it begins with.
    pub(crate) keyword: &'static str,
    /// Reads it, that word included.
    pub(crate) read: fn(&mut Parser<'_>) -> Read<Command>,
}

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
    let Token::Word(word) = parser.token() else { return None };
    let reader = COMMANDS.iter().find(|reader| reader.keyword.eq_ignore_ascii_case(word))?;
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

impl Command {
    /// Whether it is about the program rather than about a graph, or changes what there is.
    pub(crate) fn is_administrative(&self) -> bool {
        match self {
            Command::Show(show) => match show.what {
                Shown::Databases
                | Shown::DefaultDatabase
                | Shown::HomeDatabase
                | Shown::Users
                | Shown::CurrentUser => true,
                Shown::Indexes(_)
                | Shown::Constraints(_)
                | Shown::Functions(_)
                | Shown::Procedures
                | Shown::Transactions
                | Shown::Settings => false,
            },
            Command::CreateIndex(_)
            | Command::CreateConstraint(_)
            | Command::DropIndex(_)
            | Command::DropConstraint(_)
            | Command::TerminateTransactions(..)
            | Command::CreateDatabase(_)
            | Command::DropDatabase(_)
            | Command::AlterDatabase(_)
            | Command::Refused(..) => true,
        }
    }

    /// Whether it means the same whichever graph it is sent to.
    pub(crate) fn works_without_graph(&self) -> bool {
        match self {
            Command::CreateIndex(_)
            | Command::CreateConstraint(_)
            | Command::DropIndex(_)
            | Command::DropConstraint(_) => false,
            Command::Show(show) => match show.what {
                Shown::Indexes(_) | Shown::Constraints(_) => false,
                Shown::Functions(_)
                | Shown::Procedures
                | Shown::Transactions
                | Shown::Databases
                | Shown::DefaultDatabase
                | Shown::HomeDatabase
                | Shown::Users
                | Shown::CurrentUser
                | Shown::Settings => true,
            },
            Command::TerminateTransactions(..)
            | Command::CreateDatabase(_)
            | Command::DropDatabase(_)
            | Command::AlterDatabase(_)
            | Command::Refused(..) => true,
        }
    }
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
