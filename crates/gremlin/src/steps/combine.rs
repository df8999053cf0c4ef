//! `combine(list)`: a list with the entries of another behind its own.

use millrace_model::Result;
use millrace_plan::Function;

use super::operands::of_both;
use crate::steps::Step;
use crate::translate::{Call, Traversal};

pub(super) const STEP: Step = Step::new("combine", translate).arguments(1, 1);

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    of_both(traversal, call, Function::ConcatLists)
}
