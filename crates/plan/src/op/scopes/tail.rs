//! The last rows.

use millrace_model::Result;

use super::row_count::RowCount;
use crate::base::{ColumnSet, PlanNames};
use crate::expr::Expr;
use crate::op::Demand;
use crate::op::facts::Facts;
use crate::printer::Printer;

/// The last rows of a scope, by weight; splits weights.
#[derive(Clone, Debug, PartialEq)]
pub struct Tail {
    /// How many.
    pub count: RowCount,
}

impl Facts for Tail {
    fn print(&self, printer: &Printer<'_>) -> String {
        format!("Tail {}", self.count.print(printer))
    }

    fn check(&self, _plan: &dyn PlanNames) -> Result<()> {
        self.count.check()
    }

    fn exprs(&self) -> Vec<&Expr> {
        self.count.exprs().iter().collect()
    }

    fn order_needed(&self, _after: Demand, _live: &ColumnSet, _subplans: &[Demand]) -> Demand {
        Demand::Full
    }
}
