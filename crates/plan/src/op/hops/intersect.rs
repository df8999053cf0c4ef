//! Several bound vertices to their common neighbours.

use millrace_model::{Direction, Result};

use super::Loops;
use crate::base::{ColumnId, ElementKind, Name, PlanNames};
use crate::op::facts::{DependsOn, Distinct, Facts, Reads, and_made, kinds_of};
use crate::op::plan_errors::bad_plan;
use crate::op::{KnownKinds, MadeKinds};
use crate::printer::{Printer, edge_types};

/// The common neighbours of several vertices of a row: each row, once for every choice of an edge
/// for each arm that lead to one vertex, by its id; weights multiply. A null vertex has no neighbour.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Intersect {
    /// The vertices and where one goes from them; one arm at least.
    pub arms: Vec<IntersectArm>,
    /// A new column for the common neighbour.
    pub to: ColumnId,
}

/// One of the vertices, and which of its edges count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IntersectArm {
    /// The vertex.
    pub from: ColumnId,
    /// Edge types; `None`: all.
    pub types: Option<Vec<Name>>,
    /// Which way, seen from the vertex.
    pub direction: Direction,
    /// How `both` sees loops.
    pub loops: Loops,
}

impl Facts for Intersect {
    fn print(&self, printer: &Printer<'_>) -> String {
        let arm = |arm: &IntersectArm| {
            let (types, loops) = (edge_types(&arm.types), arm.loops.print());
            format!("{} -{} {types}->{loops}", printer.column(arm.from), arm.direction)
        };
        let arms: Vec<String> = self.arms.iter().map(arm).collect();
        format!("Intersect {} of {}", printer.column(self.to), arms.join(" and "))
    }

    fn check(&self, _plan: &dyn PlanNames) -> Result<()> {
        if self.arms.is_empty() {
            return Err(bad_plan("an Intersect of no vertices"));
        }
        Ok(())
    }

    fn columns_by_name(&self) -> Vec<ColumnId> {
        self.arms.iter().map(|arm| arm.from).collect()
    }

    fn made_columns(&self) -> Vec<ColumnId> {
        vec![self.to]
    }

    fn made_kinds(&self, _known: &KnownKinds<'_>) -> MadeKinds {
        kinds_of(ElementKind::Vertex, &[self.to])
    }

    fn distinct_after(&self, before: Distinct) -> Distinct {
        and_made(before, &[self.to])
    }

    fn depends_on(&self) -> DependsOn<'_> {
        DependsOn::Row { drops: true }
    }

    fn gains_by_weights(&self) -> bool {
        true
    }

    fn reads(&self, reads: &mut Reads) {
        reads.edges = true;
    }
}
