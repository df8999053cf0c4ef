//! From a vertex along its edges.

use millrace_model::Direction;

use super::Loops;
use crate::base::{ColumnId, ElementKind, Name};
use crate::op::facts::{DependsOn, Distinct, Facts, Reads, and_made, kinds_of};
use crate::op::{KnownKinds, MadeKinds};
use crate::printer::{Printer, edge_types};

/// Each row, once for every edge of a vertex, in list order. A null vertex has none.
#[derive(Clone, Debug, PartialEq)]
pub struct Expand {
    /// The vertex.
    pub from: ColumnId,
    /// Edge types; `None`: all.
    pub types: Option<Vec<Name>>,
    /// Which way.
    pub direction: Direction,
    /// A new column for the edge.
    pub edge: Option<ColumnId>,
    /// A new column for the other end.
    pub to: Option<ColumnId>,
    /// How `both` sees loops.
    pub loops: Loops,
}

impl Facts for Expand {
    fn print(&self, printer: &Printer<'_>) -> String {
        let (from, to) = (printer.column(self.from), printer.wanted(self.to));
        let (edge, direction) = (printer.edge(self.edge), self.direction);
        let (types, loops) = (edge_types(&self.types), self.loops.print());
        format!("Expand {from} -{edge}{direction} {types}-> {to}{loops}")
    }

    fn columns_by_name(&self) -> Vec<ColumnId> {
        vec![self.from]
    }

    fn made_columns(&self) -> Vec<ColumnId> {
        self.edge.iter().chain(&self.to).copied().collect()
    }

    fn optional_columns_mut(&mut self) -> Vec<&mut Option<ColumnId>> {
        vec![&mut self.edge, &mut self.to]
    }

    fn made_kinds(&self, _known: &KnownKinds<'_>) -> MadeKinds {
        let mut kinds = kinds_of(ElementKind::Edge, &self.edge);
        kinds.extend(kinds_of(ElementKind::Vertex, &self.to));
        kinds
    }

    fn distinct_after(&self, before: Distinct) -> Distinct {
        // Without a column for the edge or its end, it leaves as many equal rows.
        let made = self.edge.or(self.to)?;
        let mut distinct = and_made(before, &[made])?;
        if self.edge.is_some() && self.direction != Direction::Both {
            // An edge is in one list of each direction, so it says where the row came from.
            distinct.remove(&self.from);
        }
        Some(distinct)
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
