//! Predicates.

use millrace_plan::Function as F;

use super::Make::{Of, Plan};
use super::make;
use super::row::{arg, function, is};
use super::{FunctionRow, Kind as K};

/// The rows, by name.
pub(super) const ROWS: &[FunctionRow] = &[
    function(
        "exists",
        &[arg("input", K::Any)],
        is(K::Boolean),
        Of(make::exists),
        "Whether a pattern matches, or a property is there.",
    ),
    function(
        "isEmpty",
        &[arg("input", K::OneOf(&[K::String, K::LIST, K::Map]))],
        is(K::Boolean),
        Plan(F::IsEmpty),
        "Whether a list, a map or a string is empty.",
    ),
];
