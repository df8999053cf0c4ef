//! Aggregating functions: of many rows to one value.

use crate::functions::fold;
use crate::functions::row::Make::{Fold, FoldOrZero};
use crate::functions::row::{FunctionRow, Gives, aggregate, arg, is};
use crate::types::Kind as K;

const AVERAGED: K = K::OneOf(&[K::Number, K::Duration]);

/// The rows, by name.
pub(in crate::functions) const ROWS: &[FunctionRow] = &[
    aggregate(
        "avg",
        &[arg("input", AVERAGED)],
        is(K::Any),
        Fold(fold::mean),
        "The mean of numbers or durations.",
    ),
    aggregate(
        "collect",
        &[arg("input", K::Any)],
        Gives::ListOf(0),
        Fold(fold::collect),
        "A list of the values that are not null.",
    ),
    aggregate(
        "count",
        &[arg("input", K::Any)],
        is(K::Integer),
        Fold(fold::count),
        "The number of values that are not null.",
    ),
    aggregate(
        "max",
        &[arg("input", K::Any)],
        Gives::Argument(0),
        Fold(fold::max),
        "The greatest value.",
    ),
    aggregate(
        "min",
        &[arg("input", K::Any)],
        Gives::Argument(0),
        Fold(fold::min),
        "The least value.",
    ),
    aggregate(
        "percentileCont",
        &[arg("input", K::Number), arg("percentile", K::Number)],
        is(K::Float),
        Fold(fold::percentile_cont),
        "The percentile of values, interpolated between neighbours.",
    ),
    aggregate(
        "percentileDisc",
        &[arg("input", K::Number), arg("percentile", K::Number)],
        Gives::Argument(0),
        Fold(fold::percentile_disc),
        "The value nearest to a percentile.",
    ),
    aggregate(
        "stDev",
        &[arg("input", K::Number)],
        is(K::Float),
        Fold(fold::st_dev),
        "The standard deviation of a sample.",
    ),
    aggregate(
        "stDevP",
        &[arg("input", K::Number)],
        is(K::Float),
        Fold(fold::st_dev_p),
        "The standard deviation of a whole population.",
    ),
    aggregate(
        "sum",
        &[arg("input", AVERAGED)],
        Gives::Argument(0),
        FoldOrZero(fold::sum),
        "The sum of numbers or durations.",
    ),
];
