//! The neighbours of a vertex, as a set.

use millrace_model::Direction;

use crate::base::{ColumnId, ElementKind, Name};
use crate::op::facts::{DependsOn, Distinct, Facts, Reads, and_made, kinds_of};
use crate::op::{KnownKinds, MadeKinds};
use crate::printer::{Printer, edge_types};

/// Each row, once for every vertex that edges of its vertex lead to, ascending by id. A null vertex has none.
///
/// Of several edges to one vertex it counts the vertex once: an `Expand` in an `Apply` with a `Sort` and a `Dedup`, of which
/// lists that ascend need neither.
#[derive(Clone, Debug, PartialEq)]
pub struct Neighbours {
    /// The vertex.
    pub from: ColumnId,
    /// Edge types; `None`: all.
    pub types: Option<Vec<Name>>,
    /// Which way.
    pub direction: Direction,
    /// The new column.
    pub to: ColumnId,
}

impl Facts for Neighbours {
    fn print(&self, printer: &Printer<'_>) -> String {
        let (from, to) = (printer.column(self.from), printer.column(self.to));
        format!("Neighbours {from} -{} {}-> {to}", self.direction, edge_types(&self.types))
    }

    fn columns_by_name(&self) -> Vec<ColumnId> {
        vec![self.from]
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
