//! Forms that read like functions and have a syntax of their own: the parser knows them, and a call never reaches
//! the table of functions.

use crate::types::Kind;

/// A form.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SyntaxRow {
    pub(crate) name: &'static str,
    /// As it is written.
    pub(crate) form: &'static str,
    pub(crate) gives: Kind,
    /// A line that describes it.
    pub(crate) about: &'static str,
}

const fn form(
    name: &'static str,
    form: &'static str,
    gives: Kind,
    about: &'static str,
) -> SyntaxRow {
    SyntaxRow { name, form, gives, about }
}

/// The forms, by name.
pub(crate) const SYNTAX: &[SyntaxRow] = &[
    form(
        "all",
        "all(x IN list WHERE test)",
        Kind::Boolean,
        "Whether a test holds for each entry of a list.",
    ),
    form(
        "allShortestPaths",
        "allShortestPaths((a)-[*]-(b))",
        Kind::List(&Kind::Path),
        "All paths of the least length between two nodes.",
    ),
    form(
        "any",
        "any(x IN list WHERE test)",
        Kind::Boolean,
        "Whether a test holds for an entry of a list.",
    ),
    form(
        "none",
        "none(x IN list WHERE test)",
        Kind::Boolean,
        "Whether a test holds for no entry of a list.",
    ),
    form(
        "reduce",
        "reduce(result = start, x IN list | next)",
        Kind::Any,
        "The result of an expression that is applied to each entry of a list in order.",
    ),
    form(
        "shortestPath",
        "shortestPath((a)-[*]-(b))",
        Kind::Path,
        "A path of the least length between two nodes.",
    ),
    form(
        "single",
        "single(x IN list WHERE test)",
        Kind::Boolean,
        "Whether a test holds for exactly one entry of a list.",
    ),
];
