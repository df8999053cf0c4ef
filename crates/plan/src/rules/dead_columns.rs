//! Columns that are not read later are not made: `Project`, `Endpoints`, `Fields`, paths, folds, optional
//! columns of `Expand`, `Unwind` and kin, carried columns of `Repeat`, and effect-free `Apply`s that only add one column.
//!
//! Proof: the column is in no operator's reads and not in the output, so the rows that come out
//! are the same; each operator dropped here gives one row for each row and has no effect. An
//! `Aggregate` keeps one fold, so that it still folds.

use super::{Phase, Rule, rewrite_plan};
use crate::analysis::PipelineLiveness;
use crate::plan::{Pipeline, Plan};

pub(super) const RULE: Rule = Rule {
    name: "dead_columns",
    phase: Phase::Columns,
    why: "columns without readers need not be read from the store, and rows without them can merge",
    apply,
};

fn apply(plan: &mut Plan) -> bool {
    rewrite_plan(plan, drop_dead)
}

fn drop_dead(pipeline: &mut Pipeline, liveness: &PipelineLiveness) -> bool {
    let mut changed = false;
    let mut live = liveness.after.iter();
    pipeline.ops.retain_mut(|op| {
        let live = live.next().expect("liveness has the shape of the plan");
        changed |= op.narrow(live);
        let is_kept = op.is_needed(live);
        changed |= !is_kept;
        is_kept
    });
    changed
}
