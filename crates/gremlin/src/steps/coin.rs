//! `coin(probability)`: keeps each object with a probability.

use millrace_model::Result;
use millrace_plan::RandomKind;

use crate::steps::{Fact, Step};
use crate::translate::{Call, Traversal};

pub(super) const STEP: Step =
    Step::new("coin", translate).arguments(1, 1).facts(&[Fact::KeepsPlace]);

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    traversal.at(call)?;
    let probability = traversal.value(call.instruction, &call.arguments()[0])?;
    traversal.plan.random(RandomKind::Coin { probability });
    Ok(())
}
