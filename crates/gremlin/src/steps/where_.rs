//! `where(traversal)`, `where(predicate)`, `where(tag, predicate)`: keeps objects by what they are beside tags.

use millrace_model::Result;

use crate::steps::Step;
use crate::translate::{Call, Traversal};

pub(super) const STEP: Step = Step { name: "where", modulators: &["by"], translate };

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    let at = traversal.at(call)?;
    super::wheres::keep(traversal, call, at)
}
