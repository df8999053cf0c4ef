//! Columns that are not read later are not made: `Project`, `Endpoints`, `Fields`, paths, folds, optional
//! columns of `Expand`, `Unwind` and kin, carried columns of `Repeat`, columns of a `Let` and of its
//! `LetRef`s, and effect-free `Apply`s that only add one column.
//!
//! Proof: the column is in no operator's reads and not in the output, so the rows that come out
//! are the same; each operator dropped here gives one row for each row and has no effect. An
//! `Aggregate` keeps one fold, so that it still folds.

use std::collections::BTreeSet;

use crate::base::{ColumnSet, LetId};
use crate::op::{self, Op, Pipeline, PipelineLiveness};
use crate::plan::Plan;
use crate::rules::{Phase, Rule, rewrite_plan};

pub(in crate::rules) const RULE: Rule = Rule {
    name: "dead_columns",
    phase: Phase::Columns,
    why: "columns without readers need not be read from the store, and rows without them can merge",
    apply,
};

fn apply(plan: &mut Plan) -> bool {
    let mut changed = false;
    loop {
        let again = rewrite_plan(plan, drop_dead) | narrow_lets(plan);
        if !again {
            return changed;
        }
        changed = true;
    }
}

/// A `Let` that is read keeps the columns that are, and the first if it is read as a set or as a value.
fn narrow_lets(plan: &mut Plan) -> bool {
    let (mut read, mut refs, mut firsts) = (ColumnSet::new(), BTreeSet::new(), BTreeSet::new());
    for pipeline in plan.pipelines() {
        firsts.extend(pipeline.lets_read_as_values());
        pipeline.visit_ops(&mut |op| {
            if let Op::LetRef(op::LetRef { name, columns }) = op {
                refs.insert(*name);
                read.extend(columns.iter().map(|(kept, _)| *kept));
            }
        });
    }
    let mut changed = false;
    for (number, binding) in plan.lets.iter_mut().enumerate() {
        let id = LetId(number as u32);
        // Of one that only sets read, the others are dead too.
        if !refs.contains(&id) && !firsts.contains(&id) {
            continue;
        }
        let first = binding.columns.first().copied().filter(|_| firsts.contains(&id));
        let before = binding.columns.len();
        binding.columns.retain(|column| first == Some(*column) || read.contains(column));
        changed |= binding.columns.len() != before;
    }
    changed
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

#[cfg(test)]
mod tests {
    use millrace_model::Direction;
    use millrace_model::compare::CompareMode;

    use crate::builder::PlanBuilder;
    use crate::op::{Carried, Repeat};

    /// With this rule off, a barrier in a body had dropped a carried column that is never read, and the engine
    /// carries all of them: it read a missing column.
    #[test]
    fn a_carried_column_that_is_never_read_is_carried_no_more() {
        let mut builder = PlanBuilder::new(CompareMode::Plain);
        let v = builder.scan(None, "v");
        let [at, idle] = ["at", "idle"].map(|name| builder.column(name));
        let mut next = at;
        let body = builder.pipeline(|body| next = body.expand(at, Direction::Out, None, "next"));
        let columns =
            vec![Carried { from: v, to: at, next }, Carried { from: v, to: idle, next: idle }];
        let (until, emit, times, rounds) = (None, None, Some(2), None);
        let mut repeat = Repeat { columns, body, until, emit, times, rounds };
        builder.push(repeat.clone());
        let mut plan = builder.finish(vec![at]);
        crate::rules::optimize(&mut plan);
        repeat.columns.truncate(1);
        let carried = plan.root.ops[1].repeat().map(|left| &left.columns);
        assert_eq!(carried, Some(&repeat.columns));
    }
}
