//! Work that is suspended between two operations of the disk, while other things happen.

use std::sync::Arc;

use millrace_model::{LogPosition, Result};
use millrace_store::Ticket;
use millrace_store_embedded::Step;
use millrace_store_embedded::io::sim::Coroutine;
use millrace_testkit::Rng;

use super::attempt::Attempt;
use super::gap::gap_of;
use super::life::{End, Life, Lived, wrong};
use super::overlap::Kind;

/// How often work is resumed before it is clear that it never ends.
const ROUNDS_MAX: usize = 1_000;

/// Operations that no work needs as many of.
const TO_THE_END: u64 = 1 << 40;

/// The most work that is suspended at once, besides the work that waits for it.
const SUSPENDED_MAX: usize = 2;

/// The outcome of suspended work.
pub(super) enum Answer {
    Checkpoint(Result<()>),
    Commit(Result<Ticket>),
    Load(Result<LogPosition>),
}

/// Work that is suspended.
pub(super) struct Suspended {
    coroutine: Coroutine<Answer>,
    /// The attempt that it commits, unless it is a checkpoint.
    pub(super) attempt: Option<Attempt>,
}

impl Suspended {
    /// The kind of work it is.
    pub(super) fn kind(&self) -> Option<Kind> {
        self.attempt.as_ref().map_or(Some(Kind::Checkpoint), |attempt| attempt.kind)
    }
}

impl Life {
    /// Does work that other work may have to wait for: at once or, if that may be, in pieces.
    pub(super) fn run_suspendable(
        &mut self,
        rng: &mut Rng,
        attempt: Option<Attempt>,
        work: impl FnOnce() -> Answer + Send + 'static,
    ) -> Lived<()> {
        let may_pause = rng.chance(0.5) && self.open().suspended.len() < SUSPENDED_MAX;
        if !may_pause && self.open().suspended.is_empty() {
            self.disk.begin_trace();
            let answer = work();
            return self.judge_answer(attempt, answer);
        }
        let suspended = Suspended { coroutine: Coroutine::new(work), attempt };
        let operations = if may_pause { rng.below(12) } else { TO_THE_END };
        self.resume(suspended, operations)
    }

    /// Resumes suspended work for some operations.
    pub(super) fn resume(&mut self, mut suspended: Suspended, operations: u64) -> Lived<()> {
        match suspended.coroutine.resume(operations) {
            Some(answer) => self.judge_answer(suspended.attempt, answer),
            None => {
                let what = suspended.attempt.as_ref().map_or("checkpoint", |attempt| attempt.what);
                self.tell(format_args!("  {what} is suspended"));
                self.coverage.note("work suspended between two operations of the disk");
                self.open().suspended.push(suspended);
                Ok(())
            }
        }
    }

    /// Resumes all suspended work to its end, as often as one waits for another.
    pub(super) fn resume_all(&mut self) -> Lived<()> {
        let mut outcome = Ok(());
        let mut rounds = 0;
        while let Some(open) = &mut self.open
            && !open.suspended.is_empty()
        {
            rounds += 1;
            if ROUNDS_MAX < rounds {
                // Never to be ended, so the threads stay; the test is over anyway.
                return wrong("work that is suspended waits for other work, which waits for it");
            }
            let suspended = open.suspended.remove(0);
            let ended = self.resume(suspended, TO_THE_END);
            // A wrong result is reported, whatever else ended the life.
            outcome = match (outcome, ended) {
                (Err(End::Wrong(message)), _) | (_, Err(End::Wrong(message))) => {
                    Err(End::Wrong(message))
                }
                (Err(End::Crash), _) | (_, Err(End::Crash)) => Err(End::Crash),
                (Ok(()), Ok(())) => Ok(()),
            };
        }
        outcome
    }

    fn judge_answer(&mut self, attempt: Option<Attempt>, answer: Answer) -> Lived<()> {
        match (attempt, answer) {
            (Some(attempt), Answer::Commit(outcome)) => {
                self.judge_commit(attempt, outcome.map(|ticket| ticket.position.0))
            }
            (Some(attempt), Answer::Load(outcome)) => {
                self.judge_load(attempt, outcome.map(|position| position.0))
            }
            (_, Answer::Checkpoint(outcome)) => self.judge_checkpoint(outcome),
            (None, Answer::Commit(_) | Answer::Load(_)) => {
                unreachable!("what is committed was attempted")
            }
        }
    }

    fn judge_checkpoint(&mut self, outcome: Result<()>) -> Lived<()> {
        if let Some(gap) = self.disk.take_crash_place().and_then(gap_of) {
            self.coverage.note(gap);
            self.tell(format_args!("  {gap}"));
        }
        match outcome {
            Ok(()) => {
                self.coverage.note("checkpoints");
                self.coverage.note_many("external ids at a checkpoint", self.count_external());
                let visible = self.promised;
                self.open().checkpointed = Some(visible);
                Ok(())
            }
            Err(error) => self.bear(&error),
        }
    }

    /// Begins a checkpoint.
    pub(super) fn checkpoint(&mut self, rng: &mut Rng) -> Lived<()> {
        self.tell("checkpoint");
        let attempts: Vec<Kind> =
            self.open().suspended.iter().filter_map(Suspended::kind).collect();
        attempts.into_iter().for_each(|kind| self.coverage.overlaps.note(kind, Kind::Checkpoint));
        let loads = self.open().loads.len();
        (0..loads).for_each(|_| self.coverage.overlaps.note(Kind::BulkLoad, Kind::Checkpoint));
        let backend = Arc::clone(&self.open().backend);
        let disk = self.disk.clone();
        self.run_suspendable(rng, None, move || {
            disk.begin_trace();
            Answer::Checkpoint(backend.step(Step::Checkpoint).map(|_| ()))
        })
    }
}
