//! Paths as values: one step after the other.

use crate::base::{ColumnId, ColumnSet, Name};
use crate::op::facts::{DependsOn, Facts};
use crate::printer::Printer;

/// Adds a path: another with one more object, or with more tags on its last one. Behind an
/// `Apply` the path of its end goes on where steps inside stay, the outer row's where they hide.
#[derive(Clone, Debug, PartialEq)]
pub struct PathStep {
    /// The path so far; `None`, and null of a row: there is none yet.
    pub before: Option<ColumnId>,
    /// The next object; `None`: only the last object is tagged.
    pub object: Option<ColumnId>,
    /// Tags of the last object.
    pub tags: Vec<Name>,
    /// The new column.
    pub to: ColumnId,
}

impl Facts for PathStep {
    fn print(&self, printer: &Printer<'_>) -> String {
        let parts = self.before.iter().chain(&self.object).map(|column| printer.column(*column));
        let parts = parts.collect::<Vec<_>>().join(" + ");
        let tags = match self.tags.as_slice() {
            [] => String::new(),
            tags => format!(" as {}", tags.join(", ")),
        };
        format!("PathStep {} = {parts}{tags}", printer.column(self.to))
    }

    fn columns_by_name(&self) -> Vec<ColumnId> {
        self.before.iter().chain(&self.object).copied().collect()
    }

    fn made_columns(&self) -> Vec<ColumnId> {
        vec![self.to]
    }

    /// A path that fails is as dead as one that does not.
    fn is_needed(&self, live: &ColumnSet) -> bool {
        live.contains(&self.to)
    }

    fn path_column(&self) -> Option<ColumnId> {
        Some(self.to)
    }

    fn depends_on(&self) -> DependsOn<'_> {
        DependsOn::Row { drops: false }
    }
}
