//! `and(traversals)`: keeps objects for which all of some traversals have a result.

use millrace_model::Result;
use millrace_plan::Expr;

use super::branches::existing;
use crate::steps::{Fact, Step};
use crate::translate::{Call, Traversal};

pub(super) const STEP: Step =
    Step::new("and", translate).facts(&[Fact::Conjunction, Fact::ComparesTags, Fact::KeepsPlace]);

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    traversal.at(call)?;
    let exist = existing(traversal, call)?;
    traversal.plan.filter(Expr::And(exist));
    Ok(())
}
