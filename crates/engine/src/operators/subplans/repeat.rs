//! `Repeat`: rounds of a body over all rows that are left.
//!
//! ```text
//!   input ──from──> rows left ──body──> next ──tests──> rows left ──body──> …
//!                                              └──────> emitted
//! ```
//!
//! A round's rows are emitted before the next round runs, so a caller that wants few rows
//! runs few rounds; with an effect inside, all rounds run first.

mod compile;
mod pulled;

use std::collections::VecDeque;

use millrace_model::{Batch, Column, ColumnValues, Result};
use millrace_plan::{Op, RoundPlace, op};

use super::union::entered_scopes;
use crate::compile::{Compile, Compiler, Place, Placed};
use crate::expressions::{Exprs, selected};
use crate::pipeline::{Deferred, Keep, Operator, Pipeline, Upstream, add};
use crate::rows::batch_bytes;
use crate::run::{Charge, Run};
pub(crate) use pulled::RepeatPulled;

/// A test between rounds, over the carried columns and the counter.
pub(crate) struct Test {
    pub(crate) holds: Exprs,
    pub(crate) place: RoundPlace,
}

/// The columns, tests and number of the rounds.
pub(crate) struct Rounds {
    /// The slots that the carried columns start from.
    pub(crate) start: Keep,
    /// The slots of the body's end that they go on with.
    pub(crate) next: Keep,
    /// Whether the counter is behind them.
    pub(crate) counter: bool,
    pub(crate) until: Option<Test>,
    pub(crate) emit: Option<Test>,
    pub(crate) times: Option<u64>,
    /// Whether all rounds run before the first row goes on.
    pub(crate) to_the_end: bool,
}

pub(crate) struct Repeat {
    body: Pipeline,
    rounds: Rounds,
    /// Which carried columns are read later.
    keep: Keep,
    /// Rows that go on, with the carried columns only.
    left: Vec<Batch>,
    /// Rounds that were run; `None`: the input was not read yet.
    done: Option<u64>,
    scoped: bool,
    emitted: VecDeque<Batch>,
    deferred: Deferred,
    charge: Charge,
}

impl Repeat {
    pub(crate) fn new(body: Pipeline, rounds: Rounds, keep: Keep) -> Repeat {
        Repeat {
            body,
            rounds,
            keep,
            left: Vec::new(),
            done: None,
            scoped: false,
            emitted: VecDeque::new(),
            deferred: Deferred::default(),
            charge: Charge::default(),
        }
    }

    fn start(&mut self, input: &mut Upstream<'_>, run: &Run<'_>) -> Result<()> {
        self.scoped = 1 < input.scopes().bound();
        while let Some(batch) = input.next(run)? {
            self.charge.hold(&batch, run)?;
            self.left.push(self.rounds.start.same(batch));
        }
        self.done = Some(0);
        if self.rounds.times == Some(0) {
            let left = std::mem::take(&mut self.left);
            self.emitted.extend(left.into_iter().map(|batch| self.keep.same(batch)));
            return Ok(());
        }
        self.ask(RoundPlace::Before, 0, run)
    }

    /// One round, the tests behind it and those before the next.
    fn round(&mut self, done: u64, run: &Run<'_>) -> Result<()> {
        run.context.check()?;
        let left = std::mem::take(&mut self.left);
        let scopes = entered_scopes(&left, self.scoped);
        let left: Vec<Batch> = left.into_iter().map(|batch| self.counted(batch, done)).collect();
        if done == 0 {
            self.body.begin(left, scopes, run);
        } else {
            self.body.begin_round(left, scopes, run);
        }
        let mut bytes = 0;
        while let Some(batch) = self.body.next(run)? {
            let batch = self.rounds.next.same(batch);
            bytes += batch_bytes(&batch);
            self.charge.set(bytes, run)?;
            self.left.push(batch);
        }
        self.done = Some(done + 1);
        self.ask(RoundPlace::After, done + 1, run)?;
        if !self.left.is_empty() {
            self.ask(RoundPlace::Before, done + 1, run)?;
        }
        Ok(())
    }

    /// Emits the rows that leave or are chosen at a place, and keeps those that go on.
    fn ask(&mut self, place: RoundPlace, done: u64, run: &Run<'_>) -> Result<()> {
        let at_place = |test: &&Test| test.place == place;
        let is_last = place == RoundPlace::After && self.rounds.times == Some(done);
        let until = self.rounds.until.as_ref().filter(at_place);
        let emit = self.rounds.emit.as_ref().filter(at_place);
        if until.is_none() && emit.is_none() && !is_last {
            return Ok(());
        }
        let mut deferred = std::mem::take(&mut self.deferred);
        let mut left = Vec::new();
        for batch in std::mem::take(&mut self.left) {
            let counted = self.counted(batch.clone(), done);
            let (batch, split) = deferred.evaluate(counted, |batch| match is_last {
                true => Ok(Split { emitted: all(batch), going_on: Vec::new() }),
                false => split(batch, until, emit, run),
            })?;
            self.emitted.push_back(self.keep.take(&batch, &split.emitted));
            left.push(self.carried().take(&batch, &split.going_on));
            if deferred.is_waiting() {
                break;
            }
        }
        left.retain(|batch| 0 < batch.len);
        self.emitted.retain(|batch| 0 < batch.len);
        (self.left, self.deferred) = (left, deferred);
        Ok(())
    }

    /// The rows with the counter.
    pub(super) fn counted(&self, mut batch: Batch, done: u64) -> Batch {
        if self.rounds.counter {
            let rounds = vec![i64::try_from(done).unwrap_or(i64::MAX); batch.len];
            add(&mut batch, Column::of(ColumnValues::I64(rounds)));
        }
        batch
    }

    /// The carried columns, without the counter behind them.
    fn carried(&self) -> Keep {
        Keep((0..self.rounds.next.0.len()).collect())
    }
}

/// Rows that leave or are emitted, and rows that go on; a row chosen by `emit` is both.
struct Split {
    emitted: Vec<u32>,
    going_on: Vec<u32>,
}

fn all(batch: &Batch) -> Vec<u32> {
    (0..batch.len as u32).collect()
}

/// A row that leaves is not tested for `emit`.
fn split(batch: &Batch, until: Option<&Test>, emit: Option<&Test>, run: &Run<'_>) -> Result<Split> {
    let chosen = |test: Option<&Test>, batch: &Batch| match test {
        Some(test) => selected(&test.holds.evaluate_one(batch, run)?, batch.len),
        None => Ok(Vec::new()),
    };
    let leaving = chosen(until, batch)?;
    let mut gone = leaving.iter().peekable();
    let going_on: Vec<u32> =
        all(batch).into_iter().filter(|row| gone.next_if_eq(&row).is_none()).collect();
    let emitted = chosen(emit, &batch.take(&going_on))?;
    let emitted = emitted.into_iter().map(|place| going_on[place as usize]);
    let mut emitted: Vec<u32> = leaving.into_iter().chain(emitted).collect();
    emitted.sort_unstable();
    Ok(Split { emitted, going_on })
}

impl Operator for Repeat {
    fn begin(&mut self, run: &Run<'_>) {
        self.left.clear();
        self.done = None;
        self.emitted.clear();
        self.deferred.begin();
        self.charge.release(run);
    }

    fn next(&mut self, input: &mut Upstream<'_>, run: &Run<'_>) -> Result<Option<Batch>> {
        loop {
            if !self.rounds.to_the_end
                && let Some(batch) = self.emitted.pop_front()
            {
                return Ok(Some(batch));
            }
            self.deferred.raise()?;
            match self.done {
                None => self.start(input, run)?,
                Some(done) if !self.left.is_empty() => self.round(done, run)?,
                Some(_) => return Ok(self.emitted.pop_front()),
            }
        }
    }

    fn inner(&self) -> Vec<&Pipeline> {
        vec![&self.body]
    }
}

impl Compile for op::Repeat {
    fn compile(&self, compiler: &Compiler<'_>, place: &Place<'_>) -> Result<Placed> {
        let (layout, live, inside) = (place.layout, place.live, place.inside);
        let (operator, layout) = compiler.rounds(self, layout, live, inside, place.to_the_end)?;
        if may_stop_in_a_round(self, place) {
            return Ok((Box::new(RepeatPulled::new(operator)), layout));
        }
        Ok((Box::new(operator), layout))
    }
}

/// Whether a limit behind the rounds may end them in the middle of one: then they run piece by piece.
fn may_stop_in_a_round(repeat: &op::Repeat, place: &Place<'_>) -> bool {
    let limits = |op: &Op| matches!(op, Op::Range(op::Range { to: Some(_), .. }));
    let is_limited = place.one_is_enough || place.behind.iter().any(limits);
    let has_effect = place.to_the_end || place.behind.iter().any(|op| op.has_effect());
    is_limited && !has_effect && repeat.times != Some(0) && repeat.body.goes_in_pieces()
}
