//! The compiler as an operator sees it: its own place, and what it may ask of the plan.

use std::collections::BTreeSet;
use std::sync::Arc;

use millrace_model::Result;
use millrace_plan::analysis::PipelineOrder;
use millrace_plan::columns::ColumnSet;
use millrace_plan::op::{Demand, ElementColumns};
use millrace_plan::{ColumnId, Expr, Name, Op, Plan};

use super::layout::keep;
use crate::context::Procedures;
use crate::expressions::{ExprCompiler, Exprs, slot_of};
use crate::pipeline::{BatchSize, Keep, Operator, Pipeline, RowOrder};

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
    /// Whether threads may share its scans.
    pub(crate) may_share: bool,
    /// The driver, which knows all operators; an operator that has a subplan asks it.
    pub(crate) compile_pipeline: CompilePipeline,
}

/// Operators to stages, from rows of a layout.
pub(crate) type CompilePipeline =
    fn(&Compiler<'_>, &[Op], Vec<ColumnId>, &Goal<'_>) -> Result<Compiled>;

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
    /// The order in which the rows come, if a source in front makes one for this operator.
    pub(crate) row_order: Option<Arc<RowOrder>>,
    /// Whether one row of each scope is enough at the end.
    pub(crate) one_is_enough: bool,
    /// Whether the operator runs to its end, however few of its rows are wanted.
    pub(crate) to_the_end: bool,
}

/// A stage's operator and the columns of its rows.
pub(crate) type Placed = (Box<dyn Operator>, Vec<ColumnId>);

/// An operator of a plan that becomes a stage.
pub(crate) trait Compile {
    /// The stage's operator in its place, and the columns of its rows.
    fn compile(&self, compiler: &Compiler<'_>, place: &Place<'_>) -> Result<Placed>;
}

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
        layout: Vec<ColumnId>,
        goal: &Goal<'_>,
    ) -> Result<Compiled> {
        (self.compile_pipeline)(self, ops, layout, goal)
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
