//! `sample(n)`: objects chosen at random.

use millrace_model::Result;

use crate::steps::Step;
use crate::translate::{Call, Traversal, integer, scope};

pub(super) const STEP: Step = Step { name: "sample", modulators: &["by"], translate };

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    let (local, arguments) = scope(call.arguments());
    if local || !call.modulators.is_empty() {
        return Err(call.refused("is supported without local scope and weights only"));
    }
    let [count] = arguments else { return Err(call.wrong("takes one number")) };
    traversal.at(call)?;
    let count = integer(call.instruction, count)?;
    traversal.plan.sample(u64::try_from(count).map_err(|_| call.wrong("takes a count"))?);
    Ok(())
}
