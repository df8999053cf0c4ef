//! Pipelines to stages: which operators are one stage, and where each stands.

use std::collections::BTreeSet;

use millrace_model::{ErrorKind, Result};
use millrace_plan::analysis::{Demand, ElementColumns, PipelineOrder};
use millrace_plan::columns::ColumnSet;
use millrace_plan::{ColumnId, Expr, Name, Op, Plan, op};

use super::layout::{keep, lives};
use crate::expressions::{ExprCompiler, Exprs, slot_of};
use crate::operators::{FirstInScope, Keep, compile};
use crate::pipeline::{BatchSize, Operator, Pipeline, Stage};
use crate::procedures::Procedures;

/// The use of a pipeline's rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// The caller pulls batches, and may stop.
    Pulled,
    /// All rows are collected.
    Collected,
    /// One row of each scope is enough.
    Existence,
}

/// The demands on the end of a pipeline.
pub(crate) struct Goal<'g> {
    /// The columns read of its rows.
    pub(crate) live: &'g ColumnSet,
    /// Which order is demanded of each of its operators.
    pub(crate) order: &'g PipelineOrder,
    pub(crate) purpose: Purpose,
    /// Whether it is the body of a `Repeat`, or a branch in one: the state of a `Dedup` is kept.
    pub(crate) in_round: bool,
    /// Whether it runs once in a run, so that random numbers not taken when it is stopped are never
    /// needed.
    pub(crate) runs_once: bool,
}

impl<'g> Goal<'g> {
    /// A pipeline that is in no round, and may run several times.
    pub(crate) fn new(live: &'g ColumnSet, order: &'g PipelineOrder, purpose: Purpose) -> Goal<'g> {
        Goal { live, order, purpose, in_round: false, runs_once: false }
    }

    /// Whether an operator runs to its end, however few of its rows are wanted.
    pub(crate) fn runs_to_the_end(&self, op: &Op) -> bool {
        op.has_effect() && !(self.runs_once && op.effects_are_random())
    }
}

/// A pipeline and the columns of its rows.
pub(crate) struct Compiled {
    pub(crate) pipeline: Pipeline,
    pub(crate) layout: Vec<ColumnId>,
}

pub(crate) struct Compiler<'a> {
    pub(crate) plan: &'a Plan,
    /// The columns that hold nothing but elements.
    pub(crate) elements: ElementColumns,
    /// The side effects that are looked up.
    pub(crate) looked_up: BTreeSet<Name>,
    /// The procedures that the plan may call.
    pub(crate) procedures: &'a Procedures,
}

/// One operator in its place: its input columns, and which of its output columns are read.
pub(crate) struct Place<'p> {
    pub(crate) layout: &'p [ColumnId],
    pub(crate) live: &'p ColumnSet,
    /// The order demanded in its subplans.
    pub(crate) inside: &'p [PipelineOrder],
    pub(crate) size: BatchSize,
    /// The order demanded of its rows.
    pub(crate) demand: Demand,
    /// The operator in front of it.
    pub(crate) before: Option<&'p Op>,
    /// The operators behind it.
    pub(crate) behind: &'p [Op],
    /// Whether an operator further up runs to its end.
    pub(crate) after_effect: bool,
    pub(crate) in_round: bool,
    /// Whether one row of each scope is enough at the end.
    pub(crate) one_is_enough: bool,
    /// Whether the operator runs to its end, however few of its rows are wanted.
    pub(crate) to_the_end: bool,
}

/// A stage's operator and the columns of its rows.
pub(crate) type Placed = (Box<dyn Operator>, Vec<ColumnId>);

impl Place<'_> {
    /// The columns of the input that are read later.
    pub(crate) fn keep(&self) -> (Keep, Vec<ColumnId>) {
        keep(self.layout, self.live)
    }

    /// The same with new columns that live, and which of them do.
    pub(crate) fn keep_and<const N: usize>(
        &self,
        made: [Option<ColumnId>; N],
    ) -> (Keep, Vec<ColumnId>, [bool; N]) {
        let (keep, mut layout) = self.keep();
        let live = made.map(|column| {
            let live = column.filter(|column| self.live.contains(column));
            layout.extend(live);
            live.is_some()
        });
        (keep, layout, live)
    }
}

impl Compiler<'_> {
    /// Compiles operators that start from rows of `layout`.
    pub(crate) fn pipeline(
        &self,
        ops: &[Op],
        mut layout: Vec<ColumnId>,
        goal: &Goal<'_>,
    ) -> Result<Compiled> {
        let lives = lives(ops, goal.live);
        // The fold that an `Apply` adds at the end gives one row, which has no order.
        let mut demands = goal.order.output.clone();
        demands.resize(ops.len(), Demand::Free);
        let mut stages = Vec::new();
        let mut at = 0;
        while at < ops.len() {
            let may_stop = ops[at..].iter().any(|op| matches!(op, Op::Range(_)));
            let size = match goal.purpose {
                Purpose::Collected if !may_stop => BatchSize::collected(),
                Purpose::Collected | Purpose::Pulled | Purpose::Existence => BatchSize::growing(),
            };
            let after_effect = ops[..at].iter().any(|op| goal.runs_to_the_end(op));
            let inside = goal.order.inside.get(at).map_or(&[][..], Vec::as_slice);
            if let Some(fused) =
                self.fuse(&ops[at..], &layout, &lives[at..], &demands[at..], goal, inside)?
            {
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
                one_is_enough: goal.purpose == Purpose::Existence,
                to_the_end: goal.runs_to_the_end(&ops[at]),
            };
            let (operator, after) = compile(&ops[at], self, &place)?;
            // An `Apply` that runs no subplan is one operator with what is inside of it.
            let is_one = matches!(ops[at], Op::Apply(_)) && operator.inner().is_empty();
            let mut stage = self.stage(operator, &ops[at..=at]);
            for inner in ops[at].subplans().iter().flat_map(|sub| &sub.ops).filter(|_| is_one) {
                stage.label.push_str(&format!(" + {}", self.plan.describe(inner)));
            }
            if let Op::Scan(op::Scan { source, to }) = &ops[at] {
                stage.label.push_str(&self.index_label(source, *to, &place));
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

    pub(crate) fn stage(&self, operator: Box<dyn Operator>, ops: &[Op]) -> Stage {
        let lines: Vec<String> = ops.iter().map(|op| self.plan.describe(op)).collect();
        let makes = ops.iter().flat_map(|op| op.new_columns()).collect();
        Stage { makes, ..Stage::new(operator, lines.join(" + ")) }
    }

    pub(crate) fn exprs<'e>(
        &self,
        layout: &[ColumnId],
        exprs: impl IntoIterator<Item = &'e Expr>,
    ) -> Result<Exprs> {
        ExprCompiler::new(self.plan, layout).compile(exprs)
    }

    pub(crate) fn slot(&self, layout: &[ColumnId], column: ColumnId) -> Result<usize> {
        slot_of(self.plan, layout, column)
    }

    pub(crate) fn slots(&self, layout: &[ColumnId], columns: &[ColumnId]) -> Result<Vec<usize>> {
        columns.iter().map(|&column| self.slot(layout, column)).collect()
    }
}

/// A bug of the compiler itself, said rather than panicked.
pub(crate) fn bug(detail: &str) -> millrace_model::Error {
    millrace_model::Error::new(ErrorKind::Bug, detail)
}
