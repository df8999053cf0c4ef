//! `max()`: the greatest.

use millrace_model::Result;
use millrace_plan::Fold;
use millrace_plan::functions::Reduction;

use super::folds::{best_entry, fold_of};
use crate::steps::{Fact, Step};
use crate::translate::{Call, Traversal};

pub(super) const STEP: Step = Step::new("max", translate).facts(&[Fact::Waits, Fact::SeesAll]);

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    let local = call.is_local()?;
    match local {
        true => best_entry(traversal, call, Reduction::Max),
        false => fold_of(traversal, call, Fold::Max),
    }
}
