//! `or(traversals)`: keeps objects for which any of some traversals have a result.

use millrace_model::Result;
use millrace_plan::Expr;

use super::branches::existing;
use crate::steps::{Fact, Step};
use crate::translate::{Call, Traversal};

pub(super) const STEP: Step =
    Step::new("or", translate).facts(&[Fact::Disjunction, Fact::ComparesTags, Fact::KeepsPlace]);

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    traversal.at(call)?;
    let exist = existing(traversal, call)?;
    traversal.plan.filter(Expr::Or(exist));
    Ok(())
}
