//! Vectors, as lists of numbers, and their similarity.

use millrace_plan::Function;
use millrace_plan::functions::VectorMetric;

use crate::functions::row::Make::{Missing, Plan};
use crate::functions::row::{FunctionRow, arg, function, is};
use crate::types::Kind as K;

const NUMBERS: K = K::List(&K::Number);

/// The rows, by name.
pub(in crate::functions) const ROWS: &[FunctionRow] = &[
    function(
        "vector",
        &[arg("vectorValue", K::Any), arg("dimension", K::Integer), arg("coordinateType", K::Any)],
        is(K::Any),
        Missing,
        "A vector from a list of numbers or a string.",
    ),
    function(
        "vector.similarity.cosine",
        &[arg("a", NUMBERS), arg("b", NUMBERS)],
        is(K::Float),
        Plan(Function::Alike(VectorMetric::Cosine)),
        "The cosine similarity of two vectors, from 0 to 1.",
    ),
    function(
        "vector.similarity.euclidean",
        &[arg("a", NUMBERS), arg("b", NUMBERS)],
        is(K::Float),
        Plan(Function::Alike(VectorMetric::Euclidean)),
        "The Euclidean similarity of two vectors, from 0 to 1.",
    ),
    function(
        "vector_dimension_count",
        &[arg("vector", K::Any)],
        is(K::Integer),
        Missing,
        "The number of dimensions of a vector.",
    ),
    function(
        "vector_distance",
        &[arg("vector1", K::Any), arg("vector2", K::Any), arg("vectorDistanceMetric", K::Any)],
        is(K::Float),
        Missing,
        "The distance of two vectors by a metric.",
    ),
    function(
        "vector_norm",
        &[arg("vector", K::Any), arg("vectorDistanceMetric", K::Any)],
        is(K::Float),
        Missing,
        "The norm of a vector by a metric.",
    ),
];
