//! Rows as often as a count says.

use crate::base::ColumnId;
use crate::op::facts::{DependsOn, Facts};
use crate::printer::Printer;

/// Each row as often as a column of counts says: its weight is multiplied by it. A count of 0, and null,
/// leave none.
#[derive(Clone, Debug, PartialEq)]
pub struct Weigh {
    /// The counts, none below 0.
    pub by: ColumnId,
}

impl Facts for Weigh {
    fn print(&self, printer: &Printer<'_>) -> String {
        format!("Weigh by {}", printer.column(self.by))
    }

    fn columns_by_name(&self) -> Vec<ColumnId> {
        vec![self.by]
    }

    fn depends_on(&self) -> DependsOn<'_> {
        DependsOn::Row { drops: true }
    }
}
