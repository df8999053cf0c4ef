//! `Sort` then `Range 0..k` is `TopK k`: a heap of k rows in place of all rows sorted.
//!
//! Proof: both keep the first rows of the stable order, up to weight k; `TopK` breaks ties by order
//! of arrival, as a stable sort does, and both are per scope. Neither asks for rows if the run makes k 0;
//! `Range 0..0` stays. A page behind the first one (`Range a..b`) is not rewritten: if a run makes b no larger than
//! a, it asks for no rows, and a `TopK b` would.

use crate::op::{self, Op, Pipeline, RowCount};
use crate::plan::Plan;
use crate::rules::{Phase, Rule, rewrite_plan};

pub(in crate::rules) const RULE: Rule = Rule {
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
            Op::Range(op::Range { from: RowCount::Number(0), to: Some(count) }),
        ] = &pipeline.ops[index - 1..=index]
            && *count != RowCount::Number(0)
        {
            let top = Op::TopK(op::TopK { count: count.clone(), keys: keys.clone() });
            pipeline.ops.splice(index - 1..=index, [top]);
            return true;
        }
    }
    false
}
