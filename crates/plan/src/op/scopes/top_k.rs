//! The first rows of an order.

use millrace_model::Result;

use super::row_count::RowCount;
use crate::base::{ColumnSet, PlanNames};
use crate::expr::Expr;
use crate::op::facts::Facts;
use crate::op::{Demand, SortKey};
use crate::printer::Printer;

/// The first rows of a scope in order.
#[derive(Clone, Debug, PartialEq)]
pub struct TopK {
    /// How many rows, by weight.
    pub count: RowCount,
    /// The keys.
    pub keys: Vec<SortKey>,
}

impl Facts for TopK {
    fn print(&self, printer: &Printer<'_>) -> String {
        format!("TopK {} by {}", self.count.print(printer), printer.sort_keys(&self.keys))
    }

    fn check(&self, _plan: &dyn PlanNames) -> Result<()> {
        self.count.check()
    }

    fn exprs(&self) -> Vec<&Expr> {
        self.count.exprs().iter().chain(self.keys.iter().map(|key| &key.by)).collect()
    }

    /// Which of the rows that tie are among the first is a matter of their order.
    fn order_needed(&self, _after: Demand, _live: &ColumnSet, _subplans: &[Demand]) -> Demand {
        Demand::Full
    }

    fn sort_keys(&self) -> Option<&[SortKey]> {
        Some(&self.keys)
    }
}
