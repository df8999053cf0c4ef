//! `toLower()`: texts in lower case.

use millrace_model::Result;
use millrace_plan::Function;

use super::texts::by_function;
use crate::steps::Step;
use crate::translate::{Call, Traversal};

pub(super) const STEP: Step = Step::new("toLower", translate);

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    by_function(traversal, call, Function::Lower)
}
