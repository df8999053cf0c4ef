//! `V(ids)`: vertices.

use millrace_model::Result;
use millrace_plan::ElementKind;

use super::sources::elements;
use crate::steps::{Fact, Leads, MANY, Parameters, Step};
use crate::translate::{Call, Traversal};

pub(super) const STEP: Step = Step::new("V", translate)
    .arguments(0, MANY)
    .parameters(Parameters::All)
    .leads(Leads::Vertices)
    .facts(&[Fact::Begins, Fact::LooksUpIds, Fact::Spreads]);

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    elements(traversal, call, ElementKind::Vertex)
}
