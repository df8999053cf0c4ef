//! `choose(test, then, otherwise)`: one traversal or another.

use millrace_model::Result;

use crate::steps::{Parameters, Step};
use crate::translate::{Call, Traversal};

pub(super) const STEP: Step =
    Step::new("choose", translate).modulators(&["option"]).parameters(Parameters::Operands);

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    let at = traversal.at(call)?;
    super::choosing::choose(traversal, call, at)
}
