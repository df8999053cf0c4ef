//! `mean()`: the mean of numbers.

use millrace_model::Result;
use millrace_plan::Fold;

use super::folds::fold_of;
use crate::steps::{Fact, Step};
use crate::translate::{Call, Traversal};

pub(super) const STEP: Step = Step::new("mean", translate).facts(&[Fact::Waits, Fact::SeesAll]);

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    fold_of(traversal, call, Fold::Mean)
}
