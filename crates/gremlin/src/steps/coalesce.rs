//! `coalesce(traversals)`: the results of the first traversal that has any.

use millrace_model::Result;

use crate::steps::{Fact, Step};
use crate::translate::{Call, Traversal};

pub(super) const STEP: Step = Step::new("coalesce", translate).facts(&[Fact::Spreads]);

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    traversal.at(call)?;
    let inner = super::branches::traversals(call)?;
    super::branches::coalesce(traversal, &inner)
}
