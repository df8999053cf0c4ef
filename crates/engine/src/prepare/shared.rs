//! Which operators threads may share: a scan in front, and what goes row by row behind it, up to one that reads all rows.
//!
//! They become a plan of their own, which each thread prepares for itself when the scan turns out to be large.

use millrace_model::Result;
use millrace_plan::columns::ColumnSet;
use millrace_plan::op::{self, Op};
use millrace_plan::{ApplyKind, ColumnId, Expr, Fold, Pipeline as PlanPipeline, Plan};

use super::Prepared;
use crate::compile::{Compiler, Goal, Purpose};
use crate::pipeline::{Counters, Part, Shared, Worker};
use crate::run::Run;

/// The operators up to `ops[at]`, if threads may share them.
pub(super) fn shared(
    compiler: &Compiler<'_>,
    ops: &[Op],
    at: usize,
    live: &ColumnSet,
    goal: &Goal<'_>,
) -> Option<Shared> {
    let (last, before) = ops[..=at].split_last()?;
    let (scan, between) = before.split_first()?;
    let reads_all = matches!(last, Op::Aggregate(_) | Op::TopK(_));
    let is_scan = matches!(scan, Op::Scan(_));
    let by_row = between.iter().all(goes_by_row);
    let is_pure =
        ops[..=at].iter().all(|op| !op.has_effect() && op.exprs().into_iter().all(is_plain));
    let whole = goal.purpose != Purpose::Existence && !goal.in_round;
    if !(reads_all && is_scan && by_row && is_pure && whole) {
        return None;
    }
    let plan = compiler.plan;
    let part = Plan {
        columns: plan.columns.clone(),
        parameters: plan.parameters.clone(),
        root: PlanPipeline { ops: ops[..=at].to_vec() },
        output: live.iter().copied().filter(|column| is_made(&ops[..=at], column)).collect(),
        ordered: plan.ordered,
        sorted_only: plan.sorted_only,
        merging: plan.merging,
        compare: plan.compare,
        seed: plan.seed,
        levels: plan.levels,
        ..Plan::default()
    };
    let expands =
        between.iter().any(|op| matches!(op, Op::Expand(_) | Op::Degree(_) | Op::Neighbours(_)));
    Some(Shared::new(part, expands, make_worker))
}

/// Whether each row gives the same rows alone as among others, and nothing is known of them afterwards.
fn goes_by_row(op: &Op) -> bool {
    // Whether a vertex has an edge, and how many: no subplan is run.
    let is_degree = |apply: &op::Apply| {
        let counts = matches!(apply.kind, ApplyKind::Value { fold: Fold::Count, .. });
        let asks = matches!(apply.kind, ApplyKind::Exists | ApplyKind::Absent);
        (counts || asks) && matches!(apply.sub.ops[..], [Op::Expand(_)])
    };
    if let Op::Apply(apply) = op {
        return is_degree(apply);
    }
    matches!(
        op,
        Op::Filter(_)
            | Op::Project(_)
            | Op::Expand(_)
            | Op::ExpandInto(_)
            | Op::Degree(_)
            | Op::Neighbours(_)
            | Op::Endpoints(_)
            | Op::Unwind(_)
            | Op::UnwindValues(_)
            | Op::Weigh(_)
    )
}

fn is_made(ops: &[Op], column: &ColumnId) -> bool {
    match ops.last() {
        Some(Op::Aggregate(op::Aggregate { keys, folds })) => {
            keys.contains(column) || folds.iter().any(|(own, _)| own == column)
        }
        _ => ops.iter().any(|op| op.new_columns().contains(column)),
    }
}

/// Whether it reads nothing of the run but parameters.
fn is_plain(expr: &Expr) -> bool {
    let mut plain = true;
    expr.walk(&mut |expr| {
        plain &= !matches!(expr, Expr::Let { .. } | Expr::InSet { .. });
    });
    plain
}

fn make_worker(plan: &Plan) -> Result<Box<dyn Worker>> {
    Ok(Box::new(Prepared::of_worker(plan)?))
}

impl Worker for Prepared {
    fn part(&mut self, run: &Run<'_>) -> Result<(Part, u64, Vec<Counters>)> {
        self.part_of(run)
    }
}
