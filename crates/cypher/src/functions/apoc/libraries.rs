//! Functions of APOC that libraries write into their queries: checks with a message, times of one format in another.

use millrace_model::Value;
use millrace_plan::{Expr, Function as F};

use crate::functions::row::Make::{Of, Plan};
use crate::functions::row::{FunctionRow, arg, function, is, opt};
use crate::types::Kind as K;

/// The rows, by name.
pub(in crate::functions) const ROWS: &[FunctionRow] = &[
    function(
        "apoc.date.convertFormat",
        &[arg("temporal", K::String), arg("currentFormat", K::String), opt("convertTo", K::String)],
        is(K::String),
        Of(convert_time),
        "A time as a text of another format: a pattern, or a name such as iso_offset_date_time.",
    ),
    function(
        "apoc.util.validatePredicate",
        &[arg("predicate", K::Boolean), arg("message", K::String), arg("params", K::LIST)],
        is(K::Boolean),
        Plan(F::RefuseIf),
        "True, or an error with a message where a predicate is true.",
    ),
];

fn convert_time(mut arguments: Vec<Expr>) -> Expr {
    if arguments.len() < 3 {
        arguments.push(Expr::Literal(Value::from("yyyy-MM-dd")));
    }
    Expr::call(F::ConvertTime, arguments)
}
