//! Makes a plan's answer one that the algebra settles, by changing the parts that it leaves open.
//!
//! - The equal rows of a weighted row stay together when it is expanded (a, a, b, b), which a run with
//!   weights expanded does not give (a, b, a, b). So there are no weights where a full order is
//!   demanded behind an operator that gives several rows for one.
//! - A plan that does not demand the order of its result leaves the order of ties open. So a plan
//!   that sorts, or keeps a first row, demands it.

use millrace_plan::analysis::{PipelineOrder, plan_liveness, plan_order};
use millrace_plan::op::Demand;
use millrace_plan::op::RowsSource;
use millrace_plan::{ApplyKind, Op, Parameter, Pipeline, Plan, op};

pub(super) fn settle(plan: &mut Plan, parameters: &mut [Parameter]) {
    plan.root.visit_ops(&mut |op| {
        let chooses = matches!(op, Op::Sort(_) | Op::TopK(_) | Op::Dedup(_));
        plan.ordered |= chooses;
    });
    let order = plan_order(plan, &plan_liveness(plan));
    let is_unsettled = |pipeline: &Pipeline, order: &PipelineOrder| {
        let mut weighted = false;
        unsettled(pipeline, order, &mut weighted, parameters)
    };
    let lets = plan.lets.iter().zip(&order.lets);
    let lets_are = lets.map(|(binding, order)| is_unsettled(&binding.pipeline, order));
    if lets_are.fold(false, |any, one| any | one) || is_unsettled(&plan.root, &order.root) {
        strip_weights(plan, parameters);
    }
}

fn strip_weights(plan: &mut Plan, parameters: &mut [Parameter]) {
    for parameter in parameters {
        if let Parameter::Rows(batch) = parameter {
            batch.weights = None;
        }
    }
    let pipelines = plan.lets.iter_mut().map(|binding| &mut binding.pipeline);
    pipelines.chain([&mut plan.root]).for_each(unmerge);
}

fn unmerge(pipeline: &mut Pipeline) {
    for op in &mut pipeline.ops {
        if let Op::Barrier(op::Barrier { merge }) = op {
            *merge = None;
        }
        op.subplans_mut().iter_mut().for_each(unmerge);
    }
}

/// Whether weighted rows are multiplied where their full order is seen.
fn unsettled(
    pipeline: &Pipeline,
    order: &PipelineOrder,
    weighted: &mut bool,
    parameters: &[Parameter],
) -> bool {
    let mut found = false;
    for (index, op) in pipeline.ops.iter().enumerate() {
        let is_apply = matches!(op, Op::Apply(_) | Op::Join(_) | Op::RecursiveExpand(_));
        let mut weighted_inside = false;
        for (sub, order) in op.subplans().iter().zip(&order.inside[index]) {
            // A subplan starts from one single outer row; a branch from all its rows.
            let mut own = *weighted && !is_apply;
            found |= unsettled(sub, order, &mut own, parameters);
            if op.repeat().is_some() {
                // The next round starts from the rows of a round.
                found |= unsettled(sub, order, &mut own, parameters);
            }
            weighted_inside |= own;
        }
        if multiplies(op) && *weighted && order.output[index] == Demand::Full {
            found = true;
        }
        *weighted |= gives_weights(op, parameters) || weighted_inside;
    }
    found
}

fn gives_weights(op: &Op, parameters: &[Parameter]) -> bool {
    match op {
        Op::Barrier(op::Barrier { merge: Some(_) }) => true,
        Op::Rows(op::Rows { source: RowsSource::Parameter(id), .. }) => {
            let Parameter::Rows(batch) = &parameters[id.0 as usize] else { return false };
            batch.weights.is_some()
        }
        // A `Let` may have been merged.
        Op::LetRef(_) => true,
        _ => false,
    }
}

fn multiplies(op: &Op) -> bool {
    matches!(
        op,
        Op::Scan(_)
            | Op::Seek(_)
            | Op::LookupById(_)
            | Op::Rows(_)
            | Op::LetRef(_)
            | Op::Expand(_)
            | Op::ExpandInto(_)
            | Op::Intersect(_)
            | Op::Neighbours(_)
            | Op::PathExpand(_)
            | Op::TrailEndpoints(_)
            | Op::Join(_)
            | Op::Group(_)
            | Op::Unwind(_)
            | Op::UnwindValues(_)
            | Op::Call(_)
            | Op::Merge(_)
            | Op::Apply(op::Apply { kind: ApplyKind::Flat | ApplyKind::Optional, .. })
    )
}
