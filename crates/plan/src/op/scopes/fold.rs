//! The rows of a scope as one value.

use crate::base::{ColumnId, ColumnSet};
use crate::op::Demand;
use crate::op::facts::{Distinct, Facts};
use crate::printer::Printer;

/// One row for each scope: a bag of its rows. Nothing else is left.
#[derive(Clone, Debug, PartialEq)]
pub struct Fold {
    /// The columns that the bag holds.
    pub columns: Vec<ColumnId>,
    /// Where it goes.
    pub to: ColumnId,
}

impl Facts for Fold {
    fn print(&self, printer: &Printer<'_>) -> String {
        format!("Fold {} of ({})", printer.column(self.to), printer.columns(&self.columns))
    }

    fn columns_by_name(&self) -> Vec<ColumnId> {
        self.columns.clone()
    }

    fn made_columns(&self) -> Vec<ColumnId> {
        vec![self.to]
    }

    fn drops_other_columns(&self) -> bool {
        true
    }

    fn order_needed(&self, _after: Demand, _live: &ColumnSet, _subplans: &[Demand]) -> Demand {
        Demand::Full
    }

    fn distinct_after(&self, _before: Distinct) -> Distinct {
        Some(ColumnSet::new())
    }
}
