//! Errors of queries that parse and cannot be meant.

use millrace_model::{Error, ErrorKind, Phase, Value};
use millrace_plan::Expr;
use millrace_plan::functions::{Function, Wanted};

use crate::text::position;
use crate::tree::Offset;

/// An error at a byte of the text.
pub(super) fn wrong(text: &str, at: Offset, detail: impl Into<String>) -> Error {
    Error::new(ErrorKind::BadQuery, detail).in_phase(Phase::Compile).at(position(text, at))
}

/// A condition that holds, or fails the run with a message where a test is true.
pub(crate) fn refused_where(test: Expr, message: &str) -> Expr {
    let none = Expr::Literal(Value::Null);
    let holds = Some(Box::new(Expr::literal(true)));
    let value = Expr::Case { branches: vec![(test, none)], otherwise: holds };
    let message = Expr::literal(message);
    Expr::call(Function::Require(Wanted::Anything), vec![value, message.clone(), message])
}

/// What is not supported, with what to do instead.
pub(super) fn unsupported(text: &str, at: Offset, what: &str, help: &str) -> Error {
    let error = Error::new(ErrorKind::Unsupported, what).in_phase(Phase::Compile);
    error.at(position(text, at)).with_help(help)
}
