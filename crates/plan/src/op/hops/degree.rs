//! A number of edges as a weight.

use millrace_model::Direction;

use super::Loops;
use crate::base::{ColumnId, Name};
use crate::op::facts::{DependsOn, Distinct, Facts, Reads};
use crate::op::{KnownKinds, MadeKinds};
use crate::printer::{Printer, edge_types};

/// Each row, as often as its vertex has edges to vertices with some labels: an `Expand` of which nothing is read.
#[derive(Clone, Debug, PartialEq)]
pub struct Degree {
    /// The vertex; null has no edges.
    pub from: ColumnId,
    /// Edge types; `None`: all.
    pub types: Option<Vec<Name>>,
    /// Which way.
    pub direction: Direction,
    /// How `both` sees loops.
    pub loops: Loops,
    /// Labels that the other end has, all of them.
    pub labels: Vec<Name>,
    /// Whether a row without such an edge stays, once.
    pub or_once: bool,
}

impl Facts for Degree {
    fn print(&self, printer: &Printer<'_>) -> String {
        let (from, direction) = (printer.column(self.from), self.direction);
        let (types, loops) = (edge_types(&self.types), self.loops.print());
        let labels: String = self.labels.iter().map(|label| format!(":{label}")).collect();
        let labels = if labels.is_empty() { labels } else { format!(" ({labels})") };
        let once = if self.or_once { " or once" } else { "" };
        format!("Degree {from} -{direction} {types}->{labels}{loops}{once}")
    }

    fn columns_by_name(&self) -> Vec<ColumnId> {
        vec![self.from]
    }

    fn made_kinds(&self, _known: &KnownKinds<'_>) -> MadeKinds {
        MadeKinds::new()
    }

    /// Equal rows become one with a larger weight.
    fn distinct_after(&self, before: Distinct) -> Distinct {
        before
    }

    fn depends_on(&self) -> DependsOn<'_> {
        DependsOn::Row { drops: !self.or_once }
    }

    fn gains_by_weights(&self) -> bool {
        true
    }

    fn reads(&self, reads: &mut Reads) {
        reads.edges = true;
        reads.records = true;
        reads.labels.names.extend(self.labels.iter().cloned());
    }
}
