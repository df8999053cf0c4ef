//! `any(predicate)`: keeps lists of which an entry passes.

use millrace_model::Result;
use millrace_plan::Expr;

use super::lists::passing;
use crate::steps::Step;
use crate::translate::{Call, Traversal};

pub(super) const STEP: Step = Step { name: "any", modulators: &[], translate };

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    let found = passing(traversal, call, |passes| passes)?;
    traversal.plan.filter(Expr::Column(found));
    Ok(())
}
