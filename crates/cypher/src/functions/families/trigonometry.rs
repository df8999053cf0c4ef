//! Trigonometric functions: of radians, unless said otherwise.

use millrace_plan::Function as F;
use millrace_plan::functions::Elementary;

use crate::functions::make;
use crate::functions::row::Make::{Of, Plan};
use crate::functions::row::{FunctionRow, arg, function, is};
use crate::types::Kind as K;

/// The rows, by name.
pub(in crate::functions) const ROWS: &[FunctionRow] = &[
    function(
        "acos",
        &[arg("input", K::Number)],
        is(K::Float),
        Plan(F::Elementary(Elementary::Acos)),
        "The arccosine of a number.",
    ),
    function(
        "asin",
        &[arg("input", K::Number)],
        is(K::Float),
        Plan(F::Elementary(Elementary::Asin)),
        "The arcsine of a number.",
    ),
    function(
        "atan",
        &[arg("input", K::Number)],
        is(K::Float),
        Plan(F::Elementary(Elementary::Atan)),
        "The arctangent of a number.",
    ),
    function(
        "atan2",
        &[arg("y", K::Number), arg("x", K::Number)],
        is(K::Float),
        Plan(F::Atan2),
        "The arctangent of the coordinates of a point.",
    ),
    function(
        "cos",
        &[arg("input", K::Number)],
        is(K::Float),
        Plan(F::Elementary(Elementary::Cos)),
        "The cosine of a number.",
    ),
    function(
        "cosh",
        &[arg("input", K::Number)],
        is(K::Float),
        Plan(F::Elementary(Elementary::Cosh)),
        "The hyperbolic cosine of a number.",
    ),
    function(
        "cot",
        &[arg("input", K::Number)],
        is(K::Float),
        Plan(F::Elementary(Elementary::Cot)),
        "The cotangent of a number.",
    ),
    function(
        "coth",
        &[arg("input", K::Number)],
        is(K::Float),
        Plan(F::Elementary(Elementary::Coth)),
        "The hyperbolic cotangent of a number.",
    ),
    function(
        "degrees",
        &[arg("input", K::Number)],
        is(K::Float),
        Plan(F::Elementary(Elementary::Degrees)),
        "Radians as degrees.",
    ),
    function(
        "haversin",
        &[arg("input", K::Number)],
        is(K::Float),
        Plan(F::Elementary(Elementary::Haversine)),
        "Half the versine of a number.",
    ),
    function(
        "pi",
        &[],
        is(K::Float),
        Of(make::pi),
        "The ratio of a circle's circumference to its diameter.",
    ),
    function(
        "radians",
        &[arg("input", K::Number)],
        is(K::Float),
        Plan(F::Elementary(Elementary::Radians)),
        "Degrees as radians.",
    ),
    function(
        "sin",
        &[arg("input", K::Number)],
        is(K::Float),
        Plan(F::Elementary(Elementary::Sin)),
        "The sine of a number.",
    ),
    function(
        "sinh",
        &[arg("input", K::Number)],
        is(K::Float),
        Plan(F::Elementary(Elementary::Sinh)),
        "The hyperbolic sine of a number.",
    ),
    function(
        "tan",
        &[arg("input", K::Number)],
        is(K::Float),
        Plan(F::Elementary(Elementary::Tan)),
        "The tangent of a number.",
    ),
    function(
        "tanh",
        &[arg("input", K::Number)],
        is(K::Float),
        Plan(F::Elementary(Elementary::Tanh)),
        "The hyperbolic tangent of a number.",
    ),
];
