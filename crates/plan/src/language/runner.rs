//! How a front end that runs as it goes (Lua) runs its plans: a small trait the engine implements.
//!
//! A runner is one transaction. Plans are prepared once and run many times with other parameters,
//! so a call in a loop costs no planning. The front end never commits: the creator of the runner does.
//!
//! New edges need no plan for each: `add_edges` returns ids immediately, and a runner may keep the edges
//! until something is run. The delay is not visible: the next run sees the edges, and an error in an
//! edge is reported by the call that adds it.

use std::sync::Arc;

use millrace_model::{Batch, Catalog, EdgeId, Result, Value, VertexId};

use crate::language::{Notice, WriteCounts};
use crate::plan::Plan;

/// A prepared plan of one runner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PreparedPlan(pub u32);

/// The value or rows that a parameter is bound to.
#[derive(Clone, Debug)]
pub enum Parameter {
    /// One value.
    Value(Value),
    /// Rows, for the `Rows` operator.
    Rows(Batch),
}

/// A type and property keys that new edges of one runner share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct EdgeLayout {
    /// Which catalog it is good for.
    pub generation: u64,
    /// Its number under that catalog.
    pub number: u32,
}

/// New edges of one layout.
#[derive(Clone, Copy, Debug)]
pub struct NewEdges<'a> {
    /// Where each begins: vertices that the runner's own plans found or made, and that are there.
    pub sources: &'a [VertexId],
    /// Where each ends: the same.
    pub targets: &'a [VertexId],
    /// The values of each edge, one for each key of the layout, edge after edge.
    pub values: &'a [Value],
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

    /// Runs a plan that is used once and returns its profile as text; its rows are dropped.
    fn profile(&mut self, plan: &Plan, parameters: &[Parameter]) -> Result<String>;

    /// What was changed in the transaction so far; of one statement it is the difference.
    fn write_counts(&self) -> WriteCounts {
        WriteCounts::default()
    }

    /// What statements reported since it was asked last.
    fn take_notices(&self) -> Vec<Notice> {
        Vec::new()
    }

    /// Fails with `DeadlineExceeded` or `Cancelled` once the time is up.
    fn check(&self) -> Result<()>;

    /// Counts bytes the front end holds for the script; fails with `LimitReached` over the budget.
    /// Negative bytes give back.
    fn charge(&self, bytes: i64) -> Result<()>;

    /// Reports how many bytes the front end's interpreter holds in all. They are no part of the script's
    /// budget, but of the process's: fails with `LimitReached` where that has no room.
    fn interpreter_holds(&self, _bytes: usize) -> Result<()> {
        Ok(())
    }

    /// The layout of edges that [`Runner::add_edges`] takes; `None`: they are made by plans, as where
    /// a name is new or a rule can be judged only by other data of the graph.
    fn edge_layout(&mut self, _edge_type: &str, _keys: &[String]) -> Result<Option<EdgeLayout>> {
        Ok(None)
    }

    /// Makes edges and appends their ids, in order; all or none. `false`: none was made, as the
    /// layout is not valid any more or the edges are too large; make them by a plan.
    fn add_edges(
        &mut self,
        _layout: EdgeLayout,
        _edges: NewEdges<'_>,
        _ids: &mut Vec<EdgeId>,
    ) -> Result<bool> {
        Ok(false)
    }
}
