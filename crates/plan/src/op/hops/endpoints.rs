//! The ends of an edge.

use crate::base::{ColumnId, ColumnSet, ElementKind, End};
use crate::op::facts::{DependsOn, Facts, Reads, kinds_of};
use crate::op::{KnownKinds, MadeKinds};
use crate::printer::Printer;

/// Adds an end of an edge.
#[derive(Clone, Debug, PartialEq)]
pub struct Endpoints {
    /// The edge.
    pub edge: ColumnId,
    /// Which end.
    pub end: End,
    /// The new column.
    pub to: ColumnId,
}

impl Facts for Endpoints {
    fn print(&self, printer: &Printer<'_>) -> String {
        let end = match self.end {
            End::Source => "source",
            End::Target => "target",
        };
        format!("Endpoints {} = {end} of {}", printer.column(self.to), printer.column(self.edge))
    }

    fn columns_by_name(&self) -> Vec<ColumnId> {
        vec![self.edge]
    }

    fn made_columns(&self) -> Vec<ColumnId> {
        vec![self.to]
    }

    fn is_needed(&self, live: &ColumnSet) -> bool {
        live.contains(&self.to)
    }

    fn made_kinds(&self, _known: &KnownKinds<'_>) -> MadeKinds {
        kinds_of(ElementKind::Vertex, &[self.to])
    }

    fn depends_on(&self) -> DependsOn<'_> {
        DependsOn::Row { drops: false }
    }

    fn reads(&self, reads: &mut Reads) {
        reads.records = true;
    }
}
