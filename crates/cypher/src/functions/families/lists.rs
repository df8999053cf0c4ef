//! Functions of lists, and those that give one.

use millrace_plan::functions::Conversion;
use millrace_plan::{ElementKind, Function as F};

use crate::functions::make;
use crate::functions::row::Make::{Of, Plan};
use crate::functions::row::{FunctionRow, Gives, arg, function, is, opt};
use crate::types::Kind as K;

const STRINGS: K = K::List(&K::String);

/// The rows, by name.
pub(in crate::functions) const ROWS: &[FunctionRow] = &[
    function(
        "keys",
        &[arg("input", K::WITH_KEYS)],
        is(STRINGS),
        Of(make::keys),
        "The keys of a node, relationship or map.",
    ),
    function(
        "labels",
        &[arg("input", K::Node)],
        is(STRINGS),
        Of(make::labels),
        "The labels of a node.",
    ),
    function(
        "nodes",
        &[arg("input", K::Path)],
        is(K::List(&K::Node)),
        Plan(F::ElementsOf(ElementKind::Vertex)),
        "The nodes of a path.",
    ),
    function(
        "range",
        &[arg("start", K::Integer), arg("end", K::Integer), opt("step", K::Integer)],
        is(K::List(&K::Integer)),
        Plan(F::Range),
        "The integers from a start to an end, both included.",
    )
    .checked_at_run(),
    function(
        "relationships",
        &[arg("input", K::Path)],
        is(K::List(&K::Relationship)),
        Plan(F::ElementsOf(ElementKind::Edge)),
        "The relationships of a path.",
    ),
    function(
        "reverse",
        &[arg("input", K::OneOf(&[K::String, K::LIST]))],
        Gives::Argument(0),
        Plan(F::Reverse),
        "A list or a string in reverse order.",
    ),
    function(
        "tail",
        &[arg("input", K::LIST)],
        Gives::Argument(0),
        Of(make::tail),
        "A list without its first entry.",
    ),
    function(
        "toBooleanList",
        &[arg("input", K::LIST)],
        is(K::List(&K::Boolean)),
        Plan(F::Convert(Conversion::Booleans)),
        "A list with each entry as a boolean, or null.",
    ),
    function(
        "toFloatList",
        &[arg("input", K::LIST)],
        is(K::List(&K::Float)),
        Plan(F::Convert(Conversion::Floats)),
        "A list with each entry as a float, or null.",
    ),
    function(
        "toIntegerList",
        &[arg("input", K::LIST)],
        is(K::List(&K::Integer)),
        Plan(F::Convert(Conversion::Integers)),
        "A list with each entry as an integer, or null.",
    ),
    function(
        "toStringList",
        &[arg("input", K::LIST)],
        is(STRINGS),
        Plan(F::Convert(Conversion::Texts)),
        "A list with each entry as a string, or null.",
    ),
];
