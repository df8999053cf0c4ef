//! `LOAD CSV`.

use std::sync::Arc;

use crate::text::error::Read;
use crate::text::lexer::Token;
use crate::text::parser::Parser;
use crate::tree::{Clause, LoadCsv};

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
