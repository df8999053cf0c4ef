//! `LOAD CSV`.

use std::sync::Arc;

use millrace_model::{Result, TextPosition};

use super::Clause;
use crate::text::{Parser, Read, Token};
use crate::translate::{Translator, unsupported};
use crate::tree::{Expr, Variable};

/// `LOAD CSV [WITH HEADERS] FROM url AS variable [FIELDTERMINATOR ';']`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct LoadCsv {
    pub(crate) at: TextPosition,
    pub(crate) headers: bool,
    pub(crate) url: Expr,
    pub(crate) variable: Variable,
    pub(crate) separator: Option<Arc<str>>,
}

/// `LOAD CSV …`.
pub(super) fn read(parser: &mut Parser<'_>) -> Read<Clause> {
    let at = parser.position();
    parser.advance();
    parser.expect_word("CSV")?;
    let headers = parser.take_word("WITH");
    if headers {
        parser.expect_word("HEADERS")?;
    }
    parser.expect_word("FROM")?;
    let url = parser.expression()?;
    parser.expect_word("AS")?;
    let variable = parser.variable()?;
    let separator = match parser.take_word("FIELDTERMINATOR") {
        true => Some(read_separator(parser)?),
        false => None,
    };
    Ok(Clause::LoadCsv(LoadCsv { at, headers, url, variable, separator }))
}

fn read_separator(parser: &mut Parser<'_>) -> Read<Arc<str>> {
    let Token::Text(separator) = parser.token() else {
        parser.expect_also("a string");
        return Err(parser.unexpected());
    };
    let separator = Arc::clone(separator);
    parser.advance();
    Ok(separator)
}

/// `USING PERIODIC COMMIT`, which is refused.
pub(super) fn read_periodic(parser: &mut Parser<'_>) -> Read<Clause> {
    if !parser.are_words(&["USING", "PERIODIC"]) {
        return Err(parser.unexpected());
    }
    let help = "write `LOAD CSV … CALL (row) { … } IN TRANSACTIONS OF 1000 ROWS`";
    parser.removed_clause("USING PERIODIC COMMIT", help)
}

impl LoadCsv {
    pub(super) fn translate(&self, _: &mut Translator<'_>) -> Result<()> {
        let help =
            "send the rows as a parameter and UNWIND it, or load the file with `millrace load`";
        Err(unsupported(self.at, "LOAD CSV", help))
    }
}
