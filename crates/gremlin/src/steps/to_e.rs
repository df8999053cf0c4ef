//! `toE(direction, labels)`: to edges, in a direction that is an argument.

use millrace_model::Result;

use super::hops::Reached;
use crate::steps::{Fact, Step};
use crate::translate::{Call, Traversal};

pub(super) const STEP: Step = Step::new("toE", translate).facts(&[Fact::NamesTypes]);

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    super::to::along(traversal, call, Reached::Edge)
}
