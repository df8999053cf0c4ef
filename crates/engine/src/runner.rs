//! The runner that front ends which run as they go (Lua) are given: one context, plans kept.
//!
//! A plan that was prepared before gives the same handle: found by a cheap fingerprint, told
//! apart by comparing whole plans. Whoever holds the handle pays neither.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use millrace_model::{Batch, Catalog, Error, ErrorKind, Result};
use millrace_plan::rules;
use millrace_plan::{Parameter, Pipeline, Plan, PreparedPlan, Runner};
use rustc_hash::{FxHashMap, FxHasher};

use crate::context::Context;
use crate::limits;
use crate::prepare::Prepared;

/// Runs plans in one context.
pub struct ContextRunner {
    context: Context,
    plans: Vec<(Plan, Prepared)>,
    by_fingerprint: FxHashMap<u64, Vec<u32>>,
}

impl ContextRunner {
    /// A runner over a context.
    pub fn new(context: Context) -> ContextRunner {
        ContextRunner { context, plans: Vec::new(), by_fingerprint: FxHashMap::default() }
    }

    /// The context it runs in.
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// The context, to commit what ran in it.
    pub fn into_context(self) -> Context {
        self.context
    }
}

impl Runner for ContextRunner {
    fn catalog(&mut self) -> Arc<Catalog> {
        self.context.catalog()
    }

    fn prepare(&mut self, plan: &Plan) -> Result<PreparedPlan> {
        let candidates = self.by_fingerprint.entry(fingerprint(plan)).or_default();
        let same = |&&number: &&u32| self.plans[number as usize].0 == *plan;
        if let Some(&number) = candidates.iter().find(same) {
            return Ok(PreparedPlan(number));
        }
        if self.plans.len() == limits::PREPARED_PLANS_MAX {
            let limit = limits::PREPARED_PLANS_MAX;
            let detail = format!("more than {limit} different plans in one transaction");
            return Err(Error::new(ErrorKind::LimitReached, detail)
                .with_help("pass what differs between them as parameters"));
        }
        let number = self.plans.len() as u32;
        self.plans.push((plan.clone(), optimized(plan)?));
        candidates.push(number);
        Ok(PreparedPlan(number))
    }

    fn run(&mut self, plan: PreparedPlan, parameters: &[Parameter]) -> Result<Batch> {
        let Some((_, prepared)) = self.plans.get_mut(plan.0 as usize) else {
            let detail = format!("plan {} was not prepared by this runner", plan.0);
            return Err(Error::new(ErrorKind::Bug, detail));
        };
        prepared.run(&self.context, parameters)
    }

    fn run_once(&mut self, plan: &Plan, parameters: &[Parameter]) -> Result<Batch> {
        optimized(plan)?.run(&self.context, parameters)
    }

    fn check(&self) -> Result<()> {
        self.context.check()
    }

    fn charge(&self, bytes: i64) -> Result<()> {
        self.context.charge(bytes)
    }
}

/// A number that equal plans share; values are left out, as they are seldom what tells plans apart.
fn fingerprint(plan: &Plan) -> u64 {
    let mut hasher = FxHasher::default();
    plan.columns.hash(&mut hasher);
    plan.parameters.hash(&mut hasher);
    plan.output.hash(&mut hasher);
    plan.ordered.hash(&mut hasher);
    hash_pipeline(&plan.root, &mut hasher);
    plan.lets.iter().for_each(|binding| hash_pipeline(&binding.pipeline, &mut hasher));
    hasher.finish()
}

fn hash_pipeline(pipeline: &Pipeline, hasher: &mut FxHasher) {
    pipeline.visit_ops(&mut |op| {
        std::mem::discriminant(op).hash(hasher);
        op.read_columns().hash(hasher);
    });
}

/// A plan after the rules, made ready.
fn optimized(plan: &Plan) -> Result<Prepared> {
    let mut plan = plan.clone();
    rules::optimize(&mut plan);
    Prepared::new(&plan)
}
