//! `choose(test, then, otherwise)`: one traversal or another.

use millrace_model::Result;

use crate::steps::Step;
use crate::translate::{Call, Traversal};

pub(super) const STEP: Step = Step { name: "choose", modulators: &["option"], translate };

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    let at = traversal.at(call)?;
    super::choosing::choose(traversal, call, at)
}
