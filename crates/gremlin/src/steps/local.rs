//! `local(traversal)`: all results in place of each object, its way remembered.

use millrace_model::Result;

use super::branches::flat;
use crate::steps::Step;
use crate::translate::{Call, Traversal};

pub(super) const STEP: Step = Step::new("local", translate);

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    traversal.at(call)?;
    let Some(inner) = call.traversal() else { return Err(call.wrong("takes a traversal")) };
    flat(traversal, inner, true)
}
