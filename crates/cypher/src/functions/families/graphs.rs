//! Graphs and databases by name.

use crate::functions::row::Make::Missing;
use crate::functions::row::{FunctionRow, arg, function, is};
use crate::types::Kind as K;

/// The rows, by name.
pub(in crate::functions) const ROWS: &[FunctionRow] = &[
    function(
        "db.nameFromElementId",
        &[arg("elementId", K::String)],
        is(K::String),
        Missing,
        "The name of the database that an element id belongs to.",
    ),
    function(
        "graph.byElementId",
        &[arg("elementId", K::String)],
        is(K::Any),
        Missing,
        "The graph that an element id belongs to, for `USE`.",
    ),
    function(
        "graph.byName",
        &[arg("name", K::String)],
        is(K::Any),
        Missing,
        "The graph of a name, for `USE`.",
    ),
    function("graph.names", &[], is(K::List(&K::String)), Missing, "The names of the graphs."),
    function(
        "graph.propertiesByName",
        &[arg("name", K::String)],
        is(K::Map),
        Missing,
        "The properties of a graph.",
    ),
];
