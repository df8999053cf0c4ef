//! Durations, and differences of temporal instants.

use millrace_model::temporal::Span;
use millrace_plan::Function as F;

use crate::functions::row::Make::Plan;
use crate::functions::row::{FunctionRow, arg, function, is};
use crate::types::Kind as K;

/// The rows, by name.
pub(in crate::functions) const ROWS: &[FunctionRow] = &[
    function(
        "duration",
        &[arg("input", K::Any)],
        is(K::Duration),
        Plan(F::MakeDuration),
        "A duration from a string or a map of parts.",
    ),
    function(
        "duration.between",
        &[arg("from", K::Any), arg("to", K::Any)],
        is(K::Duration),
        Plan(F::DurationBetween(Span::Parts)),
        "The difference of two temporal values, in months, days, seconds and nanoseconds.",
    ),
    function(
        "duration.inDays",
        &[arg("from", K::Any), arg("to", K::Any)],
        is(K::Duration),
        Plan(F::DurationBetween(Span::Days)),
        "The difference of two temporal values in whole days.",
    ),
    function(
        "duration.inMonths",
        &[arg("from", K::Any), arg("to", K::Any)],
        is(K::Duration),
        Plan(F::DurationBetween(Span::Months)),
        "The difference of two temporal values in whole months.",
    ),
    function(
        "duration.inSeconds",
        &[arg("from", K::Any), arg("to", K::Any)],
        is(K::Duration),
        Plan(F::DurationBetween(Span::Seconds)),
        "The difference of two temporal values in seconds and nanoseconds.",
    ),
];
