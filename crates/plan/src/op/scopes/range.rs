//! Rows by their places.

use millrace_model::Result;

use crate::analysis::Demand;
use crate::columns::ColumnSet;
use crate::op::facts::Facts;
use crate::op::plan_errors::bad_plan;
use crate::plan::Plan;
use crate::printer::Printer;

/// Rows `from..to` of a scope, by weight; splits weights.
#[derive(Clone, Debug, PartialEq)]
pub struct Range {
    /// The first row, from 0.
    pub from: u64,
    /// End, exclusive; `None`: to the end.
    pub to: Option<u64>,
}

impl Facts for Range {
    fn print(&self, _printer: &Printer<'_>) -> String {
        let to = self.to.map_or(String::new(), |to| to.to_string());
        format!("Range {}..{to}", self.from)
    }

    fn check(&self, _plan: &Plan) -> Result<()> {
        match (self.from, self.to) {
            (from, Some(to)) if to < from => {
                Err(bad_plan(format!("a Range ends at {to} and starts at {from}")))
            }
            _ => Ok(()),
        }
    }

    fn order_needed(&self, _after: Demand, _live: &ColumnSet, _subplans: &[Demand]) -> Demand {
        Demand::Full
    }
}
