//! `product(list)`: each entry of a list with each of another, as lists of two.

use millrace_model::Result;
use millrace_plan::Function;

use super::operands::of_both;
use crate::steps::Step;
use crate::translate::{Call, Traversal};

pub(super) const STEP: Step = Step::new("product", translate).arguments(1, 1);

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    of_both(traversal, call, Function::Product)
}
