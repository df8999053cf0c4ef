//! `repeat(traversal)`: rounds, until traversers leave.

mod rounds;

use millrace_model::Result;

use crate::steps::Step;
use crate::translate::{Call, Traversal};

pub(super) const STEP: Step = Step::new("repeat", translate)
    .modulators(&["emit", "times", "until"])
    .modulators_before(&["emit", "times", "until"]);

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    rounds::repeat(traversal, call)
}
