//! `hasValue(values)`: keeps properties by their values.

use millrace_model::Result;
use millrace_plan::Expr;

use super::properties::parts;
use crate::steps::Step;
use crate::translate::{Call, Traversal};

pub(super) const STEP: Step = Step { name: "hasValue", modulators: &[], translate };

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    call.check_count(1, usize::MAX)?;
    let own = Expr::Column(parts(traversal, call)?.value);
    let tests = call.arguments().iter();
    let any = tests.map(|test| traversal.passes(call.instruction, own.clone(), test));
    let any = any.collect::<Result<_>>()?;
    traversal.plan.filter(Expr::Or(any));
    Ok(())
}
