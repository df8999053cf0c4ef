//! The lines of operators that draw, and of those that intersect.

use super::{Printer, edge_types};
use crate::draws::{Draw, Drawn};
use crate::intersect::{Intersect, IntersectArm};
use crate::op::Loops;

impl Printer<'_> {
    pub(super) fn draw(&self, Draw { stream, drawn }: &Draw) -> String {
        match drawn {
            Drawn::Sample { count } => format!("Sample {count} (stream {stream})"),
            Drawn::Coin { probability } => {
                format!("Coin {} (stream {stream})", self.expr(probability))
            }
            Drawn::Number { to } => format!("Draw {} (stream {stream})", self.column(*to)),
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
