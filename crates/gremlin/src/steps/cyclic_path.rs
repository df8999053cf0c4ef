//! `cyclicPath()`: keeps traversers with a repeated object in their path; with `by`, its value is compared.

use millrace_model::Result;

use crate::steps::{Fact, Step};
use crate::translate::{Call, Traversal};

pub(super) const STEP: Step = Step::new("cyclicPath", translate)
    .arguments(0, 0)
    .modulators(&["by", "from", "to"])
    .facts(&[Fact::NeedsPath]);

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    let simple = super::path::is_simple(traversal, call)?;
    traversal.plan.filter(simple.negate());
    Ok(())
}
