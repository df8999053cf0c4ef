//! The rounds of a `Repeat`, to stages.

use millrace_model::Result;
use millrace_plan::analysis::PipelineOrder;
use millrace_plan::columns::ColumnSet;
use millrace_plan::{ColumnId, Op, Repeat as Rounded, RoundTest, op};

use super::compiler::{Compiled, Compiler, Goal, Placed, Purpose};
use super::layout::{keep, live_in};
use crate::expressions::slot_of;
use crate::operators::{Keep, Repeat, RepeatCount, Rounds, Test};

impl Compiler<'_> {
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
        let goal = Goal::new(&live, order, purpose);
        let Compiled { pipeline, layout } = self.pipeline(&last, left, &goal)?;
        Ok(Some((Box::new(RepeatCount::new(rounds, times - 1, pipeline)), layout)))
    }

    pub(crate) fn rounds(
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
        let goal = Goal { in_round: true, ..Goal::new(&ends, &inside[0], Purpose::Collected) };
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
