//! `as(tags)`: names where the traverser is.

use millrace_model::Result;

use crate::steps::Step;
use crate::translate::{Call, Traversal};

pub(super) const STEP: Step = Step { name: "as", modulators: &[], translate };

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    traversal.tag(call.instruction)
}
