//! `all(predicate)`: keeps lists of which all entries pass.

use millrace_model::Result;
use millrace_plan::Expr;

use super::lists::passing;
use crate::steps::{Parameters, Step};
use crate::translate::{Call, Traversal};

pub(super) const STEP: Step =
    Step::new("all", translate).arguments(1, 1).parameters(Parameters::Operands);

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    let found = passing(traversal, call, |passes| passes.negate())?;
    traversal.plan.filter(Expr::Column(found).negate());
    Ok(())
}
