//! `E(ids)`: edges.

use millrace_model::Result;
use millrace_plan::ElementKind;

use super::sources::elements;
use crate::steps::{Fact, Leads, Slots, Step};
use crate::translate::{Call, Traversal};

pub(super) const STEP: Step = Step::new("E", translate)
    .slots(Slots::All)
    .leads(Leads::Edges)
    .facts(&[Fact::Begins, Fact::LooksUpIds, Fact::Spreads]);

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    elements(traversal, call, ElementKind::Edge)
}
