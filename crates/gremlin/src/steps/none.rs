//! `none()`: no object; `none(predicate)`: keeps lists of which no entry passes.

use millrace_model::Result;
use millrace_plan::{Expr, op};

use super::lists::passing;
use crate::steps::{Fact, Parameters, Step};
use crate::translate::{Call, Traversal};

pub(super) const STEP: Step = Step::new("none", translate)
    .arguments(0, 1)
    .parameters(Parameters::Operands)
    .facts(&[Fact::Waits]);

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    if call.arguments().is_empty() {
        traversal.at(call)?;
        traversal.plan.push(op::Range::of(0, Some(0)));
        return Ok(());
    }
    let found = passing(traversal, call, |passes| passes)?;
    traversal.plan.filter(Expr::Column(found).negate());
    Ok(())
}
