//! Numeric and logarithmic functions.

use millrace_plan::Function as F;
use millrace_plan::functions::{Elementary, Overflow};

use crate::functions::make;
use crate::functions::row::Make::{Of, Plan, With};
use crate::functions::row::{FunctionRow, Gives, arg, function, is, opt};
use crate::types::Kind as K;

/// The rows, by name.
pub(in crate::functions) const ROWS: &[FunctionRow] = &[
    function(
        "abs",
        &[arg("input", K::Number)],
        Gives::Argument(0),
        Plan(F::Abs(Overflow::Error)),
        "The absolute value of a number.",
    ),
    function(
        "ceil",
        &[arg("input", K::Number)],
        is(K::Float),
        Plan(F::Elementary(Elementary::Ceil)),
        "The least whole number that is not below a number.",
    ),
    function("e", &[], is(K::Float), Of(make::e), "The base of the natural logarithm."),
    function(
        "exp",
        &[arg("input", K::Number)],
        is(K::Float),
        Plan(F::Exp),
        "The base of the natural logarithm to a power.",
    ),
    function(
        "floor",
        &[arg("input", K::Number)],
        is(K::Float),
        Plan(F::Elementary(Elementary::Floor)),
        "The greatest whole number that is not above a number.",
    ),
    function(
        "isNaN",
        &[arg("input", K::Number)],
        is(K::Boolean),
        Plan(F::IsNan),
        "Whether a number is NaN.",
    ),
    function(
        "log",
        &[arg("input", K::Number)],
        is(K::Float),
        Plan(F::Ln),
        "The natural logarithm of a number.",
    ),
    function(
        "log10",
        &[arg("input", K::Number)],
        is(K::Float),
        Plan(F::Elementary(Elementary::Log10)),
        "The logarithm of a number to the base 10.",
    ),
    function(
        "rand",
        &[],
        is(K::Float),
        With(make::random),
        "A random float from 0 to 1, without 1.",
    ),
    function(
        "round",
        &[arg("value", K::Number), opt("precision", K::Number), opt("mode", K::String)],
        is(K::Float),
        Of(make::round),
        "A number rounded to a precision by a mode.",
    ),
    function(
        "sign",
        &[arg("input", K::Number)],
        is(K::Integer),
        Plan(F::Sign),
        "The sign of a number: -1, 0 or 1.",
    ),
    function(
        "sqrt",
        &[arg("input", K::Number)],
        is(K::Float),
        Plan(F::Sqrt),
        "The square root of a number.",
    ),
];
