//! `barrier()`: all rows of the scope before one goes on.

use millrace_model::Result;
use millrace_model::bytecode::Argument;
use millrace_plan::Op;

use crate::steps::Step;
use crate::translate::{Call, Traversal};

pub(super) const STEP: Step = Step { name: "barrier", modulators: &[], translate };

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    call.check_count(0, 1)?;
    if let Some(Argument::Symbol(_)) = call.arguments().first() {
        return Err(call.refused("has a sack barrier, which is not supported"));
    }
    traversal.at(call)?;
    traversal.plan.push(Op::Barrier { merge: None });
    Ok(())
}
