//! Prepared plans that wait for the next transaction that asks the same.
//!
//! A plan in here is idle: it belongs to one transaction while it runs, and several transactions at
//! once have one each. A plan refers to no graph and no catalog; it resolves its names when it runs.

use std::collections::hash_map::Entry;
use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicU64, Ordering};

use millrace_plan::{Pipeline, Plan};
use parking_lot::Mutex;
use rustc_hash::{FxHashMap, FxHasher};

use crate::limits::{IDLE_PLANS_ALIKE_MAX, IDLE_PLANS_MAX};
use crate::prepare::Prepared;

/// Idle plans of a database.
#[derive(Default)]
pub struct PlanCache {
    idle: Mutex<Idle>,
    hits: AtomicU64,
    misses: AtomicU64,
}

#[derive(Default)]
struct Idle {
    by_fingerprint: FxHashMap<u64, Vec<Known>>,
    count: usize,
}

/// A plan as it was given, and as it runs.
pub(crate) struct Known {
    pub(crate) plan: Plan,
    pub(crate) prepared: Prepared,
}

impl PlanCache {
    /// Plans that were here when a transaction asked for them.
    pub fn hits(&self) -> u64 {
        self.hits.load(Ordering::Relaxed)
    }

    /// Plans that had to be prepared.
    pub fn misses(&self) -> u64 {
        self.misses.load(Ordering::Relaxed)
    }

    /// Plans that wait.
    pub fn len(&self) -> usize {
        self.idle.lock().count
    }

    /// Whether none does.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// An idle plan that equals this one.
    pub(crate) fn take(&self, fingerprint: u64, plan: &Plan) -> Option<Known> {
        let known = self.idle.lock().take(fingerprint, plan);
        let counter = if known.is_some() { &self.hits } else { &self.misses };
        counter.fetch_add(1, Ordering::Relaxed);
        known
    }

    /// Plans that a transaction is done with.
    pub(crate) fn give(&self, plans: impl Iterator<Item = (u64, Known)>) {
        let mut idle = self.idle.lock();
        plans.for_each(|(fingerprint, known)| idle.give(fingerprint, known));
    }
}

impl Idle {
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

    /// Plans that differ in values only are alike, and may be very many: a few are kept. A full
    /// cache is emptied; what is still asked for is soon here again.
    fn give(&mut self, fingerprint: u64, known: Known) {
        if IDLE_PLANS_MAX <= self.count {
            self.by_fingerprint.clear();
            self.count = 0;
        }
        let alike = self.by_fingerprint.entry(fingerprint).or_default();
        if IDLE_PLANS_ALIKE_MAX <= alike.len() {
            // The oldest goes.
            alike.remove(0);
            self.count -= 1;
        }
        alike.push(known);
        self.count += 1;
    }
}

/// A number that equal plans share; values are left out, as they are seldom what tells plans apart.
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
    fn a_plan_is_given_to_one_at_a_time_and_only_to_who_asks_the_same() {
        let cache = PlanCache::default();
        let (one, two) = (known(1), known(2));
        let print = fingerprint(&one.plan);
        assert_eq!(print, fingerprint(&two.plan), "values do not count");
        let (asked, other) = (one.plan.clone(), two.plan);
        cache.give([(print, one)].into_iter());
        assert!(cache.take(print, &other).is_none());
        assert!(cache.take(print, &asked).is_some());
        assert!(cache.take(print, &asked).is_none(), "somebody has it");
        assert_eq!((cache.hits(), cache.misses(), cache.is_empty()), (1, 2, true));
    }

    #[test]
    fn a_cache_does_not_grow_without_bound() {
        let cache = PlanCache::default();
        let plan = |number| (0, known(number));
        cache.give((0..10).map(plan));
        assert_eq!(cache.len(), IDLE_PLANS_ALIKE_MAX);
        assert!(cache.take(0, &known(9).plan).is_some(), "the newest stay");
        cache.give((0..2 * IDLE_PLANS_MAX as u64).map(|print| (print, known(1))));
        assert!(cache.len() <= IDLE_PLANS_MAX);
    }
}
