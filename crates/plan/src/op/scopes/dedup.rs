//! Distinct rows.

use crate::base::{ColumnId, ColumnSet};
use crate::op::Demand;
use crate::op::facts::{DependsOn, Facts};
use crate::printer::Printer;

/// The first row of each distinct combination in a scope, weight 1.
#[derive(Clone, Debug, PartialEq)]
pub struct Dedup {
    /// Columns compared, by identity.
    pub columns: Vec<ColumnId>,
}

impl Facts for Dedup {
    fn print(&self, printer: &Printer<'_>) -> String {
        format!("Dedup {}", printer.columns(&self.columns))
    }

    fn columns_by_name(&self) -> Vec<ColumnId> {
        self.columns.clone()
    }

    /// Which row of a group is kept shows in the columns beyond those compared: it is the first
    /// of them all, so also the first of those that equal it.
    fn order_needed(&self, after: Demand, live: &ColumnSet, _subplans: &[Demand]) -> Demand {
        if live.iter().any(|column| !self.columns.contains(column)) {
            return Demand::FirstAppearance;
        }
        after.min(Demand::FirstAppearance)
    }

    fn distinct_columns(&self) -> Option<&[ColumnId]> {
        Some(&self.columns)
    }

    fn depends_on(&self) -> DependsOn<'_> {
        DependsOn::Group { keys: &self.columns, drops: false }
    }
}
