//! `branch(traversal)`: the traversals with the option that it finds.

use millrace_model::Result;

use crate::steps::Step;
use crate::translate::{Call, Traversal};

pub(super) const STEP: Step = Step::new("branch", translate).modulators(&["option"]);

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    let at = traversal.at(call)?;
    super::choosing::branch(traversal, call, at)
}
