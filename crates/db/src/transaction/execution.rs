//! One transaction under way: the engine over a store, with a deadline, a budget and a cancel flag.
//!
//! The holder of an execution commits or drops it. [`Shared`] gives a language a runner to keep while
//! the transaction stays here; the language never commits.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use millrace_engine::{Context, ContextRunner, Cursor, Prepared};
use millrace_model::{Batch, Catalog, EdgeId, Error, ErrorKind, MemoryShare, Result};
use millrace_plan::{
    EdgeLayout, Explanation, NewEdges, Notice, Parameter, Plan, PreparedPlan, Runner, WriteCounts,
};
use millrace_store::{ConflictTicketId, Isolation, Ticket, Transaction};

use super::batches::Batches;
use super::index_build;
use super::parts::GraphParts;
use crate::request::RequestLimits;

/// A transaction and the engine that runs plans in it.
pub(crate) struct Execution {
    runner: ContextRunner,
    /// The memory of the interpreter that runs the script.
    interpreter: Option<Arc<MemoryShare>>,
    isolation: Isolation,
    graph_name: Arc<str>,
}

/// Traces the runs of a request in a context, if its trace is on.
fn watch(context: &mut Context, graph: &GraphParts, limits: &RequestLimits) {
    if limits.trace.is_on() {
        context.set_watcher(limits.trace.watcher());
        limits.trace.runs_on(&graph.name, || context.catalog());
    }
}

impl Execution {
    /// Begins on the newest snapshot, with a ticket after earlier write conflicts.
    pub(crate) fn begin(
        graph: &GraphParts,
        limits: &RequestLimits,
        ticket: Option<ConflictTicketId>,
    ) -> Result<Execution> {
        let transaction = match &limits.pinned {
            Some(pinned) => {
                let snapshot = pinned.snapshot_of(&graph.store)?;
                Transaction::over(Arc::clone(&graph.store), snapshot, limits.isolation)
            }
            None => Transaction::begin(Arc::clone(&graph.store), limits.isolation)?,
        };
        let transaction = transaction.with_unit(limits.conflicts_on);
        let transaction = match limits.merges_created {
            true => transaction.merging_created(),
            false => transaction,
        };
        let transaction = match ticket {
            Some(ticket) => transaction.with_ticket(ticket),
            None => transaction,
        };
        let (engine_limits, cancel) = limits.of_engine();
        let context =
            Context::writing(transaction).sharing(&graph.memory).with_limits(engine_limits, cancel);
        let batches = Arc::new(Batches::new(graph, limits));
        let context = context.calling(&graph.procedures.current()).with_batch_transactions(batches);
        let mut context = context.for_caller(limits.caller.clone());
        watch(&mut context, graph, limits);
        let runner = ContextRunner::with_pool(context, Arc::clone(&graph.plan_pool));
        Ok(Execution {
            runner: runner.with_pending_edges(limits.pending_edges_max),
            interpreter: None,
            isolation: limits.isolation,
            graph_name: Arc::clone(&graph.name),
        })
    }

    /// Begins on the newest snapshot, to read only: without a write set to look through.
    pub(crate) fn reading(graph: &GraphParts, limits: &RequestLimits) -> Result<Execution> {
        let snapshot = match &limits.pinned {
            Some(pinned) => pinned.snapshot_of(&graph.store)?,
            None => graph.store.snapshot()?,
        };
        let context = Context::reading(snapshot);
        let (engine_limits, cancel) = limits.of_engine();
        let context = context.sharing(&graph.memory).with_limits(engine_limits, cancel);
        let context = context.for_caller(limits.caller.clone());
        let mut context = context.calling(&graph.procedures.current());
        watch(&mut context, graph, limits);
        let runner = ContextRunner::with_pool(context, Arc::clone(&graph.plan_pool));
        let graph_name = Arc::clone(&graph.name);
        Ok(Execution { runner, interpreter: None, isolation: Isolation::Snapshot, graph_name })
    }

    /// The same for a script: the memory of its interpreter is a share of the process's budget.
    pub(crate) fn in_interpreter(mut self, share: &Arc<MemoryShare>) -> Execution {
        self.interpreter = Some(Arc::clone(share));
        self
    }

    /// Applies the limits of another request to later runs. Refused where that asks for more
    /// isolation than the transaction began with.
    pub(crate) fn limit(&mut self, limits: &RequestLimits) -> Result<()> {
        if limits.isolation == Isolation::Serializable && self.isolation == Isolation::Snapshot {
            let detail = "the transaction began without isolation `serializable`";
            return Err(Error::new(ErrorKind::BadQuery, detail)
                .with_help("request it in the transaction's first statement, or commit first"));
        }
        let (engine_limits, cancel) = limits.of_engine();
        let context = self.runner.context_mut();
        context.set_limits(engine_limits, cancel);
        context.set_watcher(limits.trace.watcher());
        limits.trace.runs_on(&self.graph_name, || context.catalog());
        Ok(())
    }

    /// A plan made ready to run here.
    pub(crate) fn prepared(&self, plan: &Plan) -> Result<Prepared> {
        self.runner.context().prepare(plan)
    }

    /// Runs a plan that its owner keeps.
    pub(crate) fn run_prepared(
        &mut self,
        prepared: &mut Prepared,
        parameters: &[Parameter],
    ) -> Result<Batch> {
        self.runner.run_prepared(prepared, parameters)
    }

    /// Begins to run a plan; the rows come from the cursor.
    pub(crate) fn open(&mut self, prepared: Prepared, parameters: &[Parameter]) -> Result<Cursor> {
        self.runner.open(prepared, parameters)
    }

    /// The next rows of a run.
    pub(crate) fn next_batch(&mut self, cursor: &mut Cursor) -> Result<Option<Batch>> {
        self.runner.next_batch(cursor)
    }

    /// Ends a run; its operators, if they may run again.
    pub(crate) fn close(&mut self, cursor: Cursor) -> Option<Prepared> {
        self.runner.close(cursor)
    }

    /// Runs such a plan; the rows, and the measurements of its operators.
    pub(crate) fn profile_prepared(
        &mut self,
        prepared: &mut Prepared,
        parameters: &[Parameter],
    ) -> Result<(Batch, Explanation)> {
        self.runner.profile_prepared(prepared, parameters)
    }

    /// Whether operators that ran here are better not kept.
    pub(crate) fn is_heavy(&self) -> bool {
        self.runner.is_heavy()
    }

    /// Whether nothing was written.
    pub(crate) fn is_clean(&self) -> bool {
        // A snapshot without a transaction has none to write in.
        self.transaction().map_or(true, Transaction::is_empty)
    }

    /// The store's transaction; there is none where this only reads.
    pub(crate) fn transaction(&self) -> Result<&Transaction> {
        self.runner.context().transaction()
    }

    /// Commits the transaction; `None` if it has no writes.
    pub(crate) fn commit(self) -> Result<Option<Ticket>> {
        // A deadline that passed between the last plan and here is a deadline that passed.
        self.runner.check()?;
        let context = self.runner.into_context()?;
        let limits = context.limits();
        match context.into_transaction() {
            Some(transaction) if transaction.builds_indexes() => {
                index_build::commit(transaction, &*limits).map(Some)
            }
            Some(transaction) if !transaction.is_empty() => transaction.commit().map(Some),
            Some(_) | None => Ok(None),
        }
    }
}

impl Runner for Execution {
    fn catalog(&mut self) -> Arc<Catalog> {
        self.runner.catalog()
    }

    fn prepare(&mut self, plan: &Plan) -> Result<PreparedPlan> {
        self.runner.prepare(plan)
    }

    fn run(&mut self, plan: PreparedPlan, parameters: &[Parameter]) -> Result<Batch> {
        self.runner.run(plan, parameters)
    }

    fn run_once(&mut self, plan: &Plan, parameters: &[Parameter]) -> Result<Batch> {
        self.runner.run_once(plan, parameters)
    }

    fn explain(&mut self, plan: &Plan) -> Result<String> {
        self.runner.explain(plan)
    }

    fn profile(&mut self, plan: &Plan, parameters: &[Parameter]) -> Result<String> {
        self.runner.profile(plan, parameters)
    }

    fn write_counts(&self) -> WriteCounts {
        self.runner.write_counts()
    }

    fn take_notices(&self) -> Vec<Notice> {
        self.runner.take_notices()
    }

    fn check(&self) -> Result<()> {
        self.runner.check()?;
        self.interpreter.as_ref().map_or(Ok(()), |share| share.check())
    }

    fn charge(&self, bytes: i64) -> Result<()> {
        self.runner.charge(bytes)
    }

    fn interpreter_holds(&self, bytes: usize) -> Result<()> {
        self.interpreter.as_ref().map_or(Ok(()), |share| share.reserve(bytes as u64))
    }

    fn edge_layout(&mut self, edge_type: &str, keys: &[String]) -> Result<Option<EdgeLayout>> {
        self.runner.edge_layout(edge_type, keys)
    }

    fn add_edges(
        &mut self,
        layout: EdgeLayout,
        edges: NewEdges<'_>,
        ids: &mut Vec<EdgeId>,
    ) -> Result<bool> {
        self.runner.add_edges(layout, edges, ids)
    }
}

/// A transaction that a language may hold too.
#[derive(Clone)]
pub(crate) struct Shared(Rc<RefCell<Execution>>);

impl Shared {
    pub(crate) fn new(execution: Execution) -> Shared {
        Shared(Rc::new(RefCell::new(execution)))
    }

    /// The transaction, once the language gave its runner back.
    pub(crate) fn into_inner(self) -> Execution {
        let only = Rc::try_unwrap(self.0).ok();
        only.expect("the language gave its runner back").into_inner()
    }
}

impl Runner for Shared {
    fn catalog(&mut self) -> Arc<Catalog> {
        self.0.borrow_mut().catalog()
    }

    fn prepare(&mut self, plan: &Plan) -> Result<PreparedPlan> {
        self.0.borrow_mut().prepare(plan)
    }

    fn run(&mut self, plan: PreparedPlan, parameters: &[Parameter]) -> Result<Batch> {
        self.0.borrow_mut().run(plan, parameters)
    }

    fn run_once(&mut self, plan: &Plan, parameters: &[Parameter]) -> Result<Batch> {
        self.0.borrow_mut().run_once(plan, parameters)
    }

    fn explain(&mut self, plan: &Plan) -> Result<String> {
        self.0.borrow_mut().explain(plan)
    }

    fn profile(&mut self, plan: &Plan, parameters: &[Parameter]) -> Result<String> {
        self.0.borrow_mut().profile(plan, parameters)
    }

    fn write_counts(&self) -> WriteCounts {
        self.0.borrow().write_counts()
    }

    fn take_notices(&self) -> Vec<Notice> {
        self.0.borrow().take_notices()
    }

    fn check(&self) -> Result<()> {
        self.0.borrow().check()
    }

    fn charge(&self, bytes: i64) -> Result<()> {
        self.0.borrow().charge(bytes)
    }

    fn interpreter_holds(&self, bytes: usize) -> Result<()> {
        self.0.borrow().interpreter_holds(bytes)
    }

    fn edge_layout(&mut self, edge_type: &str, keys: &[String]) -> Result<Option<EdgeLayout>> {
        self.0.borrow_mut().edge_layout(edge_type, keys)
    }

    fn add_edges(
        &mut self,
        layout: EdgeLayout,
        edges: NewEdges<'_>,
        ids: &mut Vec<EdgeId>,
    ) -> Result<bool> {
        self.0.borrow_mut().add_edges(layout, edges, ids)
    }
}
