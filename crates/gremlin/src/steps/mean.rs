//! `mean()`: the mean of numbers.

use millrace_model::Result;
use millrace_plan::Fold;

use super::folds::fold_of;
use crate::steps::Step;
use crate::translate::{Call, Traversal};

pub(super) const STEP: Step = Step { name: "mean", modulators: &[], translate };

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    fold_of(traversal, call, Fold::Mean)
}
