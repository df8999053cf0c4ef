//! Plans that give the same rows, as a multiset, whatever order their rows have on the way.
//!
//! They also run where only a `Sort` makes an order, in which rules may merge and reorder more. What keeps,
//! numbers or lists rows by their place is left out: there the mode may give other rows.

use millrace_plan::analysis::plan_liveness;
use millrace_plan::columns::ColumnSet;
use millrace_plan::op::PipelineLiveness;
use millrace_plan::{ApplyKind, Expr, Fold, Op, Pipeline, Plan, SideFold, op};

/// Whether no operator of the plan shows or uses an order.
pub(super) fn gives_the_same_in_any_order(plan: &Plan) -> bool {
    let live = plan_liveness(plan);
    let lets = plan.lets.iter().zip(&live.lets);
    lets.map(|(binding, live)| (&binding.pipeline, live))
        .chain([(&plan.root, &live.root)])
        .all(|(pipeline, live)| is_blind(pipeline, live))
}

fn is_blind(pipeline: &Pipeline, live: &PipelineLiveness) -> bool {
    pipeline.ops.iter().enumerate().all(|(index, op)| {
        let mut subplans = op.subplans().iter().zip(&live.inside[index]);
        uses_no_order(op, &live.after[index]) && subplans.all(|(sub, live)| is_blind(sub, live))
    })
}

fn uses_no_order(op: &Op, live: &ColumnSet) -> bool {
    let mut lists_a_let = false;
    op.exprs().into_iter().for_each(|expr| {
        expr.walk(&mut |expr| lists_a_let |= matches!(expr, Expr::Let { .. }));
    });
    let by_itself = match op {
        Op::Range(_)
        | Op::Tail(_)
        | Op::TopK(_)
        | Op::Random(_)
        | Op::Fold(_)
        | Op::RecursiveExpand(_)
        | Op::Lookup(_)
        | Op::Apply(op::Apply { kind: ApplyKind::Bag { .. }, .. }) => false,
        // It keeps the first of equal rows: nothing else of them may be read.
        Op::Dedup(op::Dedup { columns }) => live.iter().all(|column| columns.contains(column)),
        Op::Aggregate(op::Aggregate { folds, .. }) => {
            folds.iter().all(|(_, fold)| Fold::is_commutative(fold))
        }
        Op::Apply(op::Apply { kind: ApplyKind::Value { fold, .. }, .. }) => fold.is_commutative(),
        Op::SideEffect(op::SideEffect { fold, .. }) => *fold == SideFold::Set,
        op => op.effect().is_none(),
    };
    by_itself && !lists_a_let
}
