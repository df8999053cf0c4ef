//! Which columns are read after each operator of a plan: a backward pass along each pipeline
//! (docs/design/algebra.md, section 3).

use crate::op::{PipelineLiveness, pipeline_liveness};
use crate::plan::{LetBinding, Plan};

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
    let of_let = |binding: &LetBinding| {
        pipeline_liveness(&binding.pipeline, binding.columns.iter().copied().collect())
    };
    PlanLiveness {
        lets: plan.lets.iter().map(of_let).collect(),
        root: pipeline_liveness(&plan.root, plan.output.iter().copied().collect()),
    }
}

#[cfg(test)]
mod tests {
    use millrace_model::Direction;
    use millrace_model::compare::CompareMode;

    use super::*;
    use crate::base::ColumnSet;
    use crate::builder::PlanBuilder;
    use crate::expr::{Expr, Fold};
    use crate::op::{self, ApplyKind, Carried, Loops, Repeat, live_in_rounds};

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

    /// Only the rule of dead columns finds that one is never read, and carries it no more.
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
        let repeat = Repeat { columns, body, until, emit, times, rounds };
        builder.push(repeat.clone());
        let plan = builder.finish(vec![at]);
        let live = plan_liveness(&plan).root;
        assert_eq!(live.inside[1][0].after, [ColumnSet::from([next, idle])]);
        assert_eq!(live_in_rounds(&repeat, &ColumnSet::from([at])), ColumnSet::from([at]));
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
