//! Patterns of operators that are one physical operator: where the speed comes from.
//!
//! | pattern | becomes |
//! |---|---|
//! | `Expand`, `Barrier merge(to)` | a hop: weights added by neighbour |
//! | `Expand`, `Aggregate to: count` | the same, the weight as a column |
//! | `Expand`, `Dedup(to)`, nothing else read | the same, the weight forgotten |
//! | `Expand`, filters of `to`, `Aggregate` of anything, nothing else read | a hop before these |
//! | `Expand`, `Aggregate count` | Σ weight × degree |
//! | `Expand`, `Aggregate sum(id(to))` | Σ weight × the ids of each list, as a slice |
//! | `Expand`, `Aggregate exists`; `Expand` at the end of an exists | degree > 0 |
//! | `Scan`, `Aggregate count` | the store's counter |
//! | `Repeat` a number of times, `Aggregate count` | all rounds but the last, and that counted |
//!
//! A hop comes out in id order where no order is demanded of it, else by first appearance.
//! Filters between that read only `to` move behind a hop: they see each vertex once instead of
//! once for each edge, and the vertices are the same.

use millrace_model::Result;
use millrace_plan::analysis::PipelineOrder;
use millrace_plan::columns::ColumnSet;
use millrace_plan::op::Demand;
use millrace_plan::{ColumnId, Expr, Fold, Op, ScanSource, op};

use crate::compile::{Compiler, Goal, Place, Purpose, keep};
use crate::context::{EdgeTypes, Resolved};
use crate::operators::{
    CountEdges, CountScanned, Counted, Dedup, Filter, HasEdges, Hop, HopResult, SumIds,
};
use crate::pipeline::{BatchSize, Completing, Stage};
use crate::traversal::Walk;

/// The stages that stand for the first `ops` operators.
pub(super) struct Fused {
    pub(super) ops: usize,
    pub(super) stages: Vec<Stage>,
    pub(super) layout: Vec<ColumnId>,
}

impl Compiler<'_> {
    /// The fused form of the operators at the start of `ops`, if a pattern fits.
    pub(super) fn fuse(
        &self,
        ops: &[Op],
        layout: &[ColumnId],
        lives: &[ColumnSet],
        demands: &[Demand],
        goal: &Goal<'_>,
        inside: &[PipelineOrder],
    ) -> Result<Option<Fused>> {
        if let Op::Scan(op::Scan { source, .. }) = &ops[0] {
            return Ok(self.count_scan(source, ops, lives));
        }
        if let (Some(_), Some(count)) = (ops[0].repeat(), counted(ops.get(1))) {
            let counted = self.rounds_counted(ops, count, layout, &lives[1], inside)?;
            return Ok(counted.map(|(operator, layout)| Fused {
                ops: 2,
                stages: vec![self.stage(operator, &ops[..2])],
                layout,
            }));
        }
        let Op::Expand(op::Expand { from, types, direction, edge, to, loops }) = &ops[0] else {
            return Ok(None);
        };
        if edge.is_some_and(|edge| lives[0].contains(&edge)) {
            return Ok(None);
        }
        let walk = Walk::new(EdgeTypes::new(types.as_deref()), *direction, *loops);
        let from = self.slot(layout, *from)?;
        let unread = to.is_none_or(|to| !lives[0].contains(&to));
        if unread && ends_in_existence(ops, goal) {
            let place = Place {
                layout,
                live: &lives[0],
                inside: &[],
                size: BatchSize::growing(),
                demand: Demand::Free,
                before: None,
                behind: &ops[1..],
                after_effect: false,
                in_round: goal.in_round,
                row_order: None,
                one_is_enough: true,
                to_the_end: false,
            };
            let (keep, layout) = place.keep();
            let mut stage = self.stage(Box::new(HasEdges::new(from, walk, true, keep)), &ops[..1]);
            stage.label.insert_str(0, "degree > 0 of ");
            return Ok(Some(Fused { ops: 1, stages: vec![stage], layout }));
        }
        if let Some(count) = counted(ops.get(1)) {
            let live = lives[1].contains(&count);
            let stage = self.stage(Box::new(CountEdges::new(from, walk, live)), &ops[..2]);
            let layout = live.then_some(count).into_iter().collect();
            return Ok(Some(Fused { ops: 2, stages: vec![stage], layout }));
        }
        if let Some(sum) = to.and_then(|to| ids_summed(ops.get(1), to)) {
            let live = lives[1].contains(&sum);
            let stage = self.stage(Box::new(SumIds::new(from, walk, live)), &ops[..2]);
            let layout = live.then_some(sum).into_iter().collect();
            return Ok(Some(Fused { ops: 2, stages: vec![stage], layout }));
        }
        match to {
            Some(to) => self.hop(ops, (from, *to), walk, (lives, demands), goal),
            None => Ok(None),
        }
    }

    fn count_scan(&self, source: &ScanSource, ops: &[Op], lives: &[ColumnSet]) -> Option<Fused> {
        let count = counted(ops.get(1))?;
        let counted = match source {
            ScanSource::Vertices(label) => Counted::Vertices(label.as_ref().map(Resolved::new)),
            ScanSource::Edges(types) => Counted::Edges(EdgeTypes::new(types.as_deref())),
        };
        let live = lives[1].contains(&count);
        let stage = self.stage(Box::new(CountScanned::new(counted, live)), &ops[..2]);
        let layout = live.then_some(count).into_iter().collect();
        Some(Fused { ops: 2, stages: vec![stage], layout })
    }

    fn hop(
        &self,
        ops: &[Op],
        (from, to): (usize, ColumnId),
        walk: Walk,
        (lives, demands): (&[ColumnSet], &[Demand]),
        goal: &Goal<'_>,
    ) -> Result<Option<Fused>> {
        let reads_only_to = |op: &&Op| {
            matches!(op, Op::Filter(_)) && op.read_columns().iter().all(|read| *read == to)
        };
        let filters: Vec<&Op> = ops[1..].iter().take_while(reads_only_to).collect();
        let last = 1 + filters.len();
        let ends = ops.get(last);
        let only_to = self.plan.merging && lives[0].iter().all(|column| *column == to);
        let (result, count, last) = match ends.and_then(|op| summed(op, to, &lives[last])) {
            Some((result, count)) => (result, count, last),
            // What comes next need not know how often a vertex was reached, but for its weight.
            None if ends.is_some_and(folds_all) && only_to && demands[last - 1] != Demand::Full => {
                (HopResult::Weights, None, last - 1)
            }
            None => return Ok(None),
        };
        let live = &lives[last];
        // A hop drops the vertices seen when it begins again; a `Dedup` in a `Repeat` keeps them.
        let lasts = goal.in_round && result == HopResult::Distinct;
        let filtered = !filters.is_empty() || lasts;
        let wanted = (filtered || live.contains(&to), count.is_some_and(|to| live.contains(&to)));
        let another = !filtered && matches!(ops.get(last + 1), Some(Op::Expand(_)));
        let ordered = demands[last] != Demand::Free;
        let hop = Hop::new(from, walk, result, wanted, ordered, another);
        let mut layout: Vec<ColumnId> = wanted.0.then_some(to).into_iter().collect();
        layout.extend(count.filter(|_| wanted.1));
        let merge = op::Barrier { merge: Some(vec![to]) };
        let sums_up = ops.get(last).filter(|_| last == filters.len() + 1).cloned();
        let mut fused = vec![ops[0].clone(), sums_up.unwrap_or(merge.into())];
        let mut stages = vec![self.stage(Box::new(Completing::new(hop)), &fused)];
        for (number, filter) in filters.iter().enumerate() {
            let Op::Filter(op::Filter { predicate }) = filter else { continue };
            let mut read_later = live.clone();
            if number + 1 < filters.len() || lasts {
                read_later.insert(to);
            }
            let (keep, after) = keep(&layout, &read_later);
            let exprs = self.exprs(&layout, [predicate])?;
            fused = vec![(*filter).clone()];
            stages.push(self.stage(Box::new(Filter::new(exprs, keep)), &fused));
            layout = after;
        }
        if lasts {
            let (keep, after) = keep(&layout, live);
            let dedup = Dedup::new(vec![self.slot(&layout, to)?], keep);
            stages.push(self.stage(Box::new(dedup), &ops[last..=last]));
            layout = after;
        }
        Ok(Some(Fused { ops: last + 1, stages, layout }))
    }
}

/// Whether an operator folds all rows, whatever their order and number.
fn folds_all(op: &Op) -> bool {
    let is_all = |fold: &Fold| !matches!(fold, Fold::Exists | Fold::First(_));
    matches!(op, Op::Aggregate(op::Aggregate { folds, .. }) if folds.iter().any(|(_, fold)| is_all(fold)))
}

/// Whether only the existence of the edges of `ops[0]` matters.
fn ends_in_existence(ops: &[Op], goal: &Goal<'_>) -> bool {
    match ops.get(1) {
        None => goal.purpose == Purpose::Existence,
        Some(Op::Aggregate(op::Aggregate { keys, folds })) => {
            keys.is_empty() && folds.iter().all(|(_, fold)| *fold == Fold::Exists)
        }
        Some(_) => false,
    }
}

/// The column of a keyless count that is all an operator makes.
fn counted(op: Option<&Op>) -> Option<ColumnId> {
    match op {
        Some(Op::Aggregate(op::Aggregate { keys, folds })) if keys.is_empty() => {
            match folds.as_slice() {
                [(count, Fold::Count)] => Some(*count),
                _ => None,
            }
        }
        _ => None,
    }
}

/// The column of a keyless sum of neighbours' ids that is all an operator makes.
fn ids_summed(op: Option<&Op>, to: ColumnId) -> Option<ColumnId> {
    let Some(Op::Aggregate(op::Aggregate { keys, folds })) = op else { return None };
    let ids = Expr::Id(Box::new(Expr::Column(to)));
    match folds.as_slice() {
        [(sum, Fold::Sum(summed))] if keys.is_empty() && *summed == ids => Some(*sum),
        _ => None,
    }
}

/// The result of a hop that is fused with `op`, if `op` sums up its neighbours; with the column of
/// counts.
fn summed(op: &Op, to: ColumnId, live: &ColumnSet) -> Option<(HopResult, Option<ColumnId>)> {
    if let Op::Barrier(op::Barrier { merge: Some(columns) }) = op
        && columns.as_slice() == [to]
    {
        return Some((HopResult::Weights, None));
    }
    if let Op::Dedup(op::Dedup { columns }) = op
        && columns.as_slice() == [to]
        && live.iter().all(|column| *column == to)
    {
        return Some((HopResult::Distinct, None));
    }
    if let Op::Aggregate(op::Aggregate { keys, folds }) = op
        && keys.as_slice() == [to]
        && let [(count, Fold::Count)] = folds.as_slice()
    {
        return Some((HopResult::Count, Some(*count)));
    }
    None
}
