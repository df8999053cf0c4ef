//! `fail(message)`: ends the query as soon as an object is here.

use millrace_model::{ErrorKind, Result};
use millrace_plan::{Expr, op};

use crate::steps::Step;
use crate::translate::{Call, Traversal};

pub(super) const STEP: Step = Step::new("fail", translate).arguments(0, 1);

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    traversal.at(call)?;
    let message = match call.arguments().first() {
        None => Expr::literal("fail() step triggered"),
        Some(message) => traversal.value(call.instruction, message)?,
    };
    traversal.plan.push(op::Fail { message, kind: ErrorKind::Failed });
    Ok(())
}
