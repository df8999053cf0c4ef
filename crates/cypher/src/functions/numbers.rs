//! Numeric and logarithmic functions.

use super::row::{arg, function, is, opt};
use super::{FunctionRow, Gives, Kind as K, Make::Missing};

/// The rows, by name.
pub(super) const ROWS: &[FunctionRow] = &[
    function(
        "abs",
        &[arg("input", K::Number)],
        Gives::Argument(0),
        Missing,
        "The absolute value of a number.",
    ),
    function(
        "ceil",
        &[arg("input", K::Number)],
        is(K::Float),
        Missing,
        "The least whole number that is not below a number.",
    ),
    function("e", &[], is(K::Float), Missing, "The base of the natural logarithm."),
    function(
        "exp",
        &[arg("input", K::Number)],
        is(K::Float),
        Missing,
        "The base of the natural logarithm to a power.",
    ),
    function(
        "floor",
        &[arg("input", K::Number)],
        is(K::Float),
        Missing,
        "The greatest whole number that is not above a number.",
    ),
    function(
        "isNaN",
        &[arg("input", K::Number)],
        is(K::Boolean),
        Missing,
        "Whether a number is NaN.",
    ),
    function(
        "log",
        &[arg("input", K::Number)],
        is(K::Float),
        Missing,
        "The natural logarithm of a number.",
    ),
    function(
        "log10",
        &[arg("input", K::Number)],
        is(K::Float),
        Missing,
        "The logarithm of a number to the base 10.",
    ),
    function("rand", &[], is(K::Float), Missing, "A random float from 0 to 1, without 1."),
    function(
        "round",
        &[arg("value", K::Number), opt("precision", K::Number), opt("mode", K::String)],
        is(K::Float),
        Missing,
        "A number rounded to a precision by a mode.",
    ),
    function(
        "sign",
        &[arg("input", K::Number)],
        is(K::Integer),
        Missing,
        "The sign of a number: -1, 0 or 1.",
    ),
    function(
        "sqrt",
        &[arg("input", K::Number)],
        is(K::Float),
        Missing,
        "The square root of a number.",
    ),
];
