//! `where(traversal)`, `where(predicate)`, `where(tag, predicate)`: keeps objects by a traversal, or by comparison
//! with tags.

use millrace_model::Result;

use crate::steps::{Fact, Step};
use crate::translate::{Call, Traversal};

pub(super) const STEP: Step = Step::new("where", translate).modulators(&["by"]).facts(&[
    Fact::ComparesTags,
    Fact::KeepsPlace,
    Fact::AsksTraverser,
]);

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    let at = traversal.at(call)?;
    super::wheres::keep(traversal, call, at)
}
