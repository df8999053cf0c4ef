//! The runner for front ends that run plans as they go (Lua): one context, and a pool of plans.
//!
//! A plan that was prepared before gives the same handle: found by a cheap fingerprint, distinguished
//! apart by comparing whole plans. A caller that holds the handle pays neither. Edges that were
//! added and wait ([`Gathered`]) are made before anything else happens.

use std::sync::Arc;

use millrace_model::{Batch, Catalog, EdgeId, Error, ErrorKind, Result};
use millrace_plan::{EdgeLayout, NewEdges, Parameter, Plan, PreparedPlan, Runner};
use rustc_hash::FxHashMap;

use crate::context::Context;
use crate::explain::Explanation;
use crate::gathered::Gathered;
use crate::limits;
use crate::plan_cache::{Known, PlanCache, fingerprint};
use crate::prepare::Prepared;

/// Runs plans in one context.
pub struct ContextRunner {
    context: Context,
    plans: Plans,
    gathered: Gathered,
}

/// What was prepared; when it is dropped, others may have it.
struct Plans {
    cache: Option<Arc<PlanCache>>,
    known: Vec<(u64, Known)>,
    by_fingerprint: FxHashMap<u64, Vec<u32>>,
    /// Whether operators may have been left with much memory.
    is_heavy: bool,
}

impl Drop for Plans {
    fn drop(&mut self) {
        // After a panic, the state left in an operator is not reused.
        let is_good = !self.is_heavy && !std::thread::panicking();
        if let Some(cache) = self.cache.as_ref().filter(|_| is_good) {
            cache.give(self.known.drain(..));
        }
    }
}

impl ContextRunner {
    /// A runner over a context.
    pub fn new(context: Context) -> ContextRunner {
        ContextRunner::over(context, None)
    }

    /// A runner over a context that takes prepared plans from a cache, and leaves them there.
    pub fn with_cache(context: Context, cache: Arc<PlanCache>) -> ContextRunner {
        ContextRunner::over(context, Some(cache))
    }

    fn over(context: Context, cache: Option<Arc<PlanCache>>) -> ContextRunner {
        let (known, by_fingerprint) = (Vec::new(), FxHashMap::default());
        let plans = Plans { cache, known, by_fingerprint, is_heavy: false };
        ContextRunner { context, plans, gathered: Gathered::default() }
    }

    /// The same, where at most so many added edges wait to be made together. With 1 none waits, with 0 each is made by a plan.
    pub fn gathering(mut self, edges_max: usize) -> ContextRunner {
        self.gathered.set_edges_max(edges_max);
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
        self.gathered.make(&self.context)?;
        let result = prepared.run(&self.context, parameters);
        self.plans.is_heavy |= limits::POOLED_PLANS_BYTES_MAX < self.context.guard().most_held();
        result
    }

    /// Runs such a plan and reports what its operators did.
    pub fn profile_prepared(
        &mut self,
        prepared: &mut Prepared,
        parameters: &[Parameter],
    ) -> Result<Explanation> {
        self.gathered.make(&self.context)?;
        prepared.profile(&self.context, parameters).map(|(_, explanation)| explanation)
    }

    /// Whether so much was held that operators which ran here are better not kept.
    pub fn is_heavy(&self) -> bool {
        self.plans.is_heavy
    }

    /// The context, to commit what ran in it.
    pub fn into_context(mut self) -> Result<Context> {
        self.gathered.make(&self.context)?;
        Ok(self.context)
    }
}

impl Plans {
    fn prepare(&mut self, plan: &Plan) -> Result<u32> {
        let print = fingerprint(plan);
        let candidates = self.by_fingerprint.entry(print).or_default();
        let same = |&&number: &&u32| self.known[number as usize].1.plan == *plan;
        if let Some(&number) = candidates.iter().find(same) {
            return Ok(number);
        }
        if self.known.len() == limits::PREPARED_PLANS_MAX {
            let limit = limits::PREPARED_PLANS_MAX;
            let detail = format!("more than {limit} different plans in one transaction");
            return Err(Error::new(ErrorKind::LimitReached, detail)
                .with_help("pass what differs between them as parameters"));
        }
        let known = match self.cache.as_ref().and_then(|cache| cache.take(print, plan)) {
            Some(known) => known,
            None => Known { plan: plan.clone(), prepared: Prepared::optimized(plan)? },
        };
        let number = self.known.len() as u32;
        self.known.push((print, known));
        candidates.push(number);
        Ok(number)
    }
}

impl Runner for ContextRunner {
    fn catalog(&mut self) -> Arc<Catalog> {
        self.context.catalog()
    }

    fn prepare(&mut self, plan: &Plan) -> Result<PreparedPlan> {
        self.context.preparing(|| self.plans.prepare(plan)).map(PreparedPlan)
    }

    fn run(&mut self, plan: PreparedPlan, parameters: &[Parameter]) -> Result<Batch> {
        let Some((_, known)) = self.plans.known.get_mut(plan.0 as usize) else {
            let detail = format!("plan {} was not prepared by this runner", plan.0);
            return Err(Error::new(ErrorKind::Bug, detail));
        };
        self.gathered.make(&self.context)?;
        let result = known.prepared.run(&self.context, parameters);
        self.plans.is_heavy |= limits::POOLED_PLANS_BYTES_MAX < self.context.guard().most_held();
        result
    }

    fn run_once(&mut self, plan: &Plan, parameters: &[Parameter]) -> Result<Batch> {
        let mut prepared = self.context.preparing(|| Prepared::optimized(plan))?;
        self.gathered.make(&self.context)?;
        prepared.run(&self.context, parameters)
    }

    fn explain(&mut self, plan: &Plan) -> Result<String> {
        Ok(Prepared::optimized(plan)?.explain().operators_text())
    }

    fn profile(&mut self, plan: &Plan, parameters: &[Parameter]) -> Result<String> {
        self.gathered.make(&self.context)?;
        let (_, explanation) = Prepared::optimized(plan)?.profile(&self.context, parameters)?;
        Ok(explanation.to_string())
    }

    fn check(&self) -> Result<()> {
        self.context.check()
    }

    fn charge(&self, bytes: i64) -> Result<()> {
        self.context.charge(bytes)
    }

    fn edge_layout(&mut self, edge_type: &str, keys: &[String]) -> Result<Option<EdgeLayout>> {
        self.gathered.layout(edge_type, keys, &self.context)
    }

    fn add_edges(
        &mut self,
        layout: EdgeLayout,
        edges: NewEdges<'_>,
        ids: &mut Vec<EdgeId>,
    ) -> Result<bool> {
        self.gathered.add(layout, edges, ids, &self.context)
    }
}
