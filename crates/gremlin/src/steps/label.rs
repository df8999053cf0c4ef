//! `label()`: its label.

use millrace_model::Result;

use crate::steps::Step;
use crate::translate::{Call, Kind, Traversal, elements};

pub(super) const STEP: Step = Step::new("label", translate);

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    call.check_count(0, 0)?;
    let at = traversal.at(call)?;
    traversal.moved_to("label", elements::label(at), Kind::Scalar);
    Ok(())
}
