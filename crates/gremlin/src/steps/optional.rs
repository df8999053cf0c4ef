//! `optional(traversal)`: the results of a traversal, or where it is if there are none.

use millrace_bytecode::Bytecode;
use millrace_model::Result;

use crate::steps::Step;
use crate::translate::{Call, Traversal};

pub(super) const STEP: Step = Step::new("optional", translate);

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    traversal.at(call)?;
    let Some(inner) = call.traversal() else { return Err(call.wrong("takes a traversal")) };
    let itself = Bytecode::default();
    super::branches::coalesce(traversal, &[inner, &itself])
}
