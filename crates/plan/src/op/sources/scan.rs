//! All elements of a kind, or those with a label or types.

use crate::base::{ColumnId, ElementKind, Name};
use crate::op::facts::{DependsOn, Distinct, Facts, Reads, and_made, kinds_of};
use crate::op::{KnownKinds, MadeKinds};
use crate::printer::Printer;

/// Each row, once for every vertex or edge listed.
#[derive(Clone, Debug, PartialEq)]
pub struct Scan {
    /// The elements that are listed.
    pub source: ScanSource,
    /// The new column.
    pub to: ColumnId,
}

/// The elements that a `Scan` lists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ScanSource {
    /// Vertices with a label (`None`: all), by id.
    Vertices(Option<Name>),
    /// Edges of types (`None`: all), by type, then source.
    Edges(Option<Vec<Name>>),
}

impl ScanSource {
    /// The kind of the listed elements.
    pub fn kind(&self) -> ElementKind {
        match self {
            ScanSource::Vertices(_) => ElementKind::Vertex,
            ScanSource::Edges(_) => ElementKind::Edge,
        }
    }
}

impl Facts for Scan {
    fn print(&self, printer: &Printer<'_>) -> String {
        let names = |names: &[Name]| names.join("|");
        let source = match &self.source {
            ScanSource::Vertices(label) => format!("({})", label.as_deref().unwrap_or("*")),
            ScanSource::Edges(types) => {
                format!("[{}]", types.as_deref().map_or("*".to_owned(), names))
            }
        };
        format!("Scan {source} {}", printer.column(self.to))
    }

    fn made_columns(&self) -> Vec<ColumnId> {
        vec![self.to]
    }

    fn made_kinds(&self, _known: &KnownKinds<'_>) -> MadeKinds {
        kinds_of(self.source.kind(), &[self.to])
    }

    fn distinct_after(&self, before: Distinct) -> Distinct {
        and_made(before, &[self.to])
    }

    fn depends_on(&self) -> DependsOn<'_> {
        DependsOn::Row { drops: true }
    }

    fn reads(&self, reads: &mut Reads) {
        reads.add_elements(self.source.kind());
        if let ScanSource::Vertices(Some(label)) = &self.source {
            reads.labels.names.insert(label.clone());
        }
    }
}
