//! `repeat(traversal)`: rounds, until traversers leave.

use millrace_model::Result;

use crate::steps::Step;
use crate::translate::{Call, Traversal};

pub(super) const STEP: Step =
    Step { name: "repeat", modulators: &["emit", "times", "until"], translate };

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    super::rounds::repeat(traversal, call)
}
