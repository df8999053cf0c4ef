//! Operators of plans that languages make as they run, which wait in the statement cache for the next
//! transaction that runs the same plan.
//!
//! A pooled plan belongs to one transaction while it runs, and several transactions at once have one each. It
//! refers to no graph and no catalog; it resolves its names when it runs.

use std::sync::Arc;

use millrace_engine::{PlanPool, Prepared};
use millrace_plan::Plan;
use parking_lot::Mutex;

use super::cache::{Key, Lookup};
use super::{Entry, StatementCache};
use crate::limits::ALIKE_PLANS_MAX;

/// Plans with one fingerprint, the latest last: they differ in values only, or not at all, and may be very many,
/// so a few are kept.
pub(super) struct AlikePlans {
    plans: Mutex<Vec<(Plan, Prepared)>>,
    /// Bytes of the first.
    bytes: usize,
}

impl AlikePlans {
    pub(super) fn plan_bytes(&self) -> usize {
        self.bytes
    }
}

impl PlanPool for StatementCache {
    fn take(&self, fingerprint: u64, plan: &Plan) -> Option<Prepared> {
        let Entry::Plans(alike) = self.0.find(&Lookup::Plan(fingerprint))? else { return None };
        let mut alike = alike.plans.lock();
        let at = alike.iter().rposition(|(own, _)| own == plan)?;
        Some(alike.swap_remove(at).1)
    }

    fn give(&self, fingerprint: u64, plan: Plan, prepared: Prepared) {
        let alike = match self.0.find(&Lookup::Plan(fingerprint)) {
            Some(Entry::Plans(alike)) => alike,
            _ => {
                let (plans, bytes) = (Mutex::default(), plan.byte_size());
                let alike = Arc::new(AlikePlans { plans, bytes });
                self.0.insert(Key::Plan(fingerprint), Entry::Plans(Arc::clone(&alike)));
                alike
            }
        };
        let mut alike = alike.plans.lock();
        if ALIKE_PLANS_MAX <= alike.len() {
            alike.remove(0);
        }
        alike.push((plan, prepared));
    }
}

#[cfg(test)]
mod tests {
    use millrace_model::compare::CompareMode;
    use millrace_model::{MemoryBudget, Value};
    use millrace_plan::{Expr, PlanBuilder};

    use super::*;

    fn plan(number: i64) -> Plan {
        let mut plan = PlanBuilder::new(CompareMode::Plain);
        let column = plan.project("x", Expr::Literal(Value::I64(number)));
        plan.finish(vec![column])
    }

    fn give(cache: &StatementCache, fingerprint: u64, number: i64) {
        let plan = plan(number);
        let prepared = Prepared::new(&plan).unwrap();
        cache.give(fingerprint, plan, prepared);
    }

    #[test]
    fn a_plan_is_lent_once_and_only_for_the_same_plan() {
        let cache = StatementCache::new(&MemoryBudget::unbounded());
        give(&cache, 7, 1);
        assert!(cache.take(7, &plan(2)).is_none());
        assert!(cache.take(7, &plan(1)).is_some());
        assert!(cache.take(7, &plan(1)).is_none(), "another transaction has it");
    }

    #[test]
    fn of_alike_plans_the_newest_stay() {
        let cache = StatementCache::new(&MemoryBudget::unbounded());
        let all = ALIKE_PLANS_MAX as i64 + 2;
        (0..all).for_each(|number| give(&cache, 0, number));
        assert!(cache.take(0, &plan(0)).is_none());
        assert!(cache.take(0, &plan(all - 1)).is_some());
    }
}
