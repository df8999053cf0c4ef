//! `dateDiff(timestamp)`: the milliseconds from a timestamp to where the traverser is; null is 1970.

use millrace_bytecode::Argument;
use millrace_model::temporal::DateTime;
use millrace_model::{Result, Value};
use millrace_plan::functions::Wanted;
use millrace_plan::{Expr, Function};

use super::texts::{each, require};
use crate::steps::Step;
use crate::translate::{Call, Traversal};

pub(super) const STEP: Step = Step::new("dateDiff", translate).arguments(1, 1);

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    let at = traversal.at(call)?;
    let other = match &call.arguments()[0] {
        Argument::Bytecode(inner) => Expr::Column(traversal.first_of(at, inner)?.column),
        value => traversal.value(call.instruction, value)?,
    };
    let start = DateTime { seconds: 0, nanos: 0, offset_seconds: 0 };
    let other = Expr::Case {
        branches: vec![(
            Expr::IsNull(Box::new(other.clone())),
            Expr::Literal(Value::DateTime(start)),
        )],
        otherwise: Some(Box::new(timestamp(other))),
    };
    each(traversal, call, &|value| {
        Expr::call(Function::MillisecondsSince, vec![timestamp(value), other.clone()])
    })
}

fn timestamp(value: Expr) -> Expr {
    let message = "DateDiff can only take DateTime as argument";
    require(Wanted::Timestamp, value, Some(message), message)
}
