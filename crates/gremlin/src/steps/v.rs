//! `V(ids)`: vertices.

use millrace_model::Result;
use millrace_plan::ElementKind;

use super::sources::elements;
use crate::steps::Step;
use crate::translate::{Call, Traversal};

pub(super) const STEP: Step = Step { name: "V", modulators: &[], translate };

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    elements(traversal, call, ElementKind::Vertex)
}
