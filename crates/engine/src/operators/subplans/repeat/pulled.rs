//! `Repeat` for a pull that may stop early: rounds run over pieces of the frontier.
//!
//! ```text
//!   input ──> level 0 ──piece──> body ──> level 1 ──piece──> body ──> … ──> emitted
//! ```
//!
//! The body must treat each row by itself, so that its rows give the same in a piece as in the whole.
//! Without tests between rounds a piece goes through all rounds before the next piece starts: rows leave in
//! the last round only, in the order of the frontier either way. With tests the rounds keep their order and a
//! round stops in its middle. Rows of scopes that have all they want are dropped on the way.

use std::collections::VecDeque;

use millrace_model::{Batch, Result};
use millrace_plan::RoundPlace;

use super::{Repeat, Split, all, split};
use crate::limits::{ROUND_PIECE_ROWS_MAX, ROUND_PIECE_ROWS_OF_SCOPES_MAX};
use crate::operators::subplans::union::entered_scopes;
use crate::pipeline::{Deferred, Operator, Pipeline, Upstream};
use crate::rows::batch_bytes;
use crate::run::Run;

/// A `Repeat` that runs its rounds piece by piece.
pub(crate) struct RepeatPulled {
    repeat: Repeat,
    /// Rows by the rounds they went through; a level's rows are in order.
    levels: Vec<Level>,
    /// The rounds behind the piece that is in the body.
    running: Option<usize>,
    is_begun: bool,
    /// Whether all input was read.
    is_read: bool,
    /// The most rows of the next piece.
    rows_max: usize,
    bytes: u64,
}

/// Rows that went through the same number of rounds.
#[derive(Default)]
struct Level {
    batches: VecDeque<Batch>,
    /// How many rows of the first batch are gone.
    gone: usize,
}

impl Level {
    fn is_empty(&self) -> bool {
        self.batches.is_empty()
    }

    /// The next rows, at most so many; none from an empty level.
    fn piece(&mut self, rows_max: usize) -> Option<Batch> {
        let first = self.batches.front()?;
        let end = first.len.min(self.gone + rows_max);
        let rows: Vec<u32> = (self.gone as u32..end as u32).collect();
        let piece = first.take(&rows);
        self.gone = end;
        if end == first.len {
            self.batches.pop_front();
            self.gone = 0;
        }
        Some(piece)
    }
}

impl RepeatPulled {
    pub(crate) fn new(repeat: Repeat) -> RepeatPulled {
        RepeatPulled {
            repeat,
            levels: Vec::new(),
            running: None,
            is_begun: false,
            is_read: false,
            rows_max: 1,
            bytes: 0,
        }
    }

    /// Whether a piece goes through all rounds at once.
    fn is_deep(&self) -> bool {
        let rounds = &self.repeat.rounds;
        rounds.until.is_none() && rounds.emit.is_none() && rounds.times.is_some()
    }

    /// Reads a batch of the input, or all of it where rounds keep their order.
    fn read(&mut self, input: &mut Upstream<'_>, run: &Run<'_>) -> Result<()> {
        self.repeat.scoped = 1 < input.scopes().bound();
        loop {
            let Some(batch) = input.next(run)? else {
                self.is_read = true;
                break;
            };
            let batch = self.repeat.rounds.start.same(batch);
            self.push(0, batch, run)?;
            if self.is_deep() {
                return Ok(());
            }
        }
        self.ask_before(0, run)
    }

    fn push(&mut self, level: usize, batch: Batch, run: &Run<'_>) -> Result<()> {
        if batch.len == 0 {
            return Ok(());
        }
        if self.levels.len() <= level {
            self.levels.resize_with(level + 1, Level::default);
        }
        self.bytes += batch_bytes(&batch);
        self.levels[level].batches.push_back(batch);
        self.repeat.charge.set(self.bytes, run)
    }

    /// The level that gives the next rows.
    fn next_level(&self) -> Option<usize> {
        let mut filled = (0..self.levels.len()).filter(|level| !self.levels[*level].is_empty());
        if self.is_deep() { filled.next_back() } else { filled.next() }
    }

    /// Puts a piece into the body, but for rows of scopes that have all they want.
    fn enter(&mut self, level: usize, input: &Upstream<'_>, run: &Run<'_>) -> Result<()> {
        run.context.check()?;
        let Some(piece) = self.levels[level].piece(self.rows_max) else { return Ok(()) };
        self.bytes = self.bytes.saturating_sub(batch_bytes(&piece));
        let rows_max = match self.is_deep() && self.repeat.scoped {
            true => ROUND_PIECE_ROWS_OF_SCOPES_MAX,
            false => ROUND_PIECE_ROWS_MAX,
        };
        self.rows_max = self.rows_max.saturating_mul(2).min(rows_max);
        let wanted =
            (0..piece.len as u32).filter(|row| !input.is_full(piece.ordinal(*row as usize)));
        let wanted: Vec<u32> = wanted.collect();
        let piece = if wanted.len() == piece.len { piece } else { piece.take(&wanted) };
        if piece.len == 0 {
            return Ok(());
        }
        let piece = vec![self.repeat.counted(piece, level as u64)];
        let scopes = entered_scopes(&piece, self.repeat.scoped);
        if std::mem::replace(&mut self.is_begun, true) {
            self.repeat.body.begin_round(piece, scopes, run);
        } else {
            self.repeat.body.begin(piece, scopes, run);
        }
        self.running = Some(level);
        Ok(())
    }

    /// The next rows of the body: those that leave are emitted, the others wait for their next round.
    fn step(&mut self, level: usize, run: &Run<'_>) -> Result<()> {
        let Some(batch) = self.repeat.body.next(run)? else {
            self.running = None;
            let is_complete = !self.is_deep() && self.levels[level].is_empty();
            return if is_complete { self.ask_before(level + 1, run) } else { Ok(()) };
        };
        let batch = self.repeat.rounds.next.same(batch);
        let left = self.ask(batch, RoundPlace::After, level + 1, run)?;
        self.push(level + 1, left, run)
    }

    /// Evaluates the tests before a round, for all its rows.
    fn ask_before(&mut self, level: usize, run: &Run<'_>) -> Result<()> {
        let Some(own) = self.levels.get_mut(level) else { return Ok(()) };
        let batches = std::mem::take(&mut own.batches);
        for batch in batches {
            self.bytes = self.bytes.saturating_sub(batch_bytes(&batch));
            let left = self.ask(batch, RoundPlace::Before, level, run)?;
            self.push(level, left, run)?;
            if self.repeat.deferred.is_waiting() {
                break;
            }
        }
        Ok(())
    }

    /// Emits the rows that leave or are chosen at a place, and returns the rows that go on.
    fn ask(
        &mut self,
        batch: Batch,
        place: RoundPlace,
        done: usize,
        run: &Run<'_>,
    ) -> Result<Batch> {
        let rounds = &self.repeat.rounds;
        let at_place = |test: &&super::Test| test.place == place;
        let is_last = place == RoundPlace::After && rounds.times == Some(done as u64);
        let until = rounds.until.as_ref().filter(at_place);
        let emit = rounds.emit.as_ref().filter(at_place);
        if until.is_none() && emit.is_none() && !is_last {
            return Ok(batch);
        }
        let counted = self.repeat.counted(batch, done as u64);
        let mut deferred = std::mem::take(&mut self.repeat.deferred);
        let found = deferred.evaluate(counted, |batch| match is_last {
            true => Ok(Split { emitted: all(batch), going_on: Vec::new() }),
            false => split(batch, until, emit, run),
        });
        self.repeat.deferred = deferred;
        let (batch, split) = found?;
        let emitted = self.repeat.keep.take(&batch, &split.emitted);
        let left = self.repeat.carried().take(&batch, &split.going_on);
        if 0 < emitted.len {
            self.repeat.emitted.push_back(emitted);
        }
        Ok(left)
    }
}

impl Operator for RepeatPulled {
    fn begin(&mut self, run: &Run<'_>) {
        self.repeat.emitted.clear();
        self.repeat.deferred = Deferred::default();
        self.repeat.charge.release(run);
        self.levels.clear();
        (self.running, self.is_begun, self.is_read) = (None, false, false);
        (self.rows_max, self.bytes) = (1, 0);
    }

    fn next(&mut self, input: &mut Upstream<'_>, run: &Run<'_>) -> Result<Option<Batch>> {
        loop {
            if let Some(batch) = self.repeat.emitted.pop_front() {
                return Ok(Some(batch));
            }
            self.repeat.deferred.raise()?;
            match (self.running, self.next_level()) {
                (Some(level), _) => self.step(level, run)?,
                (None, Some(level)) => {
                    self.enter(level, input, run)?;
                    if self.running.is_none() && !self.is_deep() && self.levels[level].is_empty() {
                        self.ask_before(level + 1, run)?;
                    }
                }
                (None, None) if self.is_read => return Ok(None),
                (None, None) => self.read(input, run)?,
            }
        }
    }

    fn inner(&self) -> Vec<&Pipeline> {
        self.repeat.inner()
    }
}
