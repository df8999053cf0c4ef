//! `cyclicPath()`: keeps traversers that were somewhere twice.

use millrace_model::Result;
use millrace_plan::{Expr, Function};

use crate::steps::Step;
use crate::translate::{Call, Traversal};

pub(super) const STEP: Step =
    Step { name: "cyclicPath", modulators: &["by", "from", "to"], translate };

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    let path = traversal.state.path.ok_or_else(|| call.wrong("cannot be the first step"))?;
    if !call.modulators.is_empty() {
        return Err(call.refused("with by(), from() or to() is not supported"));
    }
    let simple = Expr::call(Function::IsSimple, vec![Expr::Column(path)]);
    traversal.plan.filter(simple.negate());
    Ok(())
}
