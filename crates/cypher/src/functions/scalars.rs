//! Scalar functions: ids, types, conversions, and other values of a row.

use super::row::{arg, function, is, rest};
use super::{FunctionRow, Gives, Kind as K, Make::Missing};

const TO_BOOLEAN: K = K::OneOf(&[K::Boolean, K::String, K::Integer]);
const TO_NUMBER: K = K::OneOf(&[K::Boolean, K::String, K::Number]);

/// The rows, by name.
pub(super) const ROWS: &[FunctionRow] = &[
    function(
        "char_length",
        &[arg("input", K::String)],
        is(K::Integer),
        Missing,
        "The number of characters of a string.",
    ),
    function(
        "character_length",
        &[arg("input", K::String)],
        is(K::Integer),
        Missing,
        "The number of characters of a string.",
    ),
    function(
        "coalesce",
        &[rest("input", K::Any)],
        Gives::Common,
        Missing,
        "The first argument that is not null.",
    ),
    function(
        "elementId",
        &[arg("input", K::ELEMENT)],
        is(K::String),
        Missing,
        "The id of a node or relationship, as a string.",
    ),
    function(
        "endNode",
        &[arg("input", K::Relationship)],
        is(K::Node),
        Missing,
        "The node at the end of a relationship.",
    ),
    function(
        "head",
        &[arg("list", K::LIST)],
        Gives::Entry(0),
        Missing,
        "The first entry of a list.",
    ),
    function(
        "id",
        &[arg("input", K::ELEMENT)],
        is(K::Integer),
        Missing,
        "The id of a node or relationship, as a number.",
    ),
    function(
        "last",
        &[arg("list", K::LIST)],
        Gives::Entry(0),
        Missing,
        "The last entry of a list.",
    ),
    function(
        "length",
        &[arg("input", K::Path)],
        is(K::Integer),
        Missing,
        "The number of relationships of a path.",
    ),
    function(
        "nullIf",
        &[arg("v1", K::Any), arg("v2", K::Any)],
        Gives::Argument(0),
        Missing,
        "Null if both arguments are equal, else the first.",
    ),
    function(
        "properties",
        &[arg("input", K::WITH_KEYS)],
        is(K::Map),
        Missing,
        "The properties of a node or relationship as a map.",
    ),
    function("randomUUID", &[], is(K::String), Missing, "A random UUID."),
    function(
        "size",
        &[arg("input", K::OneOf(&[K::String, K::LIST]))],
        is(K::Integer),
        Missing,
        "The number of entries of a list, or of characters of a string.",
    ),
    function(
        "startNode",
        &[arg("input", K::Relationship)],
        is(K::Node),
        Missing,
        "The node at the start of a relationship.",
    ),
    function(
        "timestamp",
        &[],
        is(K::Integer),
        Missing,
        "Milliseconds since 1970 in UTC, when the statement began.",
    ),
    function(
        "toBoolean",
        &[arg("input", TO_BOOLEAN)],
        is(K::Boolean),
        Missing,
        "The boolean that a string or an integer means, or null.",
    ),
    function(
        "toBooleanOrNull",
        &[arg("input", K::Any)],
        is(K::Boolean),
        Missing,
        "The boolean that a value means, or null.",
    ),
    function(
        "toFloat",
        &[arg("input", TO_NUMBER)],
        is(K::Float),
        Missing,
        "The float that a string or a number means, or null.",
    ),
    function(
        "toFloatOrNull",
        &[arg("input", K::Any)],
        is(K::Float),
        Missing,
        "The float that a value means, or null.",
    ),
    function(
        "toInteger",
        &[arg("input", TO_NUMBER)],
        is(K::Integer),
        Missing,
        "The integer that a string, a number or a boolean means, or null.",
    ),
    function(
        "toIntegerOrNull",
        &[arg("input", K::Any)],
        is(K::Integer),
        Missing,
        "The integer that a value means, or null.",
    ),
    function(
        "type",
        &[arg("input", K::Relationship)],
        is(K::String),
        Missing,
        "The type of a relationship.",
    ),
    function(
        "valueType",
        &[arg("input", K::Any)],
        is(K::String),
        Missing,
        "The name of the type of a value.",
    ),
];
