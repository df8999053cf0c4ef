//! Operators with a body of their own beside `Apply` and `Union`, to stages.

use millrace_model::Result;
use millrace_plan::analysis::PipelineOrder;
use millrace_plan::columns::ColumnSet;
use millrace_plan::{
    ColumnId, JoinKind, Op, Pipeline as Subplan, RecursiveExpand as Recursion, Repeat as Rounded,
    RoundTest, op,
};

use super::compiler::{Compiled, Compiler, Goal, Place, Placed, Purpose, bug};
use super::layout::{keep, live_in};
use crate::expressions::slot_of;
use crate::operators::{
    ApplyResult, Completing, Group, Join, Keep, RecursiveExpand, Repeat, RepeatCount, RepeatPulled,
    Rounds, Step, Test,
};

impl Compiler<'_> {
    /// A `Join`, `Group`, `RecursiveExpand` or `Repeat`.
    pub(super) fn looping(&self, op: &Op, place: &Place<'_>) -> Result<Placed> {
        if let Op::Join(op::Join { right, kind, on }) = op {
            return self.join(right, *kind, on, place);
        }
        if let Op::Group(op::Group { keys, sub }) = op {
            return self.group(keys, sub, place);
        }
        if let Op::RecursiveExpand(recurse) = op {
            return self.recurse(recurse, place);
        }
        match op.repeat() {
            Some(repeat) => self.repeat(repeat, place),
            None => Err(bug("an operator without a body was compiled as one that has one")),
        }
    }

    fn join(
        &self,
        right: &Subplan,
        kind: JoinKind,
        on: &[(ColumnId, ColumnId)],
        place: &Place<'_>,
    ) -> Result<Placed> {
        let (left_keys, right_keys): (Vec<ColumnId>, Vec<ColumnId>) = on.iter().copied().unzip();
        let made = right.made_columns().into_iter();
        let wanted: ColumnSet = match kind {
            JoinKind::Inner | JoinKind::Left => {
                made.filter(|column| place.live.contains(column)).collect()
            }
            JoinKind::Semi | JoinKind::Anti => ColumnSet::new(),
        };
        let live = &wanted | &right_keys.iter().copied().collect();
        let goal = Goal {
            live: &live,
            order: &place.inside[0],
            purpose: Purpose::Collected,
            in_round: false,
            runs_once: false,
        };
        let Compiled { pipeline, layout } = self.pipeline(&right.ops, Vec::new(), &goal)?;
        let (keep, mut after) = place.keep();
        let slots: Vec<usize> =
            (0..layout.len()).filter(|&slot| wanted.contains(&layout[slot])).collect();
        after.extend(slots.iter().map(|&slot| layout[slot]));
        let result = match kind {
            JoinKind::Inner => ApplyResult::Flat { optional: false, slots },
            JoinKind::Left => ApplyResult::Flat { optional: true, slots },
            JoinKind::Semi => ApplyResult::Exists { wanted: true },
            JoinKind::Anti => ApplyResult::Exists { wanted: false },
        };
        let on = (self.slots(place.layout, &left_keys)?, self.slots(&layout, &right_keys)?);
        let join = Join::new((pipeline, layout.len()), on, keep, result);
        Ok((Box::new(join), after))
    }

    fn group(&self, keys: &[ColumnId], sub: &Subplan, place: &Place<'_>) -> Result<Placed> {
        let made = sub.made_columns().into_iter();
        let live: ColumnSet =
            made.filter(|column| place.live.contains(column) && !keys.contains(column)).collect();
        let (enter, layout) = keep(place.layout, &live_in(&sub.ops, &live));
        let goal = Goal {
            live: &live,
            order: &place.inside[0],
            purpose: Purpose::Collected,
            in_round: false,
            runs_once: false,
        };
        let Compiled { pipeline, layout } = self.pipeline(&sub.ops, layout, &goal)?;
        let live_keys = place.live & &keys.iter().copied().collect();
        let (kept, mut after) = keep(place.layout, &live_keys);
        let slots: Vec<usize> =
            (0..layout.len()).filter(|&slot| live.contains(&layout[slot])).collect();
        after.extend(slots.iter().map(|&slot| layout[slot]));
        let result = ApplyResult::Flat { optional: false, slots };
        let keys = self.slots(place.layout, keys)?;
        let body = (pipeline, layout.len());
        let group = Group::new(keys, body, (enter, kept), result, sub.has_effect());
        Ok((Box::new(Completing::new(group)), after))
    }

    fn recurse(&self, recurse: &Recursion, place: &Place<'_>) -> Result<Placed> {
        let from = self.slot(place.layout, recurse.from)?;
        let (keep, after, [to]) = place.keep_and([Some(recurse.to)]);
        let mut steps = Vec::new();
        for ((step, next), order) in recurse.steps.iter().zip(&recurse.next).zip(place.inside) {
            let live = ColumnSet::from([*next]);
            let goal = Goal {
                live: &live,
                order,
                purpose: Purpose::Collected,
                in_round: false,
                runs_once: false,
            };
            let start =
                if live_in(&step.ops, &live).is_empty() { vec![] } else { vec![recurse.at] };
            let Compiled { pipeline, layout } = self.pipeline(&step.ops, start.clone(), &goal)?;
            let next = self.slot(&layout, *next)?;
            steps.push(Step { pipeline, reads: !start.is_empty(), width: layout.len(), next });
        }
        let rounds = (recurse.depth, recurse.loops);
        Ok((Box::new(Completing::new(RecursiveExpand::new(from, steps, rounds, keep, to))), after))
    }

    fn repeat(&self, repeat: &Rounded, place: &Place<'_>) -> Result<Placed> {
        let (layout, live, inside) = (place.layout, place.live, place.inside);
        let (operator, layout) = self.rounds(repeat, layout, live, inside, place.to_the_end)?;
        if may_stop_in_a_round(repeat, place) {
            return Ok((Box::new(RepeatPulled::new(operator)), layout));
        }
        Ok((Box::new(operator), layout))
    }

    /// A repeat with rows that are only counted: all rounds but the last, and that with the count.
    pub(super) fn rounds_counted(
        &self,
        ops: &[Op],
        count: ColumnId,
        layout: &[ColumnId],
        live: &ColumnSet,
        inside: &[PipelineOrder],
    ) -> Result<Option<Placed>> {
        let (Some(repeat), Some(counting)) = (ops[0].repeat(), ops.get(1)) else {
            return Ok(None);
        };
        let asks = repeat.until.is_some() || repeat.emit.is_some();
        let Some(times @ 1..) = repeat.times else { return Ok(None) };
        // Without rows there is no round; the last one would answer for scopes without rows.
        let counts =
            |op: &Op| matches!(op, Op::Aggregate(op::Aggregate { keys, .. }) if keys.is_empty());
        let answers = |op: &Op| counts(op) || matches!(op, Op::Fold(_));
        let answers = repeat.body.ops.iter().any(answers);
        if asks || answers || repeat.remembers() || repeat.body.has_effect() {
            return Ok(None);
        }
        let mut last = repeat.body.ops.clone();
        // A merge keeps the count.
        last.pop_if(|op| matches!(op, Op::Barrier(_)));
        last.push(counting.clone());
        let live: ColumnSet = live.iter().copied().filter(|column| *column == count).collect();
        let read = live_in(&last, &live);
        let before = Rounded { times: Some(times - 1), ..repeat.clone() };
        let (rounds, mut left) = self.rounds(&before, layout, &read, inside, false)?;
        left.extend(repeat.rounds);
        let (order, purpose) = (&inside[0], Purpose::Collected);
        let goal = Goal { live: &live, order, purpose, in_round: false, runs_once: false };
        let Compiled { pipeline, layout } = self.pipeline(&last, left, &goal)?;
        Ok(Some((Box::new(RepeatCount::new(rounds, times - 1, pipeline)), layout)))
    }

    fn rounds(
        &self,
        repeat: &Rounded,
        layout: &[ColumnId],
        live: &ColumnSet,
        inside: &[PipelineOrder],
        to_the_end: bool,
    ) -> Result<(Repeat, Vec<ColumnId>)> {
        let start: Vec<ColumnId> = repeat.columns.iter().map(|carried| carried.from).collect();
        let next: Vec<ColumnId> = repeat.columns.iter().map(|carried| carried.next).collect();
        let carried = repeat.carried();
        let mut inner = carried.clone();
        inner.extend(repeat.rounds);
        let ends: ColumnSet = next.iter().copied().collect();
        let goal = Goal {
            live: &ends,
            order: &inside[0],
            purpose: Purpose::Collected,
            in_round: true,
            runs_once: false,
        };
        let test = |test: &Option<RoundTest>| -> Result<Option<Test>> {
            let Some(RoundTest { holds, place }) = test else { return Ok(None) };
            Ok(Some(Test { holds: self.exprs(&inner, [holds])?, place: *place }))
        };
        let rounds = Rounds {
            start: Keep(self.slots(layout, &start)?),
            next: Keep::default(),
            counter: repeat.rounds.is_some(),
            until: test(&repeat.until)?,
            emit: test(&repeat.emit)?,
            times: repeat.times,
            to_the_end,
        };
        let Compiled { pipeline, layout } =
            self.pipeline(&repeat.body.ops, inner.clone(), &goal)?;
        let next = next.iter().map(|&column| slot_of(self.plan, &layout, column));
        let rounds = Rounds { next: Keep(next.collect::<Result<_>>()?), ..rounds };
        let (keep, after) = keep(&carried, live);
        Ok((Repeat::new(pipeline, rounds, keep), after))
    }
}

/// Whether a limit behind the rounds may end them in the middle of one: then they run piece by piece.
fn may_stop_in_a_round(repeat: &Rounded, place: &Place<'_>) -> bool {
    let limits = |op: &Op| matches!(op, Op::Range(op::Range { to: Some(_), .. }));
    let is_limited = place.one_is_enough || place.behind.iter().any(limits);
    let has_effect = place.to_the_end || place.behind.iter().any(|op| op.has_effect());
    is_limited && !has_effect && repeat.times != Some(0) && repeat.body.goes_in_pieces()
}
