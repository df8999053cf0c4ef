//! `flatMap(traversal)`: all results in place of each object.

use millrace_model::Result;

use super::branches::flat;
use crate::steps::{Fact, Step};
use crate::translate::{Call, Traversal};

pub(super) const STEP: Step = Step::new("flatMap", translate).facts(&[Fact::Spreads]);

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    traversal.at(call)?;
    let Some(inner) = call.traversal() else { return Err(call.wrong("takes a traversal")) };
    flat(traversal, inner, false)
}
