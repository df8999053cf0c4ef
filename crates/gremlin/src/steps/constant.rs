//! `constant(value)`: a value in place of each object.

use millrace_model::Result;

use crate::steps::{Parameters, Step};
use crate::translate::{Call, Kind, Traversal};

pub(super) const STEP: Step =
    Step::new("constant", translate).arguments(1, 1).parameters(Parameters::All);

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    // Without a traverser, the traversal begins with one, as in union(constant(1)).
    let value = traversal.value(call.instruction, &call.arguments()[0])?;
    traversal.moved_to("constant", value, Kind::Any);
    Ok(())
}
