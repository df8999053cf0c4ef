//! Functions of lists, and those that give one.

use super::row::{arg, function, is, opt};
use super::{FunctionRow, Gives, Kind as K, Make::Missing};

const STRINGS: K = K::List(&K::String);

/// The rows, by name.
pub(super) const ROWS: &[FunctionRow] = &[
    function(
        "keys",
        &[arg("input", K::WITH_KEYS)],
        is(STRINGS),
        Missing,
        "The keys of a node, relationship or map.",
    ),
    function("labels", &[arg("input", K::Node)], is(STRINGS), Missing, "The labels of a node."),
    function(
        "nodes",
        &[arg("input", K::Path)],
        is(K::List(&K::Node)),
        Missing,
        "The nodes of a path.",
    ),
    function(
        "range",
        &[arg("start", K::Integer), arg("end", K::Integer), opt("step", K::Integer)],
        is(K::List(&K::Integer)),
        Missing,
        "The integers from a start to an end, both included.",
    )
    .checked_at_run(),
    function(
        "relationships",
        &[arg("input", K::Path)],
        is(K::List(&K::Relationship)),
        Missing,
        "The relationships of a path.",
    ),
    function(
        "reverse",
        &[arg("input", K::OneOf(&[K::String, K::LIST]))],
        Gives::Argument(0),
        Missing,
        "A list or a string in reverse order.",
    ),
    function(
        "tail",
        &[arg("input", K::LIST)],
        Gives::Argument(0),
        Missing,
        "A list without its first entry.",
    ),
    function(
        "toBooleanList",
        &[arg("input", K::LIST)],
        is(K::List(&K::Boolean)),
        Missing,
        "A list with each entry as a boolean, or null.",
    ),
    function(
        "toFloatList",
        &[arg("input", K::LIST)],
        is(K::List(&K::Float)),
        Missing,
        "A list with each entry as a float, or null.",
    ),
    function(
        "toIntegerList",
        &[arg("input", K::LIST)],
        is(K::List(&K::Integer)),
        Missing,
        "A list with each entry as an integer, or null.",
    ),
    function(
        "toStringList",
        &[arg("input", K::LIST)],
        is(STRINGS),
        Missing,
        "A list with each entry as a string, or null.",
    ),
];
