//! `discard()`: no object.

use millrace_model::Result;
use millrace_plan::op;

use crate::steps::Step;
use crate::translate::{Call, Traversal};

pub(super) const STEP: Step = Step::new("discard", translate).arguments(0, 0);

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    traversal.at(call)?;
    traversal.plan.push(op::Range::of(0, Some(0)));
    Ok(())
}
