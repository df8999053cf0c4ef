//! `is(value)`: keeps objects that equal a value or pass a predicate.

use millrace_bytecode::Argument;
use millrace_model::Result;
use millrace_plan::Expr;

use super::dedup::as_set;
use crate::steps::{Fact, Parameters, Step};
use crate::translate::{Call, Kind, Traversal};

pub(super) const STEP: Step = Step::new("is", translate)
    .arguments(1, 1)
    .parameters(Parameters::All)
    .facts(&[Fact::KeepsPlace]);

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    let at = traversal.at(call)?;
    let test = &call.arguments()[0];
    let asks_for_type =
        matches!(test, Argument::Predicate(predicate) if &*predicate.name == "typeOf");
    let own = Expr::Column(at.column);
    let own = if asks_for_type && at.kind == Kind::Collected { as_set(own) } else { own };
    let holds = traversal.passes(call.instruction, own, test)?;
    traversal.plan.filter(holds);
    Ok(())
}
