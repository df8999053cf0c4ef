//! The last rows.

use crate::analysis::Demand;
use crate::columns::ColumnSet;
use crate::op::facts::Facts;
use crate::printer::Printer;

/// The last rows of a scope, by weight; splits weights.
#[derive(Clone, Debug, PartialEq)]
pub struct Tail {
    /// How many.
    pub count: u64,
}

impl Facts for Tail {
    fn print(&self, _printer: &Printer<'_>) -> String {
        format!("Tail {}", self.count)
    }

    fn order_needed(&self, _after: Demand, _live: &ColumnSet, _subplans: &[Demand]) -> Demand {
        Demand::Full
    }
}
