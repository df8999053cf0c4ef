//! `map(traversal)`: the first result in place of each object.

use millrace_model::Result;

use crate::steps::Step;
use crate::translate::{Call, Traversal};

pub(super) const STEP: Step = Step::new("map", translate);

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    let at = traversal.at(call)?;
    let Some(inner) = call.traversal() else { return Err(call.wrong("takes a traversal")) };
    let found = traversal.first_of(at, inner)?;
    traversal.keep_present(found.column);
    traversal.moved(found.column, found.kind);
    Ok(())
}
