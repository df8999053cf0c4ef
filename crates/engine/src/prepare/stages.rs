//! Pipelines to stages: which operators are one stage, and where each stands.

use std::sync::Arc;

use millrace_model::Result;
use millrace_plan::op::Demand;
use millrace_plan::{ColumnId, Op, op};

use super::keyed::keyed;
use super::shared::shared;
use crate::compile::{Compiled, Compiler, Goal, Place, Purpose, lives};
use crate::operators::{FirstInScope, InOrder, compile};
use crate::pipeline::{BatchSize, Operator, Pipeline, RowOrder, Stage};

/// Compiles operators that start from rows of `layout`.
pub(super) fn compile_pipeline(
    compiler: &Compiler<'_>,
    ops: &[Op],
    mut layout: Vec<ColumnId>,
    goal: &Goal<'_>,
) -> Result<Compiled> {
    let lives = lives(ops, goal.live);
    // The fold that an `Apply` adds at the end gives one row, which has no order.
    let mut demands = goal.order.output.clone();
    demands.resize(ops.len(), Demand::Free);
    // As long as each stage is one operator that goes row by row.
    let mut may_share = compiler.may_share && layout.is_empty();
    let mut stages = Vec::new();
    let mut at = 0;
    // The operator that a source in front gives an order for.
    let mut ordered: Option<(usize, Arc<RowOrder>)> = None;
    while at < ops.len() {
        let may_stop = ops[at..].iter().any(|op| matches!(op, Op::Range(_)));
        let size = match goal.purpose {
            Purpose::Collected if !may_stop => BatchSize::collected(),
            Purpose::Collected | Purpose::Pulled | Purpose::Existence => BatchSize::growing(),
        };
        let after_effect = ops[..at].iter().any(|op| goal.runs_to_the_end(op));
        let inside = goal.order.inside.get(at).map_or(&[][..], Vec::as_slice);
        if let Some(mut fused) = keyed(compiler, ops, at, (&layout, &lives))? {
            at += fused.ops;
            layout = fused.layout;
            if may_share {
                let shared = shared(compiler, ops, at - 1, &lives[at - 1], goal);
                let stage = fused.stages.last_mut();
                stage.into_iter().zip(shared).for_each(|(own, shared)| own.operator.share(shared));
            }
            may_share = false;
            stages.extend(fused.stages);
            continue;
        }
        if let Some(fused) =
            compiler.fuse(&ops[at..], &layout, &lives[at..], &demands[at..], goal, inside)?
        {
            may_share = false;
            at += fused.ops;
            layout = fused.layout;
            stages.extend(fused.stages);
            continue;
        }
        let place = Place {
            layout: &layout,
            live: &lives[at],
            inside,
            size,
            demand: demands[at],
            before: at.checked_sub(1).map(|before| &ops[before]),
            behind: &ops[at + 1..],
            after_effect,
            in_round: goal.in_round,
            row_order: ordered.take_if(|(consumer, _)| *consumer == at).map(|(_, order)| order),
            one_is_enough: goal.purpose == Purpose::Existence,
            to_the_end: goal.runs_to_the_end(&ops[at]),
        };
        let (operator, after) = compile(&ops[at], compiler, &place)?;
        // An `Apply` that runs no subplan is one operator with what is inside of it.
        let is_one = matches!(ops[at], Op::Apply(_)) && operator.inner().is_empty();
        let mut stage = compiler.stage(operator, &ops[at..=at]);
        for inner in ops[at].subplans().iter().flat_map(|sub| &sub.ops).filter(|_| is_one) {
            stage.label.push_str(&format!(" + {}", compiler.plan.describe(inner)));
        }
        if let Op::Scan(op::Scan { source, to }) = &ops[at] {
            stage.label.push_str(&compiler.index_label(source, *to, &place));
        }
        let (operator, after) =
            match compiler.in_order(&ops[at], &place, (stage.operator, after), &stage.label)? {
                Ok(InOrder { consumer, order, placed, label }) => {
                    stage.label.push_str(&label);
                    ordered = Some((at + 1 + consumer, order));
                    placed
                }
                Err(plain) => plain,
            };
        stage.operator = operator;
        if may_share {
            let shared = shared(compiler, ops, at, &lives[at], goal);
            shared.into_iter().for_each(|shared| stage.operator.share(shared));
        }
        stages.push(stage);
        layout = after;
        at += 1;
    }
    if goal.purpose == Purpose::Existence {
        let to_the_end = ops.iter().any(|op| op.has_effect());
        let first = Box::new(FirstInScope::new(to_the_end));
        stages.push(Stage::new(first, "first of each scope".to_owned()));
        layout.clear();
    }
    let pipeline = Pipeline::new(stages, goal.purpose == Purpose::Existence);
    Ok(Compiled { pipeline, layout })
}

impl Compiler<'_> {
    /// The stage of some operators that are one.
    pub(super) fn stage(&self, operator: Box<dyn Operator>, ops: &[Op]) -> Stage {
        let lines: Vec<String> = ops.iter().map(|op| self.plan.describe(op)).collect();
        let makes = ops.iter().flat_map(|op| op.new_columns()).collect();
        Stage { makes, ..Stage::new(operator, lines.join(" + ")) }
    }
}
