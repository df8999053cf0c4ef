//! `hasNot(key)`: keeps elements without a property.

use millrace_model::Result;
use millrace_plan::Expr;

use crate::steps::{Fact, Step};
use crate::translate::{By, Call, Traversal};

pub(super) const STEP: Step =
    Step::new("hasNot", translate).arguments(1, 1).facts(&[Fact::NamesKeys, Fact::TestsElement]);

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    let at = traversal.at(call)?;
    let by = By::of(call.instruction, call.arguments().first())?;
    let (_, value) = super::has::looked_at(traversal, &by, at)?;
    traversal.plan.filter(Expr::IsAbsent(Box::new(value)));
    Ok(())
}
