//! Functions of strings.

use millrace_plan::Function as F;
use millrace_plan::functions::Conversion;

use crate::functions::make;
use crate::functions::row::Make::{Of, Plan, With};
use crate::functions::row::{FunctionRow, arg, function, is, opt};
use crate::types::Kind as K;

/// The rows, by name.
pub(in crate::functions) const ROWS: &[FunctionRow] = &[
    function(
        "btrim",
        &[arg("input", K::String), opt("trimCharacterString", K::String)],
        is(K::String),
        Plan(F::Trim),
        "A string without white space, or some characters, at both ends.",
    ),
    function(
        "left",
        &[arg("original", K::String), arg("length", K::Integer)],
        is(K::String),
        Of(make::left),
        "The first characters of a string.",
    ),
    function(
        "lower",
        &[arg("input", K::String)],
        is(K::String),
        Plan(F::Lower),
        "A string in lower case.",
    ),
    function(
        "ltrim",
        &[arg("input", K::String), opt("trimCharacterString", K::String)],
        is(K::String),
        Plan(F::TrimStart),
        "A string without white space, or some characters, at its start.",
    ),
    function(
        "normalize",
        &[arg("input", K::String), opt("normalForm", K::Any)],
        is(K::String),
        With(make::normalize),
        "A string in a normal form of Unicode.",
    ),
    function(
        "replace",
        &[
            arg("original", K::String),
            arg("search", K::String),
            arg("replace", K::String),
            opt("limit", K::Integer),
        ],
        is(K::String),
        Plan(F::Replace),
        "A string with all occurrences of a text replaced.",
    ),
    function(
        "right",
        &[arg("original", K::String), arg("length", K::Integer)],
        is(K::String),
        Of(make::right),
        "The last characters of a string.",
    ),
    function(
        "rtrim",
        &[arg("input", K::String), opt("trimCharacterString", K::String)],
        is(K::String),
        Plan(F::TrimEnd),
        "A string without white space, or some characters, at its end.",
    ),
    function(
        "split",
        &[
            arg("original", K::String),
            arg("splitDelimiters", K::OneOf(&[K::String, K::List(&K::String)])),
        ],
        is(K::List(&K::String)),
        Plan(F::Split),
        "The parts of a string between delimiters.",
    ),
    function(
        "substring",
        &[arg("original", K::String), arg("start", K::Integer), opt("length", K::Integer)],
        is(K::String),
        Of(make::substring),
        "A part of a string from an index on, counted from 0.",
    ),
    function(
        "toLower",
        &[arg("input", K::String)],
        is(K::String),
        Plan(F::Lower),
        "A string in lower case.",
    ),
    function(
        "toString",
        &[arg("input", K::Any)],
        is(K::String),
        Plan(F::Convert(Conversion::Text)),
        "A value as a string.",
    ),
    function(
        "toStringOrNull",
        &[arg("input", K::Any)],
        is(K::String),
        Plan(F::Convert(Conversion::TextOrNull)),
        "A value as a string, or null if there is none.",
    ),
    function(
        "toUpper",
        &[arg("input", K::String)],
        is(K::String),
        Plan(F::Upper),
        "A string in upper case.",
    ),
    function(
        "trim",
        &[arg("input", K::String), opt("trimCharacterString", K::String)],
        is(K::String),
        Of(make::trim),
        "A string without white space, or some characters, at both ends.",
    ),
    function(
        "upper",
        &[arg("input", K::String)],
        is(K::String),
        Plan(F::Upper),
        "A string in upper case.",
    ),
];
