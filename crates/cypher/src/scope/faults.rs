//! The errors of a statement: each has the name that openCypher's suite gives to the fault.
//!
//! Messages are worded as users of Neo4j know them.

use millrace_model::{Error, ErrorKind, Phase, TextPosition};

/// A fault of the text, noticed before it runs.
pub(super) fn fault(name: &'static str, at: TextPosition, detail: impl Into<String>) -> Error {
    Error::new(ErrorKind::BadQuery, detail).in_phase(Phase::Compile).with_name(name).at(at)
}

/// A name that no variable has.
pub(super) fn undefined(at: TextPosition, name: &str, near: Option<&str>) -> Error {
    let error = fault("UndefinedVariable", at, format!("Variable `{name}` not defined"));
    match near {
        Some(near) => error.with_help(format!("the nearest variable is `{near}`")),
        None => error,
    }
}

/// A variable that is bound for the second time.
pub(super) fn already_bound(at: TextPosition, name: &str) -> Error {
    fault("VariableAlreadyBound", at, format!("Variable `{name}` already declared"))
}

/// A variable that cannot be what a pattern wants.
pub(super) fn type_conflict(at: TextPosition, name: &str, is: &str, wanted: &str) -> Error {
    let detail =
        format!("Type mismatch: `{name}` defined with conflicting type {is} (expected {wanted})");
    fault("VariableTypeConflict", at, detail)
}

/// An expression that cannot have a value of the right type.
pub(super) fn wrong_type(at: TextPosition, wanted: &str, is: &str) -> Error {
    let detail = format!("Type mismatch: expected {wanted} but was {is}");
    fault("InvalidArgumentType", at, detail)
}

/// An aggregate where none may stand.
pub(super) fn no_aggregate(at: TextPosition, function: &str) -> Error {
    let detail = format!("Invalid use of aggregating function {function}(...) in this context");
    fault("InvalidAggregation", at, detail)
        .with_help("aggregate in an earlier WITH, and use its column here")
}

/// Clauses that cannot follow each other, or cannot stand here.
pub(super) fn composition(at: TextPosition, detail: impl Into<String>) -> Error {
    fault("InvalidClauseComposition", at, detail)
}

/// A construct that is not allowed at its place.
pub(super) fn syntax(at: TextPosition, detail: impl Into<String>) -> Error {
    fault("UnexpectedSyntax", at, detail)
}
