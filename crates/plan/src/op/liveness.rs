//! Which columns are read after each operator: a backward pass (docs/design/algebra.md, section 3).
//!
//! A subplan of an `Apply` ends with the columns that the Apply keeps of its rows. The outer row's own
//! columns are *not* live at that end: they come back from the outer row, not through the subplan.

use millrace_model::query_limits;

use crate::columns::ColumnSet;
use crate::op::{Op, Repeat};
use crate::plan::{Pipeline, Plan};

/// The columns read later, along one pipeline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PipelineLiveness {
    /// Live before its first operator: in a subplan, the columns it reads of the outer rows.
    pub before: ColumnSet,
    /// Live after each operator.
    pub after: Vec<ColumnSet>,
    /// The same for the subplans of each operator.
    pub inside: Vec<Vec<PipelineLiveness>>,
}

/// The columns read later, for each pipeline of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanLiveness {
    /// For each `Let`.
    pub lets: Vec<PipelineLiveness>,
    /// For the root.
    pub root: PipelineLiveness,
}

/// The liveness of a whole plan: its output is live at the end.
pub fn plan_liveness(plan: &Plan) -> PlanLiveness {
    let of_let = |binding: &crate::plan::LetBinding| {
        pipeline_liveness(&binding.pipeline, binding.columns.iter().copied().collect())
    };
    PlanLiveness {
        lets: plan.lets.iter().map(of_let).collect(),
        root: pipeline_liveness(&plan.root, plan.output.iter().copied().collect()),
    }
}

/// Counts work on a plan: operators times columns, asked again by each rule. Ends the planning where the time of its
/// query is up.
pub(crate) fn count_work(units: usize) {
    if let Err(error) = query_limits::step(units as u64) {
        query_limits::stop(error);
    }
}

fn pipeline_liveness(pipeline: &Pipeline, live_at_end: ColumnSet) -> PipelineLiveness {
    let mut live = live_at_end;
    let (mut after, mut inside) = (Vec::new(), Vec::new());
    for op in pipeline.ops.iter().rev() {
        count_work(live.len());
        let ends = op.subplans().iter().enumerate();
        let subplans: Vec<_> = ends
            .map(|(number, sub)| pipeline_liveness(sub, op.live_at_end_of_subplan(number, &live)))
            .collect();
        let before = live_before(op, &live, &subplans);
        after.push(std::mem::replace(&mut live, before));
        inside.push(subplans);
    }
    after.reverse();
    inside.reverse();
    PipelineLiveness { before: live, after, inside }
}

/// A round ends with the columns that the next one, the tests or the operators behind read: a fixpoint.
fn body_liveness(repeat: &Repeat, after: &ColumnSet) -> PipelineLiveness {
    let mut live = after | &repeat.read_by_tests();
    loop {
        let body = pipeline_liveness(&repeat.body, repeat.next_of(&live));
        if body.before.is_subset(&live) {
            return body;
        }
        live.extend(&body.before);
    }
}

/// The columns of a repeat's rows that are read: behind it, by its tests or by a round.
pub fn live_in_rounds(repeat: &Repeat, after: &ColumnSet) -> ColumnSet {
    let mut live = after | &repeat.read_by_tests();
    live.extend(body_liveness(repeat, after).before);
    live
}

fn live_before(op: &Op, after: &ColumnSet, subplans: &[PipelineLiveness]) -> ColumnSet {
    let mut live = op.live_through(after);
    live.extend(op.read_of_input());
    if op.subplans_see_rows() {
        live.extend(subplans.iter().flat_map(|sub| &sub.before));
    }
    live
}

#[cfg(test)]
mod tests {
    use millrace_model::Direction;
    use millrace_model::compare::CompareMode;

    use super::*;
    use crate::builder::PlanBuilder;
    use crate::expr::Expr;
    use crate::fold::Fold;
    use crate::op::{self, ApplyKind, Carried, Loops};

    #[test]
    fn a_column_is_live_until_it_was_read_last() {
        let mut builder = PlanBuilder::new(CompareMode::Plain);
        let v = builder.scan(None, "v");
        let x = builder.expand(v, Direction::Out, None, "x");
        let y = builder.expand(x, Direction::Out, None, "y");
        let n = builder.aggregate(&[y], "n", Fold::Count);
        let live = plan_liveness(&builder.finish(vec![y, n])).root;
        let sets: Vec<Vec<_>> =
            live.after.iter().map(|set| set.iter().copied().collect()).collect();
        assert_eq!(sets, [vec![v], vec![x], vec![y], vec![y, n]]);
        assert!(live.before.is_empty());
    }

    /// With the rule of dead columns off, a barrier in a body had dropped a carried column that
    /// is never read, and the engine carries all of them: it read a missing column.
    #[test]
    fn carried_columns_are_live_in_every_round() {
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
        let live = plan_liveness(&plan).root;
        assert_eq!(live.inside[1][0].after, [ColumnSet::from([next, idle])]);
        assert_eq!(live_in_rounds(&repeat, &ColumnSet::from([at])), ColumnSet::from([at]));
        crate::rules::optimize(&mut plan);
        repeat.columns.truncate(1);
        let carried = plan.root.ops[1].repeat().map(|left| &left.columns);
        assert_eq!(carried, Some(&repeat.columns));
    }

    #[test]
    fn a_subplan_ends_with_the_columns_its_apply_keeps() {
        let mut builder = PlanBuilder::new(CompareMode::Plain);
        let v = builder.scan(None, "v");
        let w = builder.expand(v, Direction::Out, None, "w");
        let total = builder.column("total");
        let mut x = v;
        let kind = ApplyKind::Value { fold: Fold::Count, to: total };
        builder.apply(kind, |sub| {
            x = sub.expand(w, Direction::Out, None, "x");
            sub.filter(Expr::property(x, "k"));
        });
        let y = builder.column("y");
        builder.apply(ApplyKind::Flat, |sub| {
            let to = Some(y);
            let loops = Loops::Twice;
            let (from, types, edge) = (v, None, None);
            let direction = Direction::In;
            sub.push(op::Expand { from, types, direction, edge, to, loops });
        });
        let live = plan_liveness(&builder.finish(vec![total, y])).root;
        assert_eq!(live.inside[2][0].after, [ColumnSet::from([x]), ColumnSet::new()]);
        assert_eq!(live.inside[2][0].before, ColumnSet::from([w]));
        assert_eq!(live.inside[3][0].after, [ColumnSet::from([y])]);
        assert_eq!(live.after[1], ColumnSet::from([v, w]));
    }
}
