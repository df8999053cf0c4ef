//! Trigonometric functions: of radians, unless said otherwise.

use super::row::{arg, function, is};
use super::{FunctionRow, Kind as K, Make::Missing};

/// The rows, by name.
pub(super) const ROWS: &[FunctionRow] = &[
    function(
        "acos",
        &[arg("input", K::Number)],
        is(K::Float),
        Missing,
        "The arccosine of a number.",
    ),
    function("asin", &[arg("input", K::Number)], is(K::Float), Missing, "The arcsine of a number."),
    function(
        "atan",
        &[arg("input", K::Number)],
        is(K::Float),
        Missing,
        "The arctangent of a number.",
    ),
    function(
        "atan2",
        &[arg("y", K::Number), arg("x", K::Number)],
        is(K::Float),
        Missing,
        "The arctangent of the coordinates of a point.",
    ),
    function("cos", &[arg("input", K::Number)], is(K::Float), Missing, "The cosine of a number."),
    function(
        "cosh",
        &[arg("input", K::Number)],
        is(K::Float),
        Missing,
        "The hyperbolic cosine of a number.",
    ),
    function(
        "cot",
        &[arg("input", K::Number)],
        is(K::Float),
        Missing,
        "The cotangent of a number.",
    ),
    function(
        "coth",
        &[arg("input", K::Number)],
        is(K::Float),
        Missing,
        "The hyperbolic cotangent of a number.",
    ),
    function("degrees", &[arg("input", K::Number)], is(K::Float), Missing, "Radians as degrees."),
    function(
        "haversin",
        &[arg("input", K::Number)],
        is(K::Float),
        Missing,
        "Half the versine of a number.",
    ),
    function(
        "pi",
        &[],
        is(K::Float),
        Missing,
        "The ratio of a circle's circumference to its diameter.",
    ),
    function("radians", &[arg("input", K::Number)], is(K::Float), Missing, "Degrees as radians."),
    function("sin", &[arg("input", K::Number)], is(K::Float), Missing, "The sine of a number."),
    function(
        "sinh",
        &[arg("input", K::Number)],
        is(K::Float),
        Missing,
        "The hyperbolic sine of a number.",
    ),
    function("tan", &[arg("input", K::Number)], is(K::Float), Missing, "The tangent of a number."),
    function(
        "tanh",
        &[arg("input", K::Number)],
        is(K::Float),
        Missing,
        "The hyperbolic tangent of a number.",
    ),
];
