//! The lines of random operators, and of those that intersect.

use super::{Printer, edge_types};
use crate::intersect::{Intersect, IntersectArm};
use crate::op::Loops;
use crate::random::{Random, RandomKind};

impl Printer<'_> {
    pub(super) fn random(&self, Random { stream, kind }: &Random) -> String {
        match kind {
            RandomKind::Sample { count } => format!("Sample {count} (stream {stream})"),
            RandomKind::Coin { probability } => {
                format!("Coin {} (stream {stream})", self.expr(probability))
            }
            RandomKind::Number { to } => format!("Random {} (stream {stream})", self.column(*to)),
        }
    }

    pub(super) fn intersect(&self, intersect: &Intersect) -> String {
        let arm = |arm: &IntersectArm| {
            let loops = if arm.loops == Loops::Once { " loops once" } else { "" };
            let types = edge_types(&arm.types);
            format!("{} -{} {types}->{loops}", self.column(arm.from), arm.direction)
        };
        let arms: Vec<String> = intersect.arms.iter().map(arm).collect();
        format!("Intersect {} of {}", self.column(intersect.to), arms.join(" and "))
    }
}
