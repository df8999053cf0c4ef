//! A subplan in transactions of its own.

use millrace_model::Result;

use crate::base::{ColumnId, ColumnSet, PlanNames};
use crate::expr::Expr;
use crate::op::facts::{Distinct, Effect, Facts};
use crate::op::scopes::RowCount;
use crate::op::{Demand, KnownKinds, MadeKinds, Pipeline};
use crate::printer::Printer;

/// Runs a subplan for batches of rows, each batch in a transaction that commits before the next begins. The rows
/// themselves come from the transaction of the plan. Behind it operators read the graph as the last batch left it.
#[derive(Clone, Debug, PartialEq)]
pub struct InTransactions {
    /// The subplan; starts from the rows of a batch, and keeps them.
    pub sub: Pipeline,
    /// The rows of a batch; at least one.
    pub rows: RowCount,
    /// What follows a batch that fails.
    pub on_error: OnBatchError,
    /// The column of what became of the transaction of a row: a map.
    pub status: Option<ColumnId>,
}

/// What follows a batch that fails. Its transaction is rolled back; those of earlier batches stay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnBatchError {
    /// The plan fails.
    Fail,
    /// No further batch runs. Rows without a committed transaction have nulls in the columns of the subplan.
    Break,
    /// The next batch runs; the rows of this one have nulls in the columns of the subplan.
    Continue,
}

impl Facts for InTransactions {
    fn print(&self, printer: &Printer<'_>) -> String {
        let on_error = match self.on_error {
            OnBatchError::Fail => "",
            OnBatchError::Break => " on error break",
            OnBatchError::Continue => " on error continue",
        };
        let status = self.status.map(|to| format!(" status {}", printer.column(to)));
        let (rows, status) = (self.rows.print(printer), status.unwrap_or_default());
        format!("InTransactions of {rows} rows{on_error}{status}")
    }

    fn check(&self, _plan: &dyn PlanNames) -> Result<()> {
        self.rows.check()
    }

    fn exprs(&self) -> Vec<&Expr> {
        self.rows.exprs().iter().collect()
    }

    fn made_columns(&self) -> Vec<ColumnId> {
        self.sub.made_columns().into_iter().chain(self.status).collect()
    }

    fn new_columns(&self) -> Vec<ColumnId> {
        self.sub.new_columns().into_iter().chain(self.status).collect()
    }

    fn optional_columns_mut(&mut self) -> Vec<&mut Option<ColumnId>> {
        vec![&mut self.status]
    }

    /// A column of the subplan may be null, and is else as it was made.
    fn made_kinds(&self, _known: &KnownKinds<'_>) -> MadeKinds {
        self.status.iter().map(|column| (*column, None)).collect()
    }

    fn subplans(&self) -> &[Pipeline] {
        std::slice::from_ref(&self.sub)
    }

    fn subplans_mut(&mut self) -> &mut [Pipeline] {
        std::slice::from_mut(&mut self.sub)
    }

    /// Which rows are a batch shows in what stays of them after an error.
    fn order_needed(&self, _after: Demand, _live: &ColumnSet, _subplans: &[Demand]) -> Demand {
        Demand::Full
    }

    fn distinct_after(&self, _before: Distinct) -> Distinct {
        None
    }

    fn effect(&self) -> Option<Effect> {
        Some(Effect::Writes)
    }
}
