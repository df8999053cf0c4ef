//! `label()`: its label.

use millrace_model::Result;

use crate::steps::Step;
use crate::translate::{Call, Kind, Traversal, elements};

pub(super) const STEP: Step = Step::new("label", translate).arguments(0, 0);

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    let at = traversal.at(call)?;
    traversal.moved_to("label", elements::label(at), Kind::Scalar);
    Ok(())
}
