//! `otherV()`: to the end of an edge that the traverser did not come from.

use millrace_model::Result;

use crate::steps::Step;
use crate::translate::{Call, Kind, Traversal};

pub(super) const STEP: Step = Step { name: "otherV", modulators: &[], translate };

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    call.check_count(0, 0)?;
    match traversal.state.other {
        Some(other) => {
            traversal.moved(other, Kind::Vertex);
            Ok(())
        }
        None => Err(call.refused("is supported behind outE(), inE() and bothE() only")),
    }
}
