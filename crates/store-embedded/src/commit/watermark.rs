//! How far commits are durable, applied and visible, and the waits for it.
//!
//! `visible = min(durable, applied)`; on an `async` folder, `applied`. One wake-up serves all
//! waiters: a wake-up for each commit would cost more than the commit. After a failed sync
//! `durable` never moves again, so on a `sync` folder neither does `visible`, and reads go on
//! there.

use std::sync::Arc;
use std::time::{Duration, Instant};

use millrace_model::{Error, ErrorKind, LogPosition, Phase, Result};

use crate::base::options::Durability;
use crate::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering, fence};
use crate::sync::{Condvar, Mutex, OnceLock};

/// Does the work that a waiter waits for.
pub(crate) trait Pump: Send + Sync {
    /// Whether there are threads that do it, too.
    fn has_threads(&self) -> bool;

    /// One round of the log and the applier; says whether there was something to do. An error
    /// ends the wait.
    fn pump(&self) -> Result<bool>;

    /// Applies waiting commits, if no other thread does.
    fn help(&self);
}

/// The three positions, and the waits for them.
pub(crate) struct Progress {
    durability: Durability,
    durable: AtomicU64,
    applied: AtomicU64,
    visible: AtomicU64,
    stopped: AtomicBool,
    failure: OnceLock<String>,
    /// How many wait, and the lowest position that one of them waits for to be visible; 0 if one
    /// waits for something else.
    waiter_count: AtomicUsize,
    lowest_wanted: AtomicU64,
    lock: Mutex<()>,
    moved: Condvar,
    pump: OnceLock<std::sync::Weak<dyn Pump>>,
}

impl Progress {
    /// Everything up to `position` is durable and applied.
    pub(crate) fn new(durability: Durability, position: u64) -> Self {
        Self {
            durability,
            durable: AtomicU64::new(position),
            applied: AtomicU64::new(position),
            visible: AtomicU64::new(position),
            stopped: AtomicBool::new(false),
            failure: OnceLock::new(),
            waiter_count: AtomicUsize::new(0),
            lowest_wanted: AtomicU64::new(u64::MAX),
            lock: Mutex::new(()),
            moved: Condvar::new(),
            pump: OnceLock::new(),
        }
    }

    /// From now on a waiter does steps: all of them where there are no threads; else it applies the
    /// commits that it waits for, which spares waking the applier; it would sleep itself.
    pub(crate) fn set_pump(&self, pump: std::sync::Weak<dyn Pump>) {
        assert!(self.pump.set(pump).is_ok(), "a pump is set once, at open");
    }

    /// Whether no reader sees a commit before it is on disk.
    pub(crate) fn waits_for_disk(&self) -> bool {
        self.durability == Durability::Sync
    }

    /// Commits up to here are on disk, whatever happens.
    pub(crate) fn durable(&self) -> u64 {
        self.durable.load(Ordering::Acquire)
    }

    /// Commits up to here are in every partition and index they modify.
    pub(crate) fn applied(&self) -> u64 {
        self.applied.load(Ordering::Acquire)
    }

    /// Commits up to here are seen by new snapshots.
    pub(crate) fn visible(&self) -> u64 {
        self.visible.load(Ordering::Acquire)
    }

    /// Says that the log is on disk up to `position`.
    pub(crate) fn publish_durable(&self, position: u64) {
        self.durable.fetch_max(position, Ordering::AcqRel);
        self.publish_visible();
    }

    /// Says that every commit up to `position` is applied.
    pub(crate) fn publish_applied(&self, position: u64) {
        self.applied.fetch_max(position, Ordering::AcqRel);
        self.publish_visible();
    }

    /// Nothing after `durable` will ever be known to be on disk: every wait for it fails.
    pub(crate) fn fail(&self, why: &Error) {
        let _ = self.failure.set(why.to_string());
        self.wake();
    }

    /// The store is closing; commits not visible by now will not be.
    pub(crate) fn stop(&self) {
        self.stopped.store(true, Ordering::Release);
        self.wake();
    }

    /// Why the log ended, if it did.
    pub(crate) fn failure(&self) -> Option<&str> {
        self.failure.get().map(String::as_str)
    }

    /// Blocks until `position` is visible.
    pub(crate) fn wait_visible(&self, position: u64, deadline: Option<Instant>) -> Result<()> {
        self.wait_until(position, deadline, || self.visible() >= position)
    }

    /// Blocks until `position` is on disk.
    pub(crate) fn wait_durable(&self, position: u64) -> Result<()> {
        self.wait(None, || self.durable() >= position)
    }

    /// Blocks until `done`, which is asked again after every move.
    pub(crate) fn wait(&self, deadline: Option<Instant>, done: impl Fn() -> bool) -> Result<()> {
        self.wait_until(0, deadline, done)
    }

    fn wait_until(
        &self,
        wanted: u64,
        deadline: Option<Instant>,
        done: impl Fn() -> bool,
    ) -> Result<()> {
        if done() {
            return Ok(());
        }
        if let Some(pump) = self.pump.get() {
            let pump = pump.upgrade().ok_or_else(closed)?;
            if !pump.has_threads() {
                if self.pump_until(&*pump, &done)? {
                    return Ok(());
                }
                if deadline.is_none() {
                    return Err(outcome_unknown(
                        "there is no room, and nobody else will make some",
                    ));
                }
            } else if self.applied() < wanted && deadline.is_none() {
                pump.help();
            }
        }
        self.waiter_count.fetch_add(1, Ordering::SeqCst);
        let outcome = self.wait_parked(wanted, deadline, done);
        self.waiter_count.fetch_sub(1, Ordering::SeqCst);
        outcome
    }

    fn wait_parked(
        &self,
        wanted: u64,
        deadline: Option<Instant>,
        done: impl Fn() -> bool,
    ) -> Result<()> {
        let mut guard = self.lock.lock();
        loop {
            // Said before it asks, so that a thread that publishes after the question sees it.
            self.lowest_wanted.fetch_min(wanted, Ordering::SeqCst);
            fence(Ordering::SeqCst);
            if done() {
                return Ok(());
            }
            self.check_going_on()?;
            match deadline {
                None => self.moved.wait(&mut guard),
                Some(deadline) => {
                    let rest = deadline.saturating_duration_since(Instant::now());
                    if rest == Duration::ZERO {
                        return Err(too_late());
                    }
                    self.moved.wait_for(&mut guard, rest);
                }
            }
        }
    }

    /// Does steps until `done`; `false` if there is nothing left to do before.
    fn pump_until(&self, pump: &dyn Pump, done: impl Fn() -> bool) -> Result<bool> {
        while !done() {
            self.check_going_on()?;
            let worked = pump.pump().map_err(|error| outcome_unknown(&error.detail))?;
            // Another thread may have done it meanwhile.
            if !worked && !done() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn check_going_on(&self) -> Result<()> {
        if let Some(why) = self.failure() {
            return Err(outcome_unknown(why));
        }
        if self.stopped.load(Ordering::Acquire) { Err(closed()) } else { Ok(()) }
    }

    fn publish_visible(&self) {
        // Each of log and applier has said its own and asks for the other's: one of them sees both.
        fence(Ordering::SeqCst);
        let applied = self.applied();
        let visible = match self.durability {
            Durability::Sync => applied.min(self.durable()),
            Durability::Async => applied,
        };
        self.visible.fetch_max(visible, Ordering::AcqRel);
        // Pairs with the fence of a waiter before it asks again.
        fence(Ordering::SeqCst);
        let is_waited_for = self.waiter_count.load(Ordering::SeqCst) != 0;
        if is_waited_for && self.lowest_wanted.load(Ordering::SeqCst) <= self.visible() {
            self.wake();
        }
    }

    fn wake(&self) {
        let guard = self.lock.lock();
        // A waiter that is woken too early sets its position again.
        self.lowest_wanted.store(u64::MAX, Ordering::SeqCst);
        drop(guard);
        self.moved.notify_all();
    }
}

impl millrace_store::Watermark for Progress {
    fn visible(&self) -> LogPosition {
        LogPosition(Progress::visible(self))
    }

    fn wait(&self, position: LogPosition, deadline: Option<Instant>) -> Result<()> {
        self.wait_visible(position.0, deadline)
    }
}

/// The same, as a ticket holds it.
pub(crate) fn as_watermark(progress: &Arc<Progress>) -> Arc<dyn millrace_store::Watermark> {
    Arc::clone(progress) as Arc<dyn millrace_store::Watermark>
}

fn outcome_unknown(why: &str) -> Error {
    let detail = format!("it is unknown whether the commit is on disk: {why}");
    Error::new(ErrorKind::OutcomeUnknown, detail)
        .with_help(
            "open the data folder again, look for the commit, and run it again if it is missing",
        )
        .in_phase(Phase::Commit)
}

fn closed() -> Error {
    Error::new(ErrorKind::Unavailable, "the data folder is closed").in_phase(Phase::Commit)
}

fn too_late() -> Error {
    let detail = "the deadline passed while the commit was on its way; the commit continues";
    Error::new(ErrorKind::DeadlineExceeded, detail).in_phase(Phase::Commit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn visible_is_the_lesser_of_durable_and_applied() {
        let progress = Progress::new(Durability::Sync, 3);
        progress.publish_durable(7);
        assert_eq!(progress.visible(), 3);
        progress.publish_applied(5);
        assert_eq!(progress.visible(), 5);
        progress.publish_applied(9);
        assert_eq!(progress.visible(), 7);
        let progress = Progress::new(Durability::Async, 3);
        progress.publish_applied(9);
        assert_eq!((progress.visible(), progress.durable()), (9, 3));
    }

    #[test]
    fn one_move_wakes_every_waiter() {
        let progress = Arc::new(Progress::new(Durability::Sync, 0));
        let waiters: Vec<_> = (1..=8)
            .map(|position| {
                let progress = Arc::clone(&progress);
                std::thread::spawn(move || progress.wait_visible(position, None))
            })
            .collect();
        progress.publish_applied(8);
        progress.publish_durable(8);
        waiters.into_iter().for_each(|waiter| waiter.join().unwrap().unwrap());
    }

    #[test]
    fn after_a_failure_only_what_is_not_durable_is_unknown() {
        let progress = Progress::new(Durability::Sync, 0);
        progress.publish_applied(5);
        progress.publish_durable(3);
        progress.fail(&Error::new(ErrorKind::Io, "the sync failed"));
        progress.wait_visible(3, None).unwrap();
        let error = progress.wait_visible(4, None).unwrap_err();
        assert_eq!(error.kind, ErrorKind::OutcomeUnknown);
        assert!(error.detail.contains("the sync failed"));
    }

    #[test]
    fn a_deadline_ends_the_wait_and_not_the_commit() {
        let progress = Progress::new(Durability::Sync, 0);
        let error = progress.wait_visible(1, Some(Instant::now())).unwrap_err();
        assert_eq!(error.kind, ErrorKind::DeadlineExceeded);
    }
}
