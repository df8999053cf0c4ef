//! Random operators, and those that intersect, to stages.

use millrace_model::Result;
use millrace_plan::analysis::Demand;
use millrace_plan::{Intersect, IntersectArm, Random, RandomKind};

use super::compiler::{Compiler, Place, Placed};
use crate::names::EdgeTypes;
use crate::operators::{Completing, Intersect as Intersecting, Random as RandomStage, Walk, What};

impl Compiler<'_> {
    pub(super) fn random(&self, random: &Random, place: &Place<'_>) -> Result<Placed> {
        let (keep, after, [live]) = place.keep_and([random.made()]);
        let what = match &random.kind {
            RandomKind::Sample { count } => What::Sample(*count),
            RandomKind::Coin { probability } => {
                What::Coin(self.exprs(place.layout, [probability])?)
            }
            RandomKind::Number { .. } => What::Number { live },
        };
        Ok((Box::new(Completing::new(RandomStage::new(random.stream, what, keep))), after))
    }

    pub(super) fn intersect(&self, intersect: &Intersect, place: &Place<'_>) -> Result<Placed> {
        let (keep, after, [to]) = place.keep_and([Some(intersect.to)]);
        let arm = |arm: &IntersectArm| {
            let walk = Walk::new(EdgeTypes::new(arm.types.as_deref()), arm.direction, arm.loops);
            Ok((self.slot(place.layout, arm.from)?, walk))
        };
        let arms = intersect.arms.iter().map(arm).collect::<Result<_>>()?;
        let weighted = self.plan.merging && place.demand != Demand::Full;
        Ok((Box::new(Intersecting::new(arms, to, weighted, keep)), after))
    }
}
