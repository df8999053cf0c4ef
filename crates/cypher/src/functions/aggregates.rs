//! Aggregating functions: of many rows to one value.

use super::row::{aggregate, arg, is};
use super::{FunctionRow, Gives, Kind as K, Make::Missing};

const AVERAGED: K = K::OneOf(&[K::Number, K::Duration]);

/// The rows, by name.
pub(super) const ROWS: &[FunctionRow] = &[
    aggregate(
        "avg",
        &[arg("input", AVERAGED)],
        is(K::Any),
        Missing,
        "The mean of numbers or durations.",
    ),
    aggregate(
        "collect",
        &[arg("input", K::Any)],
        Gives::ListOf(0),
        Missing,
        "A list of the values that are not null.",
    ),
    aggregate(
        "count",
        &[arg("input", K::Any)],
        is(K::Integer),
        Missing,
        "The number of values that are not null.",
    ),
    aggregate("max", &[arg("input", K::Any)], Gives::Argument(0), Missing, "The greatest value."),
    aggregate("min", &[arg("input", K::Any)], Gives::Argument(0), Missing, "The least value."),
    aggregate(
        "percentileCont",
        &[arg("input", K::Number), arg("percentile", K::Number)],
        is(K::Float),
        Missing,
        "The percentile of values, interpolated between neighbours.",
    ),
    aggregate(
        "percentileDisc",
        &[arg("input", K::Number), arg("percentile", K::Number)],
        Gives::Argument(0),
        Missing,
        "The value nearest to a percentile.",
    ),
    aggregate(
        "stDev",
        &[arg("input", K::Number)],
        is(K::Float),
        Missing,
        "The standard deviation of a sample.",
    ),
    aggregate(
        "stDevP",
        &[arg("input", K::Number)],
        is(K::Float),
        Missing,
        "The standard deviation of a whole population.",
    ),
    aggregate(
        "sum",
        &[arg("input", AVERAGED)],
        Gives::Argument(0),
        Missing,
        "The sum of numbers or durations.",
    ),
];
