//! `Sort` then `Range 0..k` is `TopK k`: a heap of k rows in place of all rows sorted.
//!
//! Proof: both keep the first rows of the stable order, up to weight k; `TopK` breaks ties by order
//! of arrival, as a stable sort does, and both are per scope. `Range 0..0` stays: it asks nothing.

use super::{Phase, Rule, rewrite_plan};
use crate::op::{self, Op};
use crate::plan::{Pipeline, Plan};

pub(super) const RULE: Rule = Rule {
    name: "top_k",
    phase: Phase::Columns,
    why: "the first k of an order need a heap of k rows, not all rows sorted",
    apply,
};

fn apply(plan: &mut Plan) -> bool {
    rewrite_plan(plan, |pipeline, _| fuse_one(pipeline))
}

fn fuse_one(pipeline: &mut Pipeline) -> bool {
    for index in 1..pipeline.ops.len() {
        if let [
            Op::Sort(op::Sort { keys }),
            Op::Range(op::Range { from: 0, to: Some(count @ 1..) }),
        ] = &pipeline.ops[index - 1..=index]
        {
            let top = Op::TopK(op::TopK { count: *count, keys: keys.clone() });
            pipeline.ops.splice(index - 1..=index, [top]);
            return true;
        }
    }
    false
}
