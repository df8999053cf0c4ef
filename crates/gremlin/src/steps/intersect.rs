//! `intersect(list)`: the entries that two lists have in common, as a set.

use millrace_model::Result;
use millrace_plan::functions::SetOperation;

use super::operands::set_of;
use crate::steps::Step;
use crate::translate::{Call, Traversal};

pub(super) const STEP: Step = Step::new("intersect", translate).arguments(1, 1);

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    set_of(traversal, call, SetOperation::Intersection)
}
