//! Scalar functions: ids, types, conversions, and other values of a row.

use millrace_plan::Function as F;
use millrace_plan::functions::Conversion;

use crate::functions::row::Make::{Of, Plan, With};
use crate::functions::row::{FunctionRow, Gives, arg, function, is, rest};
use crate::functions::{clock, make};
use crate::types::Kind as K;

const TO_BOOLEAN: K = K::OneOf(&[K::Boolean, K::String, K::Integer]);
const TO_NUMBER: K = K::OneOf(&[K::Boolean, K::String, K::Number]);

/// The rows, by name.
pub(in crate::functions) const ROWS: &[FunctionRow] = &[
    function(
        "char_length",
        &[arg("input", K::String)],
        is(K::Integer),
        Plan(F::Size),
        "The number of characters of a string.",
    ),
    function(
        "character_length",
        &[arg("input", K::String)],
        is(K::Integer),
        Plan(F::Size),
        "The number of characters of a string.",
    ),
    function(
        "coalesce",
        &[rest("input", K::Any)],
        Gives::Common,
        Of(make::coalesce),
        "The first argument that is not null.",
    ),
    function(
        "elementId",
        &[arg("input", K::ELEMENT)],
        is(K::String),
        Of(make::element_id),
        "The id of a node or relationship, as a string.",
    ),
    function(
        "endNode",
        &[arg("input", K::Relationship)],
        is(K::Node),
        Of(make::end_node),
        "The node at the end of a relationship.",
    ),
    function(
        "head",
        &[arg("list", K::LIST)],
        Gives::Entry(0),
        Of(make::head),
        "The first entry of a list.",
    ),
    function(
        "id",
        &[arg("input", K::ELEMENT)],
        is(K::Integer),
        Of(make::id),
        "The id of a node or relationship, as a number.",
    ),
    function(
        "last",
        &[arg("list", K::LIST)],
        Gives::Entry(0),
        Of(make::last),
        "The last entry of a list.",
    ),
    function(
        "length",
        &[arg("input", K::Path)],
        is(K::Integer),
        Plan(F::EdgeCount),
        "The number of relationships of a path.",
    ),
    function(
        "nullIf",
        &[arg("v1", K::Any), arg("v2", K::Any)],
        Gives::Argument(0),
        Of(make::null_if),
        "Null if both arguments are equal, else the first.",
    ),
    function(
        "properties",
        &[arg("input", K::WITH_KEYS)],
        is(K::Map),
        Of(make::properties),
        "The properties of a node or relationship as a map.",
    ),
    function("randomUUID", &[], is(K::String), With(make::random_uuid), "A random UUID."),
    function(
        "size",
        &[arg("input", K::OneOf(&[K::String, K::LIST]))],
        is(K::Integer),
        Plan(F::Size),
        "The number of entries of a list, or of characters of a string.",
    ),
    function(
        "startNode",
        &[arg("input", K::Relationship)],
        is(K::Node),
        Of(make::start_node),
        "The node at the start of a relationship.",
    ),
    function(
        "timestamp",
        &[],
        is(K::Integer),
        With(clock::timestamp),
        "Milliseconds since 1970 in UTC, when the statement began.",
    ),
    function(
        "toBoolean",
        &[arg("input", TO_BOOLEAN)],
        is(K::Boolean),
        Plan(F::Convert(Conversion::Boolean)),
        "The boolean that a string or an integer means, or null.",
    ),
    function(
        "toBooleanOrNull",
        &[arg("input", K::Any)],
        is(K::Boolean),
        Plan(F::Convert(Conversion::BooleanOrNull)),
        "The boolean that a value means, or null.",
    ),
    function(
        "toFloat",
        &[arg("input", TO_NUMBER)],
        is(K::Float),
        Plan(F::Convert(Conversion::Float)),
        "The float that a string or a number means, or null.",
    ),
    function(
        "toFloatOrNull",
        &[arg("input", K::Any)],
        is(K::Float),
        Plan(F::Convert(Conversion::FloatOrNull)),
        "The float that a value means, or null.",
    ),
    function(
        "toInteger",
        &[arg("input", TO_NUMBER)],
        is(K::Integer),
        Plan(F::Convert(Conversion::Integer)),
        "The integer that a string, a number or a boolean means, or null.",
    ),
    function(
        "toIntegerOrNull",
        &[arg("input", K::Any)],
        is(K::Integer),
        Plan(F::Convert(Conversion::IntegerOrNull)),
        "The integer that a value means, or null.",
    ),
    function(
        "type",
        &[arg("input", K::Relationship)],
        is(K::String),
        Of(make::edge_type),
        "The type of a relationship.",
    ),
    function(
        "valueType",
        &[arg("input", K::Any)],
        is(K::String),
        Plan(F::ValueType),
        "The name of the type of a value.",
    ),
];
