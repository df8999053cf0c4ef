//! `MATCH` and `OPTIONAL MATCH`.

use millrace_model::TextPosition;

use super::call;
use crate::text::error::Read;
use crate::text::parser::Parser;
use crate::tree::{Clause, Match};

/// `MATCH …`, and what begins with `OPTIONAL`.
pub(super) fn read(parser: &mut Parser<'_>) -> Read<Clause> {
    let at = parser.position();
    let optional = parser.take_word("OPTIONAL");
    if optional && parser.is_word("CALL") {
        return call::read_optional(parser, at, true);
    }
    parser.expect_word("MATCH")?;
    Match::read_behind(parser, at, optional).map(Clause::Match)
}

impl Match {
    /// What stands behind `MATCH`.
    pub(crate) fn read_behind(
        parser: &mut Parser<'_>,
        at: TextPosition,
        optional: bool,
    ) -> Read<Match> {
        let repeatable = read_mode(parser)?;
        let patterns = parser.list(Parser::path_pattern)?;
        while begins_hint(parser) {
            read_hint(parser)?;
        }
        let test = parser.test()?;
        Ok(Match { at, optional, repeatable, patterns, test })
    }
}

/// `REPEATABLE ELEMENTS`, `DIFFERENT RELATIONSHIPS` and their longer forms; true for the former.
fn read_mode(parser: &mut Parser<'_>) -> Read<bool> {
    let is_path = parser.is_mark_after(1, "=");
    let repeatable = !is_path && parser.is_word("REPEATABLE");
    if !repeatable && (is_path || !parser.is_word("DIFFERENT")) {
        return Ok(false);
    }
    parser.advance();
    let elements: [&'static str; 2] = match repeatable {
        true => ["ELEMENTS", "ELEMENT"],
        false => ["RELATIONSHIPS", "RELATIONSHIP"],
    };
    parser.expect_one_of(&elements)?;
    parser.take_one_of(&["BINDINGS"]);
    Ok(repeatable)
}

fn begins_hint(parser: &Parser<'_>) -> bool {
    parser.is_word("USING") && !parser.are_words(&["USING", "PERIODIC"])
}

/// Hints for a planner are read and have no effect: they never change a result.
fn read_hint(parser: &mut Parser<'_>) -> Read<()> {
    parser.advance();
    if parser.take_word("JOIN") {
        parser.expect_word("ON")?;
        return parser.list(Parser::variable).map(|_| ());
    }
    let is_scan = parser.take_word("SCAN");
    if !is_scan {
        parser.take_one_of(&["TEXT", "RANGE", "POINT", "BTREE"]);
        parser.expect_word("INDEX")?;
        if !parser.is_mark_after(1, ":") {
            parser.take_word("SEEK");
        }
    }
    parser.variable()?;
    parser.expect(":")?;
    parser.name("a label or type")?;
    if !is_scan {
        parser.expect("(")?;
        parser.list(|parser| parser.name("a key"))?;
        parser.expect(")")?;
    }
    Ok(())
}
