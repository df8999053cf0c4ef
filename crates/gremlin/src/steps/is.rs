//! `is(value)`: keeps objects that equal a value or pass a predicate.

use millrace_model::Result;
use millrace_plan::Expr;

use crate::steps::Step;
use crate::translate::{Call, Traversal};

pub(super) const STEP: Step = Step { name: "is", modulators: &[], translate };

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    call.check_count(1, 1)?;
    let at = traversal.at(call)?;
    let holds =
        traversal.passes(call.instruction, Expr::Column(at.column), &call.arguments()[0])?;
    traversal.plan.filter(holds);
    Ok(())
}
