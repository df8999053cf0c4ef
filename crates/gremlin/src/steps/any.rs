//! `any(predicate)`: keeps lists of which an entry passes.

use millrace_model::Result;
use millrace_plan::Expr;

use super::lists::passing;
use crate::steps::{Parameters, Step};
use crate::translate::{Call, Traversal};

pub(super) const STEP: Step =
    Step::new("any", translate).arguments(1, 1).parameters(Parameters::Operands);

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    let found = passing(traversal, call, |passes| passes)?;
    traversal.plan.filter(Expr::Column(found));
    Ok(())
}
