//! Procedures that yield nothing: a check with a message.

use super::{Expanded, ExpandedProcedure, Expanding};

pub(super) const PROCEDURES: &[ExpandedProcedure] = &[ExpandedProcedure {
    name: "apoc.util.validate",
    arguments: &["predicate", "message", "params"],
    required: 3,
    columns: &[],
    about: "An error with a message where a predicate is true.",
    expand: validate,
}];

fn validate(call: &Expanding<'_>) -> Expanded {
    let (test, message) = (call.argument(0, "false"), call.argument(1, "''"));
    let entries = call.argument(2, "[]");
    let rows =
        if call.has_rows { String::new() } else { format!("UNWIND [1] AS ` row{}` ", call.number) };
    call.clauses(&format!(
        "{rows}WITH * WHERE apoc.util.validatePredicate({test}, {message}, {entries})"
    ))
}
