//! Points.

use millrace_plan::Function as F;

use crate::functions::row::Make::Plan;
use crate::functions::row::{FunctionRow, arg, function, is};
use crate::types::Kind as K;

/// The rows, by name.
pub(in crate::functions) const ROWS: &[FunctionRow] = &[
    function(
        "point",
        &[arg("input", K::WITH_KEYS)],
        is(K::Point),
        Plan(F::PointOf),
        "A point from its coordinates.",
    ),
    function(
        "point.distance",
        &[arg("from", K::Point), arg("to", K::Point)],
        is(K::Float),
        Plan(F::Distance),
        "The distance of two points; on the earth in metres.",
    ),
    function(
        "point.withinBBox",
        &[arg("point", K::Point), arg("lowerLeft", K::Point), arg("upperRight", K::Point)],
        is(K::Boolean),
        Plan(F::IsInBox),
        "Whether a point lies in a box.",
    ),
];
