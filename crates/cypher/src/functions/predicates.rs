//! Predicates.

use super::row::{arg, function, is};
use super::{FunctionRow, Kind as K, Make::Missing};

/// The rows, by name.
pub(super) const ROWS: &[FunctionRow] = &[
    function(
        "exists",
        &[arg("input", K::Any)],
        is(K::Boolean),
        Missing,
        "Whether a pattern matches, or a property is there.",
    ),
    function(
        "isEmpty",
        &[arg("input", K::OneOf(&[K::String, K::LIST, K::Map]))],
        is(K::Boolean),
        Missing,
        "Whether a list, a map or a string is empty.",
    ),
];
