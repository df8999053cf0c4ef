//! `element()`: to the element or property that a property belongs to.

use millrace_model::Result;
use millrace_plan::{Expr, Function};

use crate::steps::Step;
use crate::translate::{Call, Kind, Traversal};

pub(super) const STEP: Step = Step::new("element", translate).arguments(0, 0);

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    let at = traversal.at(call)?;
    if let Some(parts) = traversal.state.property {
        traversal.moved(parts.owner.column, parts.owner.kind);
        return Ok(());
    }
    let owner = Expr::call(Function::OwnerOf, vec![Expr::Column(at.column)]);
    traversal.moved_to("element", owner, Kind::Any);
    Ok(())
}
