//! Functions of `LOAD CSV`.

use super::row::{function, is};
use super::{FunctionRow, Kind as K, Make::Missing};

/// The rows, by name.
pub(super) const ROWS: &[FunctionRow] = &[
    function(
        "file",
        &[],
        is(K::String),
        Missing,
        "The path of the file that `LOAD CSV` reads, or null.",
    ),
    function(
        "linenumber",
        &[],
        is(K::Integer),
        Missing,
        "The line that `LOAD CSV` reads, or null.",
    ),
];
