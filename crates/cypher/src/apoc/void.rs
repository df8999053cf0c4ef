//! Procedures that yield nothing: a check with a message, and properties of vectors, which are lists of numbers here.

use super::{Expanded, ExpandedProcedure, Expanding};

pub(super) const PROCEDURES: &[ExpandedProcedure] = &[
    ExpandedProcedure {
        name: "apoc.util.validate",
        arguments: &["predicate", "message", "params"],
        required: 3,
        columns: &[],
        about: "An error with a message where a predicate is true.",
        expand: validate,
    },
    ExpandedProcedure {
        name: "db.create.setNodeVectorProperty",
        arguments: &["node", "key", "vector"],
        required: 3,
        columns: &[],
        about: "Sets a property of a node to a list of numbers.",
        expand: set_property,
    },
    ExpandedProcedure {
        name: "db.create.setRelationshipVectorProperty",
        arguments: &["relationship", "key", "vector"],
        required: 3,
        columns: &[],
        about: "Sets a property of a relationship to a list of numbers.",
        expand: set_property,
    },
];

fn validate(call: &Expanding<'_>) -> Expanded {
    let (test, message) = (call.argument(0, "false"), call.argument(1, "''"));
    let entries = call.argument(2, "[]");
    let rows =
        if call.has_rows { String::new() } else { format!("UNWIND [1] AS ` row{}` ", call.number) };
    call.clauses(&format!(
        "{rows}WITH * WHERE apoc.util.validatePredicate({test}, {message}, {entries})"
    ))
}

fn set_property(call: &Expanding<'_>) -> Expanded {
    let (element, bind) = call.as_variable(0, " element");
    let (key, vector) = (call.argument(1, "''"), call.argument(2, "null"));
    call.clauses(&format!(
        "{}SET {element}[{key}] = [x IN {vector} | toFloat(x)]",
        bind.unwrap_or_default()
    ))
}
