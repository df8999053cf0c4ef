//! `as(tags)`: names where the traverser is.

use millrace_model::Result;

use crate::steps::{Fact, Step};
use crate::translate::{Call, Traversal};

pub(super) const STEP: Step = Step::new("as", translate).facts(&[Fact::SetsTags, Fact::KeepsPlace]);

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    traversal.tag(call.instruction)
}
