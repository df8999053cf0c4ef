//! `sideEffect(traversal)`: runs a traversal for its side effects.

use millrace_model::Result;
use millrace_plan::{ApplyKind, op};

use crate::steps::{Fact, Step};
use crate::translate::{Call, Traversal};

pub(super) const STEP: Step = Step::new("sideEffect", translate).facts(&[Fact::KeepsPlace]);

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    traversal.at(call)?;
    let Some(inner) = call.traversal() else { return Err(call.wrong("takes a traversal")) };
    let sub = traversal.sub(inner)?;
    traversal.plan.push(op::Apply { sub: sub.pipeline, kind: ApplyKind::Effect });
    Ok(())
}
