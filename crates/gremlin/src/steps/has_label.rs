//! `hasLabel(labels)`: keeps elements that have one of some labels.

use millrace_bytecode::Argument;
use millrace_model::{Result, Value};
use millrace_plan::Expr;

use crate::steps::{Fact, MANY, Step};
use crate::translate::{Call, Traversal, elements, name};

pub(super) const STEP: Step = Step::new("hasLabel", translate).arguments(1, MANY).facts(&[
    Fact::NamesLabels,
    Fact::NamesTypes,
    Fact::KeepsPlace,
    Fact::TestsElement,
]);

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    let at = traversal.at(call)?;
    let mut any = Vec::new();
    for argument in call.arguments() {
        any.push(match argument {
            Argument::Predicate(_) => {
                traversal.passes(call.instruction, elements::label(at), argument)?
            }
            Argument::Value(Value::Null) => Expr::literal(false),
            argument => elements::has_label(at, &name(call.instruction, argument)?),
        });
    }
    let holds = if any.len() == 1 { any.remove(0) } else { Expr::Or(any) };
    traversal.plan.filter(holds);
    Ok(())
}
