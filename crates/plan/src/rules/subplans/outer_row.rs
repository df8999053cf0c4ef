//! Columns that hops only carry become the outer row of an `Apply flat` around them: inside, rows are the
//! vertices reached and nothing else, so they merge into a frontier, and hops fuse.
//!
//! ```text
//!   Seek p; Expand p → x; Expand x → y; … p and y …   becomes   Seek p; Apply flat over (p) { … }; … p and y …
//! ```
//!
//! Proof. The operators inside take each row by itself: `Expand`, `ExpandInto`, `Filter`, `Apply exists` and
//! `absent`. So the rows made of one row are those that they make of it alone, which is what an `Apply flat`
//! gives, in the same order; weights multiply as before.
//!
//! It is done where rows are grouped behind the hops (`analysis/grouped.rs`), no order is demanded of them
//! inside, and a vertex on the way is read no more at their end: then rows can merge. Hops whose carried
//! columns are dead at once need no `Apply`.

use crate::analysis::grouped;
use crate::base::{ColumnSet, Name};
use crate::op::{self, ApplyKind, Demand, Op, Pipeline};
use crate::plan::Plan;
use crate::rules::{OrderedPipeline, Phase, Rule, rewrite_ordered, runs_of_hops};

pub(in crate::rules) const RULE: Rule = Rule {
    name: "outer_row",
    phase: Phase::Subplans,
    why: "rows that carry no other columns merge, and a hop of one frontier is a sweep over arrays",
    apply,
};

fn apply(plan: &mut Plan) -> bool {
    plan.merging && rewrite_ordered(plan, rewrite_one)
}

fn rewrite_one(found: OrderedPipeline<'_>, _: &mut Vec<Name>) -> bool {
    let OrderedPipeline { pipeline, liveness, order, grouped: at_end } = found;
    let grouped = grouped(&pipeline.ops, at_end);
    for run in runs_of_hops(&pipeline.ops) {
        let (start, end) = (run.start, run.end);
        let live = &liveness.after[end - 1];
        let inside = &pipeline.ops[run.clone()];
        let made: ColumnSet = inside.iter().flat_map(|op| op.made_columns()).collect();
        let carries = live.iter().any(|column| !made.contains(column));
        // Of the last hop's end alone nothing is left to merge.
        let hops = inside.iter().filter(|op| matches!(op, Op::Expand(_))).count();
        let merges = inside.iter().any(|op| ends_unread(op, live));
        let is_free = order.output[run.clone()].iter().all(|demand| *demand == Demand::Free);
        if carries && 1 < hops && merges && is_free && grouped[end] {
            let sub = Pipeline { ops: pipeline.ops.drain(start..end).collect() };
            let apply = Op::Apply(op::Apply { sub, kind: ApplyKind::Flat });
            pipeline.ops.insert(start, apply);
            return true;
        }
    }
    false
}

/// Whether it is a hop with an end that is not read later.
fn ends_unread(op: &Op, live: &ColumnSet) -> bool {
    matches!(op, Op::Expand(op::Expand { to, .. }) if to.is_none_or(|to| !live.contains(&to)))
}
