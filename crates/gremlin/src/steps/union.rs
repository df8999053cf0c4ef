//! `union(traversals)`: the results of all of some traversals.

use millrace_model::Result;

use crate::steps::Step;
use crate::translate::{Call, Traversal};

pub(super) const STEP: Step = Step::new("union", translate);

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    let inner = super::branches::traversals(call)?;
    super::branches::union(traversal, &inner)
}
