//! `property(key, value)`: sets a property.

use millrace_model::Result;
use millrace_plan::Op;

use crate::steps::Step;
use crate::translate::{Call, Traversal};

pub(super) const STEP: Step = Step { name: "property", modulators: &[], translate };

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    let at = traversal.at(call)?;
    let properties = super::given::one(traversal, call.instruction)?;
    traversal.plan.push(Op::Set { element: at.column, properties, replace: false });
    Ok(())
}
