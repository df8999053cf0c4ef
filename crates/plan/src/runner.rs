//! How a front end that runs as it goes (Lua) runs its plans: a small trait the engine implements.
//!
//! A runner is one transaction. Plans are prepared once and run many times with other parameters,
//! so a call in a loop costs no planning. The front end never commits: whoever made the runner does.

use std::sync::Arc;

use millrace_model::{Batch, Catalog, Result, Value};

use crate::plan::Plan;

/// A prepared plan of one runner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PreparedPlan(pub u32);

/// What a parameter is bound to.
#[derive(Clone, Debug)]
pub enum Parameter {
    /// One value.
    Value(Value),
    /// Rows, for the `Rows` operator.
    Rows(Batch),
}

/// Runs plans in one transaction.
pub trait Runner {
    /// Names and declarations, the transaction's own included.
    fn catalog(&mut self) -> Arc<Catalog>;

    /// Checks a plan and makes it ready; a plan that was prepared before gives the same handle.
    fn prepare(&mut self, plan: &Plan) -> Result<PreparedPlan>;

    /// Runs a prepared plan with a binding for each of its parameters; all its rows, in one batch
    /// with the plan's output columns.
    fn run(&mut self, plan: PreparedPlan, parameters: &[Parameter]) -> Result<Batch>;

    /// Runs a plan that is used once: nothing of it is kept.
    fn run_once(&mut self, plan: &Plan, parameters: &[Parameter]) -> Result<Batch>;

    /// The operators that a plan runs as, one a line, inner ones indented; nothing runs.
    fn explain(&mut self, plan: &Plan) -> Result<String>;

    /// Runs a plan that is used once and says what each operator did; its rows are dropped.
    fn profile(&mut self, plan: &Plan, parameters: &[Parameter]) -> Result<String>;

    /// Fails with `DeadlineExceeded` or `Cancelled` once the time is up.
    fn check(&self) -> Result<()>;

    /// Counts bytes the front end holds for the script; fails with `LimitReached` over the budget.
    /// Negative bytes give back.
    fn charge(&self, bytes: i64) -> Result<()>;
}
