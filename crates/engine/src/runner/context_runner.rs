//! The runner of interactive front ends (Lua): one context, and a pool of prepared plans.
//!
//! A plan that was prepared before has the same handle: found by a cheap fingerprint, distinguished
//! by comparing whole plans. A caller that holds the handle pays neither. Pending edges
//! ([`PendingEdges`]) are created before any other operation.

use std::sync::Arc;

use millrace_model::{Batch, Catalog, EdgeId, Error, ErrorKind, Result};
use millrace_plan::{
    EdgeLayout, Explanation, NewEdges, Notice, Parameter, Plan, PreparedPlan, Runner, WriteCounts,
};
use rustc_hash::FxHashMap;

use super::pending_edges::PendingEdges;
use super::plan_pool::{PlanPool, fingerprint};
use crate::context::{Context, Procedures};
use crate::limits;
use crate::prepare::{Cursor, Prepared};

/// Runs plans in one context.
pub struct ContextRunner {
    context: Context,
    plans: Plans,
    pending: PendingEdges,
}

/// A plan that this runner has prepared.
struct Known {
    fingerprint: u64,
    plan: Plan,
    prepared: Prepared,
}

/// The prepared plans; when they are dropped, they go to the pool for other runners.
struct Plans {
    pool: Option<Arc<dyn PlanPool>>,
    known: Vec<Known>,
    by_fingerprint: FxHashMap<u64, Vec<u32>>,
    /// Whether operators may have been left with much memory.
    is_heavy: bool,
}

impl Drop for Plans {
    fn drop(&mut self) {
        // After a panic, the state left in an operator is not reused.
        let is_good = !self.is_heavy && !std::thread::panicking();
        if let Some(pool) = self.pool.as_ref().filter(|_| is_good) {
            for Known { fingerprint, plan, prepared } in self.known.drain(..) {
                pool.give(fingerprint, plan, prepared);
            }
        }
    }
}

impl ContextRunner {
    /// A runner over a context.
    pub fn new(context: Context) -> ContextRunner {
        ContextRunner::over(context, None)
    }

    /// A runner over a context that takes prepared plans from a pool, and returns them to it.
    pub fn with_pool(context: Context, pool: Arc<dyn PlanPool>) -> ContextRunner {
        ContextRunner::over(context, Some(pool))
    }

    fn over(context: Context, pool: Option<Arc<dyn PlanPool>>) -> ContextRunner {
        let (known, by_fingerprint) = (Vec::new(), FxHashMap::default());
        let plans = Plans { pool, known, by_fingerprint, is_heavy: false };
        ContextRunner { context, plans, pending: PendingEdges::default() }
    }

    /// The same, with at most so many pending edges. With 1 each edge is created at once, with 0 a
    /// plan creates it.
    pub fn with_pending_edges(mut self, edges_max: usize) -> ContextRunner {
        self.pending.set_edges_max(edges_max);
        self
    }

    /// The context it runs in.
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// The context, for the next request of the same transaction.
    pub fn context_mut(&mut self) -> &mut Context {
        &mut self.context
    }

    /// Runs a plan that its owner keeps.
    pub fn run_prepared(
        &mut self,
        prepared: &mut Prepared,
        parameters: &[Parameter],
    ) -> Result<Batch> {
        self.pending.create(&self.context)?;
        let result = prepared.run(&self.context, parameters);
        self.plans.is_heavy |= limits::POOLED_PLANS_BYTES_MAX < self.context.guard().peak_bytes();
        result
    }

    /// Begins to run a plan that its owner keeps; the rows come from the cursor.
    pub fn open(&mut self, prepared: Prepared, parameters: &[Parameter]) -> Result<Cursor> {
        self.pending.create(&self.context)?;
        Cursor::open(prepared, &self.context, parameters)
    }

    /// The next rows of a run; nothing may have been written since it began.
    pub fn next_batch(&mut self, cursor: &mut Cursor) -> Result<Option<Batch>> {
        cursor.next_batch(&self.context)
    }

    /// Ends a run; its operators may run again, unless they are better not kept.
    pub fn close(&mut self, cursor: Cursor) -> Option<Prepared> {
        let prepared = cursor.close(&self.context);
        self.plans.is_heavy |= limits::POOLED_PLANS_BYTES_MAX < self.context.guard().peak_bytes();
        (!self.plans.is_heavy).then_some(prepared)
    }

    /// Runs such a plan; the explanation has the counters of its operators.
    pub fn profile_prepared(
        &mut self,
        prepared: &mut Prepared,
        parameters: &[Parameter],
    ) -> Result<(Batch, Explanation)> {
        self.pending.create(&self.context)?;
        prepared.profile(&self.context, parameters)
    }

    /// Whether so much was held that operators which ran here are better not kept.
    pub fn is_heavy(&self) -> bool {
        self.plans.is_heavy
    }

    /// The context, to commit its transaction.
    pub fn into_context(mut self) -> Result<Context> {
        self.pending.create(&self.context)?;
        Ok(self.context)
    }
}

impl Plans {
    fn prepare(&mut self, plan: &Plan, procedures: &Procedures) -> Result<u32> {
        let print = fingerprint(plan);
        let candidates = self.by_fingerprint.entry(print).or_default();
        let same = |&&number: &&u32| self.known[number as usize].plan == *plan;
        if let Some(&number) = candidates.iter().find(same) {
            return Ok(number);
        }
        if self.known.len() == limits::PREPARED_PLANS_MAX {
            let limit = limits::PREPARED_PLANS_MAX;
            let detail = format!("more than {limit} different plans in one transaction");
            return Err(Error::new(ErrorKind::LimitReached, detail)
                .with_help("pass the differences between them as parameters"));
        }
        let prepared = match self.pool.as_ref().and_then(|pool| pool.take(print, plan)) {
            Some(prepared) => prepared,
            None => Prepared::optimized(plan, procedures)?,
        };
        let number = self.known.len() as u32;
        self.known.push(Known { fingerprint: print, plan: plan.clone(), prepared });
        candidates.push(number);
        Ok(number)
    }
}

impl Runner for ContextRunner {
    fn catalog(&mut self) -> Arc<Catalog> {
        self.context.catalog()
    }

    fn prepare(&mut self, plan: &Plan) -> Result<PreparedPlan> {
        let procedures = self.context.procedures();
        let _enforced = self.context.enforce_limits();
        self.context.preparing(|| self.plans.prepare(plan, procedures)).map(PreparedPlan)
    }

    fn run(&mut self, plan: PreparedPlan, parameters: &[Parameter]) -> Result<Batch> {
        let Some(known) = self.plans.known.get_mut(plan.0 as usize) else {
            let detail = format!("plan {} was not prepared by this runner", plan.0);
            return Err(Error::new(ErrorKind::Bug, detail));
        };
        self.pending.create(&self.context)?;
        let result = known.prepared.run(&self.context, parameters);
        self.plans.is_heavy |= limits::POOLED_PLANS_BYTES_MAX < self.context.guard().peak_bytes();
        result
    }

    fn run_once(&mut self, plan: &Plan, parameters: &[Parameter]) -> Result<Batch> {
        let mut prepared = self.context.prepare(plan)?;
        self.pending.create(&self.context)?;
        prepared.run(&self.context, parameters)
    }

    fn explain(&mut self, plan: &Plan) -> Result<String> {
        Ok(self.context.prepare(plan)?.explain().operators_text())
    }

    fn profile(&mut self, plan: &Plan, parameters: &[Parameter]) -> Result<String> {
        self.pending.create(&self.context)?;
        let mut prepared = self.context.prepare(plan)?;
        let (_, explanation) = prepared.profile(&self.context, parameters)?;
        Ok(explanation.to_string())
    }

    fn write_counts(&self) -> WriteCounts {
        self.context.write_counts()
    }

    fn take_notices(&self) -> Vec<Notice> {
        self.context.take_notices()
    }

    fn check(&self) -> Result<()> {
        self.context.check()
    }

    fn charge(&self, bytes: i64) -> Result<()> {
        self.context.charge(bytes)
    }

    fn edge_layout(&mut self, edge_type: &str, keys: &[String]) -> Result<Option<EdgeLayout>> {
        self.pending.layout(edge_type, keys, &self.context)
    }

    fn add_edges(
        &mut self,
        layout: EdgeLayout,
        edges: NewEdges<'_>,
        ids: &mut Vec<EdgeId>,
    ) -> Result<bool> {
        self.pending.add(layout, edges, ids, &self.context)
    }
}
