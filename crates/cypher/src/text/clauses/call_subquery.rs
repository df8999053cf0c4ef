//! `CALL { … }` and `CALL (x) { … }`.

use millrace_model::TextPosition;

use crate::text::error::Read;
use crate::text::parser::Parser;
use crate::tree::{CallSubquery, Expr, Imports, InTransactions, OnError};

/// What stands behind `CALL`.
pub(super) fn read(
    parser: &mut Parser<'_>,
    at: TextPosition,
    optional: bool,
) -> Read<CallSubquery> {
    let imports = match parser.take("(") {
        true => Some(Imports::read(parser)?),
        false => None,
    };
    parser.expect("{")?;
    let query = parser.query(Some("}"))?;
    parser.expect("}")?;
    let in_transactions = InTransactions::read(parser)?;
    Ok(CallSubquery { at, optional, imports, query, in_transactions })
}

impl Imports {
    fn read(parser: &mut Parser<'_>) -> Read<Imports> {
        let imports = if parser.take("*") {
            Imports::All
        } else if parser.is_mark(")") {
            Imports::Listed(Vec::new())
        } else {
            Imports::Listed(parser.list(Parser::variable)?)
        };
        parser.expect(")")?;
        Ok(imports)
    }
}

impl InTransactions {
    /// `IN n CONCURRENT TRANSACTIONS OF m ROWS ON ERROR … REPORT STATUS AS s`, if it is there.
    fn read(parser: &mut Parser<'_>) -> Read<Option<InTransactions>> {
        let at = parser.position();
        if !parser.take_word("IN") {
            return Ok(None);
        }
        let concurrent = InTransactions::read_concurrency(parser)?;
        parser.expect_one_of(&["TRANSACTIONS", "TRANSACTION"])?;
        let on_error = OnError::Fail;
        let mut read = InTransactions { at, concurrent, rows: None, on_error, status: None };
        loop {
            if parser.take_word("OF") {
                read.rows = Some(parser.expression()?);
                parser.expect_one_of(&["ROWS", "ROW"])?;
            } else if parser.take_word("ON") {
                parser.expect_word("ERROR")?;
                read.on_error = OnError::read(parser)?;
            } else if parser.take_word("REPORT") {
                parser.expect_word("STATUS")?;
                parser.expect_word("AS")?;
                read.status = Some(parser.variable()?);
            } else {
                return Ok(Some(read));
            }
        }
    }

    fn read_concurrency(parser: &mut Parser<'_>) -> Read<Option<Option<Expr>>> {
        if parser.take_word("CONCURRENT") {
            return Ok(Some(None));
        }
        if parser.is_word("TRANSACTIONS") || parser.is_word("TRANSACTION") {
            parser.expect_also("CONCURRENT");
            return Ok(None);
        }
        let count = parser.expression()?;
        parser.expect_word("CONCURRENT")?;
        Ok(Some(Some(count)))
    }
}

impl OnError {
    fn read(parser: &mut Parser<'_>) -> Read<OnError> {
        let at = parser.position();
        if parser.take_word("FAIL") {
            Ok(OnError::Fail)
        } else if parser.take_word("BREAK") {
            Ok(OnError::Break)
        } else if parser.take_word("CONTINUE") {
            Ok(OnError::Continue)
        } else if parser.is_word("RETRY") {
            let detail = "`ON ERROR RETRY` is not supported";
            let help = "write `ON ERROR CONTINUE REPORT STATUS AS s` and repeat what failed";
            Err(parser.refused(at, detail, help))
        } else {
            Err(parser.unexpected())
        }
    }
}
