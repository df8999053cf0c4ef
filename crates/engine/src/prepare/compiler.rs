//! Operators to stages, one match for all that need no company.

use std::collections::BTreeSet;
use std::sync::Arc;

use millrace_model::{Batch, Column, ErrorKind, Result};
use millrace_plan::analysis::{Demand, ElementColumns, PipelineOrder};
use millrace_plan::columns::ColumnSet;
use millrace_plan::op::RowsSource;
use millrace_plan::{
    ApplyKind, ColumnId, Expr, Fold as Folded, Name, Op, Pipeline as Subplan, Plan, ScanSource,
    SortKey, UnionPick, op,
};

use super::access::{Turns, turns};
use super::layout::{keep, live_in, lives};
use crate::expressions::{ExprCompiler, Exprs, slot_of};
use crate::folds::FoldState;
use crate::names::{EdgeTypes, Resolved};
use crate::operators::{
    Aggregate, Apply, ApplyResult, Barrier, Branch, Completing, Dedup, Endpoints, Expand,
    ExpandInto, Fail, Fields, FieldsWanted, Filter, Finder, FirstInScope, Fold, Keep, LetRef,
    LookupById, Project, Range, Rows, RowsFrom, Scan, Scanned, Seek, SeekOwner, Sharing,
    SideEffect, Sort, SortKeys, Tail, TopK, Union, Unwind, UnwindValues, Walk, Wanted,
};
use crate::pipeline::{BatchSize, Operator, Pipeline, Stage};

/// What a pipeline's rows are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// The caller pulls batches, and may stop.
    Pulled,
    /// All rows are collected.
    Collected,
    /// One row of each scope is enough.
    Existence,
}

/// What the end of a pipeline is asked for.
pub(super) struct Goal<'g> {
    /// The columns read of its rows.
    pub(super) live: &'g ColumnSet,
    /// Which order is demanded of each of its operators.
    pub(super) order: &'g PipelineOrder,
    pub(super) purpose: Purpose,
    /// Whether it is the body of a `Repeat`, or a branch in one: what a `Dedup` has seen lasts.
    pub(super) in_round: bool,
    /// Whether it runs once in a run, so that random numbers not taken when it is stopped are never
    /// needed.
    pub(super) runs_once: bool,
}

impl Goal<'_> {
    /// Whether an operator runs to its end, however few of its rows are wanted.
    pub(super) fn runs_to_the_end(&self, op: &Op) -> bool {
        op.has_effect() && !(self.runs_once && op.effects_are_random())
    }
}

/// A pipeline and the columns of its rows.
pub(super) struct Compiled {
    pub(super) pipeline: Pipeline,
    pub(super) layout: Vec<ColumnId>,
}

pub(super) struct Compiler<'a> {
    pub(super) plan: &'a Plan,
    /// The columns that hold nothing but elements.
    pub(super) elements: ElementColumns,
    /// The side effects that are looked up.
    pub(super) looked_up: BTreeSet<Name>,
}

/// One operator in its place: its input columns, and which of its output columns are read.
pub(super) struct Place<'p> {
    pub(super) layout: &'p [ColumnId],
    pub(super) live: &'p ColumnSet,
    /// The order demanded in its subplans.
    pub(super) inside: &'p [PipelineOrder],
    pub(super) size: BatchSize,
    /// The order demanded of what it gives.
    pub(super) demand: Demand,
    /// The operators behind it.
    pub(super) behind: &'p [Op],
    /// Whether an operator further up runs to its end.
    pub(super) after_effect: bool,
    pub(super) in_round: bool,
    /// Whether one row of each scope is enough at the end.
    pub(super) one_is_enough: bool,
    /// Whether the operator runs to its end, however few of its rows are wanted.
    pub(super) to_the_end: bool,
}

/// A stage's operator and the columns of its rows.
pub(super) type Placed = (Box<dyn Operator>, Vec<ColumnId>);

impl Place<'_> {
    /// What lives on of the input.
    pub(super) fn keep(&self) -> (Keep, Vec<ColumnId>) {
        keep(self.layout, self.live)
    }

    /// The same with new columns that live, and which of them do.
    pub(super) fn keep_and<const N: usize>(
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
    pub(super) fn pipeline(
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
                behind: &ops[at + 1..],
                after_effect,
                in_round: goal.in_round,
                one_is_enough: goal.purpose == Purpose::Existence,
                to_the_end: goal.runs_to_the_end(&ops[at]),
            };
            let (operator, after) = self.op(&ops[at], &place)?;
            let mut stage = self.stage(operator, &ops[at..=at]);
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

    pub(super) fn stage(&self, operator: Box<dyn Operator>, ops: &[Op]) -> Stage {
        let lines: Vec<String> = ops.iter().map(|op| self.plan.describe(op)).collect();
        let makes = ops.iter().flat_map(|op| op.new_columns()).collect();
        Stage { makes, ..Stage::new(operator, lines.join(" + ")) }
    }

    pub(super) fn exprs<'e>(
        &self,
        layout: &[ColumnId],
        exprs: impl IntoIterator<Item = &'e Expr>,
    ) -> Result<Exprs> {
        ExprCompiler::new(self.plan, layout).compile(exprs)
    }

    pub(super) fn slot(&self, layout: &[ColumnId], column: ColumnId) -> Result<usize> {
        slot_of(self.plan, layout, column)
    }

    pub(super) fn slots(&self, layout: &[ColumnId], columns: &[ColumnId]) -> Result<Vec<usize>> {
        columns.iter().map(|&column| self.slot(layout, column)).collect()
    }

    fn op(&self, op: &Op, place: &Place<'_>) -> Result<Placed> {
        let layout = place.layout;
        let (operator, after): (Box<dyn Operator>, _) = match op {
            Op::Scan(op::Scan { source, to }) => self.scan(source, *to, place)?,
            Op::Seek(op::Seek { owner, keys, range, to, .. }) => {
                let (keep, after, [to]) = place.keep_and([Some(*to)]);
                let finder = Finder::new(SeekOwner::new(owner), keys).with_range(range.as_ref());
                let values = self.exprs(layout, op.exprs())?;
                (Box::new(Seek::new(finder, values, keep, to)), after)
            }
            Op::LookupById(op::LookupById { element, ids, mode, to }) => {
                let (keep, after, [to]) = place.keep_and([Some(*to)]);
                let ids = self.exprs(layout, [ids])?;
                (Box::new(LookupById::new(*element, ids, *mode, keep, to)), after)
            }
            Op::Rows(op::Rows { source, to }) => self.rows(source, to, place),
            Op::LetRef(op::LetRef { name, to }) => {
                let (keep, after, [to]) = place.keep_and([Some(*to)]);
                (Box::new(LetRef::new(*name, keep, to)), after)
            }
            Op::Expand(op::Expand { from, types, direction, edge, to, loops }) => {
                let (keep, after, [edge, to]) = place.keep_and([*edge, *to]);
                let walk = Walk::new(EdgeTypes::new(types.as_deref()), *direction, *loops);
                let from = self.slot(layout, *from)?;
                (Box::new(Expand::new(from, walk, Wanted { edge, to }, keep, place.size)), after)
            }
            Op::ExpandInto(op::ExpandInto { from, into, types, direction, edge, loops }) => {
                let (keep, after, [edge]) = place.keep_and([*edge]);
                let walk = Walk::new(EdgeTypes::new(types.as_deref()), *direction, *loops);
                let ends = (self.slot(layout, *from)?, self.slot(layout, *into)?);
                (Box::new(ExpandInto::new(ends, walk, edge, keep)), after)
            }
            Op::Intersect(intersect) => self.intersect(intersect, place)?,
            Op::Random(random) => self.random(random, place)?,
            Op::PathExpand(_) | Op::TrailEndpoints(_) | Op::PathStep(_) => self.path(op, place)?,
            Op::Join(_) | Op::Group(_) | Op::Repeat(_) | Op::RecursiveExpand(_) => {
                self.looping(op, place)?
            }
            Op::Endpoints(op::Endpoints { edge, end, to }) => {
                let (keep, after, [to]) = place.keep_and([Some(*to)]);
                (Box::new(Endpoints::new(self.slot(layout, *edge)?, *end, keep, to)), after)
            }
            Op::Fields(op::Fields { element, keys, languages, to }) => {
                let (keep, after, [to]) = place.keep_and([Some(*to)]);
                let wanted = FieldsWanted::new(keys.as_deref(), languages.as_ref());
                (Box::new(Fields::new(self.slot(layout, *element)?, wanted, keep, to)), after)
            }
            Op::Lookup(lookup) => self.lookup(lookup, place)?,
            Op::Call(call) => self.call(call, place)?,
            Op::Filter(op::Filter { predicate }) => {
                let (keep, after) = place.keep();
                (Box::new(Filter::new(self.exprs(layout, [predicate])?, keep)), after)
            }
            Op::Project(op::Project { columns }) => {
                let (keep, mut after) = place.keep();
                let exprs = self.exprs(layout, columns.iter().map(|(_, expr)| expr))?;
                let is_live = |column: &ColumnId| place.live.contains(column);
                let live = columns.iter().map(|(column, _)| is_live(column)).collect();
                after.extend(columns.iter().map(|(column, _)| *column).filter(is_live));
                (Box::new(Project::new(exprs, live, keep)), after)
            }
            Op::Unwind(op::Unwind { list, to, position }) => {
                let (keep, after, [to, position]) = place.keep_and([Some(*to), *position]);
                let list = self.exprs(layout, [list])?;
                (Box::new(Unwind::new(list, (to, position), keep)), after)
            }
            Op::UnwindValues(op::UnwindValues { property, to, ordinal }) => {
                let (keep, after, [to, ordinal]) = place.keep_and([Some(*to), *ordinal]);
                let property = self.exprs(layout, [property])?;
                (Box::new(UnwindValues::new(property, (to, ordinal), keep)), after)
            }
            Op::Aggregate(op::Aggregate { keys, folds }) => self.aggregate(keys, folds, place)?,
            Op::Fold(op::Fold { columns, to }) => {
                let live = place.live.contains(to);
                let fold = Fold::new(Keep(self.slots(layout, columns)?), live);
                (Box::new(Completing::new(fold)), live.then_some(*to).into_iter().collect())
            }
            Op::Dedup(op::Dedup { columns }) => {
                let (keep, after) = place.keep();
                (Box::new(Dedup::new(self.slots(layout, columns)?, keep)), after)
            }
            Op::Sort(op::Sort { keys }) => {
                let (keep, after) = place.keep();
                let sort = Sort::new(self.sort_keys(layout, keys)?, keep);
                (Box::new(Completing::new(sort)), after)
            }
            Op::TopK(op::TopK { count, keys }) => {
                let (keep, after) = place.keep();
                let top = TopK::new(*count, self.sort_keys(layout, keys)?, keep);
                (Box::new(Completing::new(top)), after)
            }
            Op::Range(op::Range { from, to }) => {
                let (keep, after) = place.keep();
                (Box::new(Range::new(*from, *to, keep, place.after_effect)), after)
            }
            Op::Tail(op::Tail { count }) => {
                let (keep, after) = place.keep();
                (Box::new(Completing::new(Tail::new(*count, keep))), after)
            }
            Op::Fail(op::Fail { message, kind }) => {
                let (_, after) = place.keep();
                let fail = Fail::new(self.exprs(layout, [message])?, *kind);
                (Box::new(Completing::new(fail)), after)
            }
            Op::Barrier(op::Barrier { merge }) => {
                let mut live = place.live.clone();
                if let Some(columns) = merge {
                    live.retain(|column| columns.contains(column));
                }
                let (keep, after) = keep(layout, &live);
                let merge = match merge {
                    Some(columns) => Some(self.slots(layout, columns)?),
                    None => None,
                };
                (Box::new(Completing::new(Barrier::new(merge, keep))), after)
            }
            Op::Union(op::Union { branches, pick }) => self.union(branches, pick, place)?,
            Op::Apply(op::Apply { sub, kind }) => self.apply(sub, kind, place)?,
            Op::SideEffect(op::SideEffect { name, value, fold }) => {
                let (keep, after) = place.keep();
                let value = self.exprs(layout, [value])?;
                let listed = self.looked_up.contains(name).then_some(*fold);
                let side_effect = SideEffect::new(name.clone(), value, listed, keep);
                (Box::new(Completing::new(side_effect)), after)
            }
            Op::Create(_)
            | Op::Merge(_)
            | Op::Set(_)
            | Op::Remove(_)
            | Op::Delete(_)
            | Op::Define(_) => self.write(op, place)?,
        };
        Ok((operator, after))
    }

    fn scan(&self, source: &ScanSource, to: ColumnId, place: &Place<'_>) -> Result<Placed> {
        let (keep, after, [live]) = place.keep_and([Some(to)]);
        let scanned = match source {
            ScanSource::Vertices(label) => Scanned::Vertices(label.as_ref().map(Resolved::new)),
            ScanSource::Edges(types) => Scanned::Edges(EdgeTypes::new(types.as_deref())),
        };
        let path = self.index_path(source, to, place)?;
        Ok((Box::new(Scan::new(scanned, path, keep, live, place.size)), after))
    }

    fn rows(&self, source: &RowsSource, to: &[ColumnId], place: &Place<'_>) -> Placed {
        let (keep, mut after) = place.keep();
        let live = (0..to.len()).filter(|&slot| place.live.contains(&to[slot]));
        let live: Vec<usize> = live.collect();
        after.extend(live.iter().map(|&slot| to[slot]));
        let from = match source {
            RowsSource::Parameter(parameter) => RowsFrom::Parameter(*parameter),
            RowsSource::Literal(rows) => {
                let column = |slot: usize| {
                    Arc::new(Column::from_values(rows.iter().map(|row| row[slot].clone())))
                };
                let columns = (0..to.len()).map(column).collect();
                RowsFrom::Literal(Batch { len: rows.len(), columns, ..Batch::default() })
            }
        };
        (Box::new(Rows::new(from, to.len(), keep, live)), after)
    }

    fn sort_keys(&self, layout: &[ColumnId], keys: &[SortKey]) -> Result<SortKeys> {
        Ok(SortKeys::new(self.exprs(layout, keys.iter().map(|key| &key.by))?, keys))
    }

    fn aggregate(
        &self,
        keys: &[ColumnId],
        folds: &[(ColumnId, Folded)],
        place: &Place<'_>,
    ) -> Result<Placed> {
        let slots = Keep(self.slots(place.layout, keys)?);
        let live_keys: Vec<usize> =
            (0..keys.len()).filter(|&key| place.live.contains(&keys[key])).collect();
        let live_folds: Vec<bool> =
            folds.iter().map(|(column, _)| place.live.contains(column)).collect();
        let mut after: Vec<ColumnId> = live_keys.iter().map(|&key| keys[key]).collect();
        let live = folds.iter().zip(&live_folds).filter(|(_, live)| **live);
        after.extend(live.map(|((column, _), _)| *column));
        let exprs: Vec<Option<&Expr>> = folds.iter().map(|(_, fold)| fold.expr()).collect();
        let mut number = 0..;
        let expr_of = exprs.iter().map(|expr| expr.and_then(|_| number.next())).collect();
        let exprs = self.exprs(place.layout, exprs.into_iter().flatten())?;
        let states = folds.iter().map(|(_, fold)| FoldState::new(fold)).collect();
        let aggregate = Aggregate::new(slots, live_keys, states, live_folds, (exprs, expr_of));
        Ok((Box::new(Completing::new(aggregate)), after))
    }

    fn union(&self, branches: &[Subplan], pick: &UnionPick, place: &Place<'_>) -> Result<Placed> {
        let conditions = match pick {
            UnionPick::All => None,
            UnionPick::First(conditions) => Some(self.exprs(place.layout, conditions)?),
        };
        let (_, mut after) = place.keep();
        for column in branches.iter().flat_map(Subplan::made_columns) {
            if place.live.contains(&column) && !after.contains(&column) {
                after.push(column);
            }
        }
        let purpose = if place.size.is_collected() { Purpose::Collected } else { Purpose::Pulled };
        let mut compiled = Vec::new();
        for (branch, order) in branches.iter().zip(place.inside) {
            let goal = Goal {
                live: place.live,
                order,
                purpose,
                in_round: place.in_round,
                runs_once: false,
            };
            let (enter, layout) = keep(place.layout, &live_in(&branch.ops, place.live));
            let Compiled { pipeline, layout } = self.pipeline(&branch.ops, layout, &goal)?;
            let slot = |column: &ColumnId| layout.iter().position(|known| known == column);
            let slots = after.iter().map(slot).collect();
            compiled.push(Branch { pipeline, enter, slots });
        }
        let to_the_end = branches.iter().any(Subplan::has_effect);
        Ok((Box::new(Union::new(compiled, conditions, to_the_end)), after))
    }

    fn apply(&self, sub: &Subplan, kind: &ApplyKind, place: &Place<'_>) -> Result<Placed> {
        let mut body = sub.clone();
        let mut live = ColumnSet::new();
        let mut purpose = Purpose::Collected;
        match kind {
            ApplyKind::Flat | ApplyKind::Optional => {
                live.extend(sub.made_columns().into_iter().filter(|to| place.live.contains(to)));
            }
            ApplyKind::Value { fold, to } => {
                let folds = vec![(*to, fold.clone())];
                body.ops.push(Op::Aggregate(op::Aggregate { keys: Vec::new(), folds }));
                live.insert(*to);
            }
            ApplyKind::Bag { columns, .. } => live.extend(columns),
            ApplyKind::Exists | ApplyKind::Absent => purpose = Purpose::Existence,
            ApplyKind::Effect => {}
        }
        // A fold at its end reads too: what it folds may be a property that an outer row's turn wrote.
        let sharing = match (sub.has_effect(), turns(&body)) {
            (_, Turns::Single) => Sharing::InTurn,
            (_, Turns::Batches(dependencies)) => {
                Sharing::ConflictFree(self.conflict_free_batches(place.layout, &dependencies)?)
            }
            (true, Turns::AtOnce) => Sharing::SingleRows,
            (false, Turns::AtOnce) => Sharing::Shared,
        };
        let (reads, layout) = keep(place.layout, &live_in(&body.ops, &live));
        let goal = Goal {
            live: &live,
            order: &place.inside[0],
            purpose,
            in_round: false,
            runs_once: false,
        };
        let Compiled { pipeline, layout } = self.pipeline(&body.ops, layout, &goal)?;
        let (keep, mut after) = place.keep();
        let result = match kind {
            ApplyKind::Flat | ApplyKind::Optional => {
                // What the sub read from outside stays the outer row's own.
                let made = |slot: &usize| live.contains(&layout[*slot]);
                let slots: Vec<usize> = (0..layout.len()).filter(made).collect();
                after.extend(slots.iter().map(|&slot| layout[slot]));
                ApplyResult::Flat { optional: *kind == ApplyKind::Optional, slots }
            }
            ApplyKind::Value { fold, to } if fold.drops_rows() => {
                let slots = if place.live.contains(to) { vec![0] } else { Vec::new() };
                after.extend(slots.iter().map(|_| *to));
                ApplyResult::Flat { optional: false, slots }
            }
            ApplyKind::Value { to, .. } => {
                let live = place.live.contains(to);
                after.extend(live.then_some(*to));
                ApplyResult::Value { live }
            }
            ApplyKind::Bag { columns, to } => {
                let live = place.live.contains(to);
                after.extend(live.then_some(*to));
                ApplyResult::Bag { slots: self.slots(&layout, columns)?, live }
            }
            ApplyKind::Exists => ApplyResult::Exists { wanted: true },
            ApplyKind::Absent => ApplyResult::Exists { wanted: false },
            ApplyKind::Effect => ApplyResult::Effect,
        };
        let apply = Apply::new((pipeline, layout.len()), reads, keep, result, sharing);
        Ok((Box::new(apply), after))
    }
}

/// A bug of the compiler itself, said rather than panicked.
pub(super) fn bug(detail: &str) -> millrace_model::Error {
    millrace_model::Error::new(ErrorKind::Bug, detail)
}
