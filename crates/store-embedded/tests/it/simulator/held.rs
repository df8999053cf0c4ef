//! Work that is held up between two operations of the disk, while other things happen.

use std::sync::Arc;

use millrace_model::{Position, Result};
use millrace_store::Ticket;
use millrace_store_embedded::Step;
use millrace_store_embedded::io::sim::Aside;
use millrace_testkit::Rng;

use super::attempt::Attempt;
use super::gap::gap_of;
use super::life::{End, Life, Lived, wrong};
use super::race::Kind;

/// How often work is let on before it is clear that it never ends.
const ROUNDS_MAX: usize = 1_000;

/// Operations that no work needs as many of.
const TO_THE_END: u64 = 1 << 40;

/// How much work is held up at once, besides what waits for it.
const HELD_MAX: usize = 2;

/// What held-up work came to.
pub(super) enum Answer {
    Checkpoint(Result<()>),
    Commit(Result<Ticket>),
    Load(Result<Position>),
}

/// Work that is held up.
pub(super) struct Held {
    aside: Aside<Answer>,
    /// What it is to commit, unless it is a checkpoint.
    pub(super) attempt: Option<Attempt>,
}

impl Held {
    /// The kind of work it is.
    pub(super) fn kind(&self) -> Option<Kind> {
        self.attempt.as_ref().map_or(Some(Kind::Checkpoint), |attempt| attempt.kind)
    }
}

impl Life {
    /// Does work that other work may have to wait for: at once or, if that may be, in pieces.
    pub(super) fn do_aside(
        &mut self,
        rng: &mut Rng,
        attempt: Option<Attempt>,
        work: impl FnOnce() -> Answer + Send + 'static,
    ) -> Lived<()> {
        let may_pause = rng.chance(0.5) && self.open().held.len() < HELD_MAX;
        if !may_pause && self.open().held.is_empty() {
            self.disk.begin_trace();
            let answer = work();
            return self.settle(attempt, answer);
        }
        let held = Held { aside: Aside::new(work), attempt };
        let operations = if may_pause { rng.below(12) } else { TO_THE_END };
        self.let_on(held, operations)
    }

    /// Lets held-up work on for some operations.
    pub(super) fn let_on(&mut self, mut held: Held, operations: u64) -> Lived<()> {
        match held.aside.go_on(operations) {
            Some(answer) => self.settle(held.attempt, answer),
            None => {
                let what = held.attempt.as_ref().map_or("checkpoint", |attempt| attempt.what);
                self.tell(format_args!("  {what} is held up"));
                self.coverage.note("work held up between two operations of the disk");
                self.open().held.push(held);
                Ok(())
            }
        }
    }

    /// Lets all held-up work on to its end, as often as one waits for another.
    pub(super) fn let_all_on(&mut self) -> Lived<()> {
        let mut outcome = Ok(());
        let mut rounds = 0;
        while let Some(open) = &mut self.open
            && !open.held.is_empty()
        {
            rounds += 1;
            if ROUNDS_MAX < rounds {
                // Never to be ended, so the threads stay; the test is over anyway.
                return wrong("work that is held up waits for other work, which waits for it");
            }
            let held = open.held.remove(0);
            let ended = self.let_on(held, TO_THE_END);
            // A wrong result is reported, whatever else ended the life.
            outcome = match (outcome, ended) {
                (Err(End::Wrong(told)), _) | (_, Err(End::Wrong(told))) => Err(End::Wrong(told)),
                (Err(End::Crash), _) | (_, Err(End::Crash)) => Err(End::Crash),
                (Ok(()), Ok(())) => Ok(()),
            };
        }
        outcome
    }

    fn settle(&mut self, attempt: Option<Attempt>, answer: Answer) -> Lived<()> {
        match (attempt, answer) {
            (Some(attempt), Answer::Commit(outcome)) => {
                self.settle_commit(attempt, outcome.map(|ticket| ticket.position.0))
            }
            (Some(attempt), Answer::Load(outcome)) => {
                self.settle_load(attempt, outcome.map(|position| position.0))
            }
            (_, Answer::Checkpoint(outcome)) => self.settle_checkpoint(outcome),
            (None, Answer::Commit(_) | Answer::Load(_)) => {
                unreachable!("what is committed was attempted")
            }
        }
    }

    fn settle_checkpoint(&mut self, outcome: Result<()>) -> Lived<()> {
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
        let attempts: Vec<Kind> = self.open().held.iter().filter_map(Held::kind).collect();
        attempts.into_iter().for_each(|kind| self.coverage.races.note(kind, Kind::Checkpoint));
        let loads = self.open().loads.len();
        (0..loads).for_each(|_| self.coverage.races.note(Kind::BulkLoad, Kind::Checkpoint));
        let backend = Arc::clone(&self.open().backend);
        let disk = self.disk.clone();
        self.do_aside(rng, None, move || {
            disk.begin_trace();
            Answer::Checkpoint(backend.step(Step::Checkpoint).map(|_| ()))
        })
    }
}
