//! `simplePath()`: keeps traversers that were nowhere twice.

use millrace_model::Result;
use millrace_plan::{Expr, Function};

use crate::steps::Step;
use crate::translate::{Call, Traversal};

pub(super) const STEP: Step =
    Step { name: "simplePath", modulators: &["by", "from", "to"], translate };

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    if call.modulated("by").next().is_some() {
        return Err(call.refused("with by() is not supported"));
    }
    let path = super::path::part(traversal, call)?;
    let simple = Expr::call(Function::IsSimple, vec![path]);
    traversal.plan.filter(simple);
    Ok(())
}
