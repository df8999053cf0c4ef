//! `none()`: no object.

use millrace_model::Result;
use millrace_plan::Op;

use crate::steps::Step;
use crate::translate::{Call, Traversal};

pub(super) const STEP: Step = Step { name: "none", modulators: &[], translate };

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    if !call.arguments().is_empty() {
        return Err(call.refused("with a predicate is not supported"));
    }
    traversal.at(call)?;
    traversal.plan.push(Op::Range { from: 0, to: Some(0) });
    Ok(())
}
