//! Branches beside each other.

use millrace_model::Result;

use crate::base::{ColumnId, ColumnSet, PlanNames};
use crate::expr::Expr;
use crate::op::facts::{Distinct, Facts};
use crate::op::plan_errors::bad_plan;
use crate::op::{Demand, KnownKinds, MadeKinds, Pipeline};
use crate::printer::{Printer, join};

/// Rows of all branches; opens no scope.
#[derive(Clone, Debug, PartialEq)]
pub struct Union {
    /// Subplans that start from the picked rows.
    pub branches: Vec<Pipeline>,
    /// Which rows enter which.
    pub pick: UnionPick,
}

/// Which branches a row of a `Union` enters.
#[derive(Clone, Debug, PartialEq)]
pub enum UnionPick {
    /// All of them.
    All,
    /// The first branch with a true condition (one condition for each branch).
    First(Vec<Expr>),
}

impl Facts for Union {
    fn print(&self, printer: &Printer<'_>) -> String {
        match &self.pick {
            UnionPick::All => "Union".to_owned(),
            UnionPick::First(conditions) => {
                format!("Union first {}", join(conditions.iter().map(|expr| printer.expr(expr))))
            }
        }
    }

    fn subplan_title(&self, number: usize) -> Option<String> {
        Some(format!("branch {number}"))
    }

    fn check(&self, _plan: &dyn PlanNames) -> Result<()> {
        let UnionPick::First(conditions) = &self.pick else { return Ok(()) };
        let (branches, conditions) = (self.branches.len(), conditions.len());
        if branches == conditions {
            return Ok(());
        }
        Err(bad_plan(format!("a Union has {branches} branches and {conditions} conditions")))
    }

    fn exprs(&self) -> Vec<&Expr> {
        match &self.pick {
            UnionPick::All => Vec::new(),
            UnionPick::First(conditions) => conditions.iter().collect(),
        }
    }

    fn made_columns(&self) -> Vec<ColumnId> {
        self.branches.iter().flat_map(Pipeline::made_columns).collect()
    }

    fn new_columns(&self) -> Vec<ColumnId> {
        self.branches.iter().flat_map(Pipeline::new_columns).collect()
    }

    /// Its rows are its branches' rows: columns that pass through are live in these.
    fn live_through(&self, _after: &ColumnSet) -> ColumnSet {
        ColumnSet::new()
    }

    fn made_kinds(&self, _known: &KnownKinds<'_>) -> MadeKinds {
        MadeKinds::new()
    }

    fn subplans(&self) -> &[Pipeline] {
        &self.branches
    }

    fn subplans_mut(&mut self) -> &mut [Pipeline] {
        &mut self.branches
    }

    /// An empty branch hands its rows on as they came: its input is demanded as its output.
    fn order_needed(&self, _after: Demand, _live: &ColumnSet, subplans: &[Demand]) -> Demand {
        subplans.iter().copied().max().unwrap_or(Demand::Free)
    }

    /// Behind several branches anything may repeat.
    fn distinct_after(&self, before: Distinct) -> Distinct {
        match self.branches.as_slice() {
            [branch] if self.pick == UnionPick::All => branch.distinct_at_end(before),
            _ => None,
        }
    }
}
