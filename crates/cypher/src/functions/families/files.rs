//! Functions of `LOAD CSV`.

use millrace_model::{Result, Value};
use millrace_plan::Expr;

use crate::functions::row::Make::With;
use crate::functions::row::{FunctionRow, function, is};
use crate::translate::Translator;
use crate::types::Kind as K;

/// The rows, by name.
pub(in crate::functions) const ROWS: &[FunctionRow] = &[
    function(
        "file",
        &[],
        is(K::String),
        With(file),
        "The file that `LOAD CSV` reads, by its path within the folder of files, or null.",
    ),
    function(
        "linenumber",
        &[],
        is(K::Integer),
        With(line),
        "The line in which the record begins that `LOAD CSV` reads, or null.",
    ),
];

fn file(translator: &mut Translator<'_>, _: Vec<Expr>) -> Result<Expr> {
    let column = translator.record.map(|record| Expr::Column(record.file));
    Ok(column.unwrap_or(Expr::Literal(Value::Null)))
}

fn line(translator: &mut Translator<'_>, _: Vec<Expr>) -> Result<Expr> {
    let column = translator.record.map(|record| Expr::Column(record.line));
    Ok(column.unwrap_or(Expr::Literal(Value::Null)))
}
