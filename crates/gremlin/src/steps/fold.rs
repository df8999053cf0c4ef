//! `fold()`: all objects as one list.

use millrace_model::Result;
use millrace_plan::Expr;

use crate::steps::Step;
use crate::translate::{Call, Kind, Traversal};

pub(super) const STEP: Step = Step { name: "fold", modulators: &[], translate };

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    if !call.arguments().is_empty() {
        return Err(call.refused("with a seed is not supported"));
    }
    let at = traversal.at(call)?;
    let list = traversal.collect_list(Expr::Column(at.column));
    traversal.reduced(list, Kind::List);
    Ok(())
}
