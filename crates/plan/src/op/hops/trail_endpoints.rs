//! Where a walk over given edges begins and ends.

use millrace_model::Direction;

use crate::base::{ColumnId, ElementKind};
use crate::op::facts::{DependsOn, Distinct, Facts, Reads, and_made, kinds_of};
use crate::op::{KnownKinds, MadeKinds};
use crate::printer::Printer;

/// Each row, once for every way to walk the edges of a list, none of them twice: at most two,
/// the one that begins at the first edge's source before the other. There is none for null and
/// for no edges at all.
#[derive(Clone, Debug, PartialEq)]
pub struct TrailEndpoints {
    /// The list.
    pub list: ColumnId,
    /// Which way each edge is walked.
    pub direction: Direction,
    /// A new column for where it starts.
    pub from: Option<ColumnId>,
    /// A new column for where it ends.
    pub to: Option<ColumnId>,
}

impl Facts for TrailEndpoints {
    fn print(&self, printer: &Printer<'_>) -> String {
        let [from, to] = [self.from, self.to].map(|column| printer.wanted(column));
        format!("TrailEndpoints {from} -{} {}-> {to}", printer.column(self.list), self.direction)
    }

    fn columns_by_name(&self) -> Vec<ColumnId> {
        vec![self.list]
    }

    fn made_columns(&self) -> Vec<ColumnId> {
        self.from.iter().chain(&self.to).copied().collect()
    }

    fn optional_columns_mut(&mut self) -> Vec<&mut Option<ColumnId>> {
        vec![&mut self.from, &mut self.to]
    }

    fn made_kinds(&self, _known: &KnownKinds<'_>) -> MadeKinds {
        kinds_of(ElementKind::Vertex, self.from.iter().chain(&self.to))
    }

    fn distinct_after(&self, before: Distinct) -> Distinct {
        // Two ways to walk a list differ in where they start.
        self.from.and_then(|made| and_made(before, &[made]))
    }

    fn depends_on(&self) -> DependsOn<'_> {
        DependsOn::Row { drops: true }
    }

    fn reads(&self, reads: &mut Reads) {
        reads.records = true;
    }
}
