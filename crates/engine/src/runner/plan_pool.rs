//! The pool of prepared plans between transactions, as the engine sees it, and the key of a plan in it.

use std::hash::{Hash, Hasher};

use millrace_plan::{Pipeline, Plan};
use rustc_hash::FxHasher;

use crate::prepare::Prepared;

/// Lends operators of plans that ran before. A prepared plan belongs to one transaction while it runs.
pub trait PlanPool: Send + Sync {
    /// Operators of a plan that equals this one, if some wait. Equal plans have equal fingerprints.
    fn take(&self, fingerprint: u64, plan: &Plan) -> Option<Prepared>;

    /// Takes operators back after a transaction.
    fn give(&self, fingerprint: u64, plan: Plan, prepared: Prepared);
}

/// A number that equal plans share; values are left out, as plans seldom differ in them only.
pub(crate) fn fingerprint(plan: &Plan) -> u64 {
    let mut hasher = FxHasher::default();
    plan.columns.hash(&mut hasher);
    plan.parameters.hash(&mut hasher);
    plan.output.hash(&mut hasher);
    (plan.ordered, plan.sorted_only, plan.merging).hash(&mut hasher);
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
