//! The edges between two vertices.

use millrace_model::Direction;

use super::Loops;
use crate::base::{ColumnId, ElementKind, Name};
use crate::op::facts::{DependsOn, Distinct, Facts, Reads, and_made, kinds_of};
use crate::op::{KnownKinds, MadeKinds};
use crate::printer::{Printer, edge_types};

/// Each row, once for every edge between two vertices, in the first's order. Null has none.
#[derive(Clone, Debug, PartialEq)]
pub struct ExpandInto {
    /// The first.
    pub from: ColumnId,
    /// The second.
    pub into: ColumnId,
    /// Edge types; `None`: all.
    pub types: Option<Vec<Name>>,
    /// Which way, seen from the first.
    pub direction: Direction,
    /// A new column for the edge.
    pub edge: Option<ColumnId>,
    /// How `both` sees loops.
    pub loops: Loops,
}

impl Facts for ExpandInto {
    fn print(&self, printer: &Printer<'_>) -> String {
        let [from, into] = [self.from, self.into].map(|column| printer.column(column));
        let (edge, direction) = (printer.edge(self.edge), self.direction);
        let (types, loops) = (edge_types(&self.types), self.loops.print());
        format!("ExpandInto {from} -{edge}{direction} {types}-> {into}{loops}")
    }

    fn columns_by_name(&self) -> Vec<ColumnId> {
        vec![self.from, self.into]
    }

    fn made_columns(&self) -> Vec<ColumnId> {
        self.edge.into_iter().collect()
    }

    fn optional_columns_mut(&mut self) -> Vec<&mut Option<ColumnId>> {
        vec![&mut self.edge]
    }

    fn made_kinds(&self, _known: &KnownKinds<'_>) -> MadeKinds {
        kinds_of(ElementKind::Edge, &self.edge)
    }

    fn distinct_after(&self, before: Distinct) -> Distinct {
        self.edge.and_then(|made| and_made(before, &[made]))
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
