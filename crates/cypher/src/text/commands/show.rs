//! `SHOW`.

use std::sync::Arc;

use super::{indexes, refused};
use crate::text::error::Read;
use crate::text::parser::Parser;
use crate::tree::{Command, Expr, ExprKind, Literal, SchemaName, Show, Shown, Yield};

/// Words before `CONSTRAINTS`.
const CONSTRAINT_WORDS: [&str; 11] = [
    "ALL",
    "EXIST",
    "EXISTENCE",
    "KEY",
    "NODE",
    "PROPERTY",
    "REL",
    "RELATIONSHIP",
    "TYPE",
    "UNIQUE",
    "UNIQUENESS",
];

/// `SHOW …`.
pub(super) fn read(parser: &mut Parser<'_>) -> Read<Command> {
    let at = parser.position();
    if refused::is_refused(parser) {
        return refused::read(parser);
    }
    parser.advance();
    let (what, of) = Shown::read(parser)?;
    let mut show = Show { at, what, of, yields: None, test: None, paged: None, returns: None };
    if !parser.take_word("YIELD") {
        show.test = parser.test()?;
        return Ok(Command::Show(show));
    }
    let mut yields = Yield::read_items(parser)?;
    let begin = parser.position();
    let paged = parser.read_pages(begin)?;
    let has_pages = !paged.order.is_empty() || paged.skip.is_some() || paged.limit.is_some();
    show.paged = has_pages.then_some(paged);
    yields.test = parser.test()?;
    show.yields = Some(yields);
    let at = parser.position();
    if parser.take_word("RETURN") {
        show.returns = Some(parser.projection(at)?);
    }
    Ok(Command::Show(show))
}

impl Shown {
    /// What is shown, and of which: ids or names.
    fn read(parser: &mut Parser<'_>) -> Read<(Shown, Option<Expr>)> {
        if let Some(shown) = Shown::read_schema(parser)? {
            return Ok((shown, None));
        }
        if let Some(shown) = Shown::read_callable(parser)? {
            return Ok((shown, None));
        }
        if parser.take_one_of(&["TRANSACTIONS", "TRANSACTION"]) {
            return Ok((Shown::Transactions, read_ids(parser)?));
        }
        if parser.take_one_of(&["SETTINGS", "SETTING"]) {
            return Ok((Shown::Settings, read_ids(parser)?));
        }
        if parser.take_words(&["DEFAULT", "DATABASE"]) {
            return Ok((Shown::DefaultDatabase, None));
        }
        if parser.take_words(&["HOME", "DATABASE"]) {
            return Ok((Shown::HomeDatabase, None));
        }
        if parser.take_words(&["CURRENT", "USER"]) {
            return Ok((Shown::CurrentUser, None));
        }
        if parser.take_one_of(&["USERS", "USER"]) {
            return Ok((Shown::Users, None));
        }
        if parser.take_one_of(&["DATABASES", "DATABASE"]) {
            return Ok((Shown::Databases, read_database(parser)?));
        }
        Err(parser.unexpected())
    }

    fn read_schema(parser: &mut Parser<'_>) -> Read<Option<Shown>> {
        let before_index = ["INDEXES", "INDEX"];
        let is_index = |parser: &Parser<'_>, count| {
            before_index.iter().any(|word| parser.is_word_after(count, word))
        };
        if is_index(parser, 1) {
            let kind = indexes::read_kind(parser);
            if kind.is_none() && !parser.take_word("ALL") {
                return Err(parser.unexpected());
            }
            parser.advance();
            return Ok(Some(Shown::Indexes(kind)));
        }
        if parser.take_one_of(&before_index) {
            return Ok(Some(Shown::Indexes(None)));
        }
        let mut words = 0;
        while CONSTRAINT_WORDS.iter().any(|word| parser.is_word_after(words, word)) {
            words += 1;
        }
        let is_constraint =
            ["CONSTRAINTS", "CONSTRAINT"].iter().any(|word| parser.is_word_after(words, word));
        if !is_constraint {
            parser.expect_also("CONSTRAINTS");
            return Ok(None);
        }
        let mut written = Vec::new();
        for _ in 0..words {
            written.push(parser.written().to_uppercase());
            parser.advance();
        }
        parser.advance();
        let written = Some(written.join(" ")).filter(|text| !text.is_empty() && text != "ALL");
        Ok(Some(Shown::Constraints(written.map(Arc::from))))
    }

    fn read_callable(parser: &mut Parser<'_>) -> Read<Option<Shown>> {
        let is_functions = |parser: &Parser<'_>, count| {
            parser.is_word_after(count, "FUNCTIONS") || parser.is_word_after(count, "FUNCTION")
        };
        if parser.is_word("ALL") && is_functions(parser, 1) {
            parser.advance();
        }
        let built_in = if parser.take_words(&["BUILT", "IN"]) {
            Some(true)
        } else if parser.are_words(&["USER", "DEFINED"]) && is_functions(parser, 2) {
            parser.take_words(&["USER", "DEFINED"]).then_some(false)
        } else {
            None
        };
        let shown = if parser.take_one_of(&["FUNCTIONS", "FUNCTION"]) {
            Shown::Functions(built_in)
        } else if parser.take_one_of(&["PROCEDURES", "PROCEDURE"]) {
            Shown::Procedures
        } else {
            return Ok(None);
        };
        // Each user may call each of them.
        if parser.take_word("EXECUTABLE") && parser.take_word("BY") {
            let at = parser.position();
            if !parser.take_words(&["CURRENT", "USER"]) {
                let detail = "what another user may call is not supported";
                return Err(parser.refused(at, detail, "write `EXECUTABLE BY CURRENT USER`"));
            }
        }
        Ok(Some(shown))
    }
}

/// `'id', 'id'`, or an expression; several become a list.
pub(super) fn read_ids(parser: &mut Parser<'_>) -> Read<Option<Expr>> {
    let ends = parser.is_mark(";") || ["YIELD", "WHERE"].iter().any(|word| parser.is_word(word));
    if ends || parser.is_end() {
        parser.expect_also("YIELD");
        return Ok(None);
    }
    let at = parser.position();
    let mut ids = parser.list(Parser::expression)?;
    if ids.len() == 1 {
        return Ok(ids.pop());
    }
    Ok(Some(Expr::new(at, ExprKind::List(ids))))
}

fn read_database(parser: &mut Parser<'_>) -> Read<Option<Expr>> {
    let ends = parser.is_mark(";") || ["YIELD", "WHERE"].iter().any(|word| parser.is_word(word));
    if ends || parser.is_end() {
        return Ok(None);
    }
    Ok(Some(match SchemaName::read(parser, "a name")? {
        SchemaName::Name(at, name) => Expr::new(at, ExprKind::Literal(Literal::String(name))),
        SchemaName::Parameter(at, name) => Expr::new(at, ExprKind::Parameter(name)),
    }))
}
