//! `drop()`: deletes elements.

use millrace_model::Result;
use millrace_plan::{Expr, Op};

use crate::steps::Step;
use crate::translate::{Call, Traversal};

pub(super) const STEP: Step = Step { name: "drop", modulators: &[], translate };

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    call.check_count(0, 0)?;
    let at = traversal.at(call)?;
    traversal.plan.push(Op::Delete { element: Expr::Column(at.column), detach: true });
    traversal.plan.push(Op::Range { from: 0, to: Some(0) });
    Ok(())
}
