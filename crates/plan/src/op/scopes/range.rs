//! Rows by their places.

use millrace_model::Result;

use super::row_count::RowCount;
use crate::base::{ColumnSet, PlanNames};
use crate::expr::Expr;
use crate::op::Demand;
use crate::op::facts::Facts;
use crate::op::plan_errors::bad_plan;
use crate::printer::Printer;

/// Rows `from..to` of a scope, by weight; splits weights.
#[derive(Clone, Debug, PartialEq)]
pub struct Range {
    /// The first row, from 0.
    pub from: RowCount,
    /// End, exclusive; `None`: to the end.
    pub to: Option<RowCount>,
}

impl Range {
    /// Rows `from..to` by numbers of the plan.
    pub fn of(from: u64, to: Option<u64>) -> Range {
        Range { from: from.into(), to: to.map(RowCount::from) }
    }
}

impl Facts for Range {
    fn print(&self, printer: &Printer<'_>) -> String {
        let to = self.to.as_ref().map_or(String::new(), |to| to.print(printer));
        format!("Range {}..{to}", self.from.print(printer))
    }

    fn check(&self, _plan: &dyn PlanNames) -> Result<()> {
        self.from.check()?;
        self.to.as_ref().map_or(Ok(()), RowCount::check)?;
        match (&self.from, &self.to) {
            (RowCount::Number(from), Some(RowCount::Number(to))) if to < from => {
                Err(bad_plan(format!("a Range ends at {to} and starts at {from}")))
            }
            _ => Ok(()),
        }
    }

    fn exprs(&self) -> Vec<&Expr> {
        let to = self.to.iter().flat_map(RowCount::exprs);
        self.from.exprs().iter().chain(to).collect()
    }

    fn order_needed(&self, _after: Demand, _live: &ColumnSet, _subplans: &[Demand]) -> Demand {
        Demand::Full
    }
}
