//! `LOAD CSV`.

use std::sync::Arc;

use millrace_model::{Result, TextPosition, Value};
use millrace_plan::{Expr as PlanExpr, op};

use super::Clause;
use crate::expressions::value_of;
use crate::text::{Parser, Read, Token};
use crate::translate::{Record, Translator};
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
    /// A row for each record; the file and the line of the record go along, for `file()` and `linenumber()`.
    pub(super) fn translate(&self, translator: &mut Translator<'_>) -> Result<()> {
        let separator = self.separator.clone().map_or(Value::Null, Value::String);
        let arguments = vec![
            value_of(translator, &self.url)?,
            PlanExpr::literal(self.headers),
            PlanExpr::Literal(separator),
        ];
        let row = translator.new_column(&self.variable);
        let (file, line) = (translator.plan.column("file"), translator.plan.column("line"));
        let yields = vec![("row".into(), row), ("file".into(), file), ("line".into(), line)];
        let procedure = "dbms.loadCsv".into();
        translator.plan.push(op::Call { procedure, arguments, yields, writes: false });
        translator.bind(&self.variable, row);
        translator.record = Some(Record { file, line });
        Ok(())
    }
}
