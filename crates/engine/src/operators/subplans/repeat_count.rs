//! `Repeat` and a keyless count: the last round is not run for its rows, it is counted.

use millrace_model::{Batch, Result};
use millrace_plan::analysis::PipelineOrder;
use millrace_plan::columns::ColumnSet;
use millrace_plan::{ColumnId, Op, Repeat as Rounded, op};

use super::repeat::Repeat;
use crate::compile::{Compiled, Compiler, Goal, Placed, Purpose, live_in};
use crate::pipeline::{Operator, Pipeline, Upstream};
use crate::run::{Charge, Run};

pub(crate) struct RepeatCount {
    /// All rounds but the last.
    rounds: Repeat,
    /// How many those are.
    done: u64,
    /// The last, and the count.
    last: Pipeline,
    begun: bool,
    charge: Charge,
}

impl RepeatCount {
    pub(crate) fn new(rounds: Repeat, done: u64, last: Pipeline) -> RepeatCount {
        RepeatCount { rounds, done, last, begun: false, charge: Charge::default() }
    }
}

impl Operator for RepeatCount {
    fn begin(&mut self, run: &Run<'_>) {
        self.rounds.begin(run);
        self.begun = false;
        self.charge.release(run);
    }

    fn next(&mut self, input: &mut Upstream<'_>, run: &Run<'_>) -> Result<Option<Batch>> {
        if !self.begun {
            self.begun = true;
            let mut left = Vec::new();
            while let Some(batch) = self.rounds.next(input, run)? {
                self.charge.hold(&batch, run)?;
                left.push(self.rounds.counted(batch, self.done));
            }
            // Each scope has its count, rows or not.
            self.last.begin(left, input.scopes().clone(), run);
        }
        self.last.next(run)
    }

    fn inner(&self) -> Vec<&Pipeline> {
        self.rounds.inner().into_iter().chain([&self.last]).collect()
    }
}

impl Compiler<'_> {
    /// A repeat with rows that are only counted: all rounds but the last, and that with the count.
    pub(crate) fn rounds_counted(
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
}
