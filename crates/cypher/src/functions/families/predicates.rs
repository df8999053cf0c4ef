//! Predicates.

use millrace_plan::Function as F;

use crate::functions::make;
use crate::functions::row::Make::{Of, Plan};
use crate::functions::row::{FunctionRow, arg, function, is};
use crate::types::Kind as K;

/// The rows, by name.
pub(in crate::functions) const ROWS: &[FunctionRow] = &[
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
