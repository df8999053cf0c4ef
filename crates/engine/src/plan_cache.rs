//! The plan pool: prepared plans that wait for the next transaction which runs an equal plan.
//!
//! A plan belongs to one transaction while it runs and returns to the pool afterwards; concurrent
//! transactions have one each. A plan refers to no graph and no catalog; it resolves its names when it runs.

use std::collections::hash_map::Entry;
use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicU64, Ordering};

use millrace_plan::{Pipeline, Plan};
use parking_lot::Mutex;
use rustc_hash::{FxHashMap, FxHasher};

use crate::limits::{POOLED_PLANS_ALIKE_MAX, POOLED_PLANS_MAX};
use crate::prepare::Prepared;

/// The pooled plans of a database.
#[derive(Default)]
pub struct PlanCache {
    pool: Mutex<Pool>,
    hits: AtomicU64,
    misses: AtomicU64,
}

#[derive(Default)]
struct Pool {
    by_fingerprint: FxHashMap<u64, Vec<Known>>,
    count: usize,
}

/// A plan, and its prepared operators.
pub(crate) struct Known {
    pub(crate) plan: Plan,
    pub(crate) prepared: Prepared,
}

impl PlanCache {
    /// How often a transaction found its plan in the pool.
    pub fn hits(&self) -> u64 {
        self.hits.load(Ordering::Relaxed)
    }

    /// Plans that had to be prepared.
    pub fn misses(&self) -> u64 {
        self.misses.load(Ordering::Relaxed)
    }

    /// The number of pooled plans.
    pub fn len(&self) -> usize {
        self.pool.lock().count
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A pooled plan that equals this one.
    pub(crate) fn take(&self, fingerprint: u64, plan: &Plan) -> Option<Known> {
        let known = self.pool.lock().take(fingerprint, plan);
        let counter = if known.is_some() { &self.hits } else { &self.misses };
        counter.fetch_add(1, Ordering::Relaxed);
        known
    }

    /// Returns the plans of a transaction that has ended.
    pub(crate) fn give(&self, plans: impl Iterator<Item = (u64, Known)>) {
        let mut pool = self.pool.lock();
        plans.for_each(|(fingerprint, known)| pool.give(fingerprint, known));
    }
}

impl Pool {
    fn take(&mut self, fingerprint: u64, plan: &Plan) -> Option<Known> {
        let Entry::Occupied(mut alike) = self.by_fingerprint.entry(fingerprint) else {
            return None;
        };
        let place = alike.get().iter().position(|known| known.plan == *plan)?;
        let known = alike.get_mut().swap_remove(place);
        if alike.get().is_empty() {
            alike.remove();
        }
        self.count -= 1;
        Some(known)
    }

    /// Plans that differ in values only are alike, and may be very many: up to
    /// [`POOLED_PLANS_ALIKE_MAX`] of them stay. A full pool is emptied.
    fn give(&mut self, fingerprint: u64, known: Known) {
        if POOLED_PLANS_MAX <= self.count {
            self.by_fingerprint.clear();
            self.count = 0;
        }
        let alike = self.by_fingerprint.entry(fingerprint).or_default();
        if POOLED_PLANS_ALIKE_MAX <= alike.len() {
            // The oldest goes.
            alike.remove(0);
            self.count -= 1;
        }
        alike.push(known);
        self.count += 1;
    }
}

/// A number that equal plans share; values are left out, as plans seldom differ in them only.
pub(crate) fn fingerprint(plan: &Plan) -> u64 {
    let mut hasher = FxHasher::default();
    plan.columns.hash(&mut hasher);
    plan.parameters.hash(&mut hasher);
    plan.output.hash(&mut hasher);
    (plan.ordered, plan.merging).hash(&mut hasher);
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

#[cfg(test)]
mod tests {
    use super::*;
    use millrace_model::Value;
    use millrace_model::compare::CompareMode;
    use millrace_plan::{Expr, PlanBuilder};

    fn known(number: i64) -> Known {
        let mut plan = PlanBuilder::new(CompareMode::Plain);
        let column = plan.project("x", Expr::Literal(Value::I64(number)));
        let plan = plan.finish(vec![column]);
        let prepared = Prepared::new(&plan).unwrap();
        Known { plan, prepared }
    }

    #[test]
    fn a_pooled_plan_serves_one_run_at_a_time_and_only_equal_plans() {
        let cache = PlanCache::default();
        let (one, two) = (known(1), known(2));
        let print = fingerprint(&one.plan);
        assert_eq!(print, fingerprint(&two.plan), "values do not count");
        let (asked, other) = (one.plan.clone(), two.plan);
        cache.give([(print, one)].into_iter());
        assert!(cache.take(print, &other).is_none());
        assert!(cache.take(print, &asked).is_some());
        assert!(cache.take(print, &asked).is_none(), "it is in use");
        assert_eq!((cache.hits(), cache.misses(), cache.is_empty()), (1, 2, true));
    }

    #[test]
    fn a_cache_does_not_grow_without_bound() {
        let cache = PlanCache::default();
        let plan = |number| (0, known(number));
        cache.give((0..10).map(plan));
        assert_eq!(cache.len(), POOLED_PLANS_ALIKE_MAX);
        assert!(cache.take(0, &known(9).plan).is_some(), "the newest stay");
        cache.give((0..2 * POOLED_PLANS_MAX as u64).map(|print| (print, known(1))));
        assert!(cache.len() <= POOLED_PLANS_MAX);
    }
}
