//! Events of an open folder for its operator, given to a watcher.
//!
//! An event is delivered on the thread that caused it, the log's thread among them, so a
//! [`Watcher`] must not block. Without a watcher nothing is noted, and no clock is read.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use millrace_model::{Error, ErrorKind};
use parking_lot::Mutex;

use crate::io::FileName;

/// From here on a write of the log, with its sync, is an event.
const SLOW_SYNC: Duration = Duration::from_millis(250);

/// How seldom a slow one is.
const SLOW_SYNC_EVERY: Duration = Duration::from_secs(10);

/// Damaged places that are remembered, so that each is one event.
const DAMAGED_MAX: usize = 1_024;

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// The process that had the folder before ended without closing it.
    UncleanEnd {
        /// Its description of itself in the lock.
        holder: String,
    },
    /// The newest manifest is damaged, and the one before it was opened.
    ManifestFallback {
        /// The one that was opened.
        used: FileName,
        /// The damage of the newer one.
        damage: String,
    },
    /// The folder is open.
    Recovered {
        /// Records of the log that were applied.
        replayed: u64,
        /// The last commit.
        position: u64,
        /// Bytes of the log.
        log_bytes: u64,
        /// How long opening took.
        took: Duration,
    },
    /// A checkpoint is done.
    Checkpoint {
        /// Everything up to this position is in segments.
        position: u64,
        /// How long it took.
        took: Duration,
        /// Bytes of segments written meanwhile.
        written_bytes: u64,
        /// Bytes of the log that are left.
        log_bytes: u64,
    },
    /// Writing the log and syncing it took long.
    SlowSync {
        /// How long.
        took: Duration,
        /// Slow ones since the last event of this kind.
        others: u64,
    },
    /// Writes are refused from now on.
    ReadOnly {
        /// The reason, and the remedy.
        why: String,
    },
    /// Writes are accepted again.
    ReadWrite {
        /// How long they were refused.
        after: Duration,
    },
    /// Stored bytes do not match their checksum.
    Damage {
        /// The place and the fault.
        error: String,
    },
    /// Work in the background failed.
    BackgroundFailed {
        /// The task that failed.
        task: &'static str,
        /// Why.
        error: String,
    },
}

/// Takes events.
pub trait Watcher: Send + Sync {
    /// Takes one. Must not wait.
    fn note(&self, event: Event);
}

/// The watcher of one folder, and the state that decides on its events.
#[derive(Default)]
pub(crate) struct Watch {
    watcher: OnceLock<Arc<dyn Watcher>>,
    damaged: Mutex<BTreeSet<String>>,
    /// Why each task failed the last time.
    failing: Mutex<BTreeMap<&'static str, String>>,
    /// Since when writes are refused, in nanoseconds of the machine's clock.
    refused_since: Mutex<Option<u64>>,
    slow_syncs: Mutex<SlowSyncs>,
}

#[derive(Default)]
struct SlowSyncs {
    last_ns: Option<u64>,
    others: u64,
}

impl fmt::Debug for Watch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Watch").field("is_on", &self.is_on()).finish_non_exhaustive()
    }
}

impl Watch {
    /// From now on events go there. The first one stays.
    pub(crate) fn begin(&self, watcher: Arc<dyn Watcher>) {
        let _first = self.watcher.set(watcher);
    }

    /// Whether there is a watcher.
    pub(crate) fn is_on(&self) -> bool {
        self.watcher.get().is_some()
    }

    /// Gives an event on.
    pub(crate) fn note(&self, event: Event) {
        if let Some(watcher) = self.watcher.get() {
            watcher.note(event);
        }
    }

    /// Notes stored bytes that are wrong: each place once.
    pub(crate) fn note_damage(&self, error: &dyn fmt::Display) {
        if !self.is_on() {
            return;
        }
        let error = error.to_string();
        let mut damaged = self.damaged.lock();
        if damaged.len() < DAMAGED_MAX && damaged.insert(error.clone()) {
            drop(damaged);
            self.note(Event::Damage { error });
        }
    }

    /// Notes the outcome of a task: a failure when it is another one than the last time.
    pub(crate) fn note_task<T, E: fmt::Display>(&self, task: &'static str, outcome: &Result<T, E>) {
        if !self.is_on() {
            return;
        }
        let mut failing = self.failing.lock();
        let Err(error) = outcome else {
            failing.remove(task);
            return;
        };
        let error = error.to_string();
        if failing.insert(task, error.clone()).as_ref() != Some(&error) {
            drop(failing);
            self.note(Event::BackgroundFailed { task, error });
        }
    }

    /// Notes whether writes are refused now: an event when that changes.
    pub(crate) fn note_refusal(&self, refusal: Option<Error>, now_ns: u64) {
        // A folder that is closing refuses writes, too.
        let refusal = refusal.filter(|refusal| refusal.kind != ErrorKind::Unavailable);
        let mut since = self.refused_since.lock();
        match (refusal, *since) {
            (Some(refusal), None) => {
                *since = Some(now_ns);
                drop(since);
                self.note(Event::ReadOnly { why: refusal.to_string() });
            }
            (None, Some(began_ns)) => {
                *since = None;
                drop(since);
                let after = Duration::from_nanos(now_ns.saturating_sub(began_ns));
                self.note(Event::ReadWrite { after });
            }
            (Some(_), Some(_)) | (None, None) => {}
        }
    }

    /// Notes how long a write of the log took, with its sync.
    pub(crate) fn note_sync(&self, took_ns: u64, now_ns: u64) {
        let took = Duration::from_nanos(took_ns);
        if took < SLOW_SYNC || !self.is_on() {
            return;
        }
        let mut slow = self.slow_syncs.lock();
        let is_soon = |last: u64| Duration::from_nanos(now_ns - last.min(now_ns)) < SLOW_SYNC_EVERY;
        if slow.last_ns.is_some_and(is_soon) {
            slow.others += 1;
            return;
        }
        slow.last_ns = Some(now_ns);
        let others = std::mem::take(&mut slow.others);
        drop(slow);
        self.note(Event::SlowSync { took, others });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Default)]
    struct Events(Mutex<Vec<Event>>);

    impl Watcher for Events {
        fn note(&self, event: Event) {
            self.0.lock().push(event);
        }
    }

    fn watched() -> (Watch, Arc<Events>) {
        let (watch, events) = (Watch::default(), Arc::new(Events::default()));
        watch.begin(Arc::clone(&events) as Arc<dyn Watcher>);
        (watch, events)
    }

    #[test]
    fn a_slow_sync_is_an_event_and_the_next_ones_are_counted_for_a_while() {
        let (watch, events) = watched();
        let (slow, every) = (SLOW_SYNC.as_nanos() as u64, SLOW_SYNC_EVERY.as_nanos() as u64);
        watch.note_sync(slow - 1, 0);
        [0, 1, every - 1, every].into_iter().for_each(|now| watch.note_sync(slow, now));
        let event = |others| Event::SlowSync { took: SLOW_SYNC, others };
        assert_eq!(*events.0.lock(), [event(0), event(2)]);
    }

    #[test]
    fn refusing_writes_is_an_event_when_it_begins_and_when_it_ends() {
        let (watch, events) = watched();
        let refusal = |kind| Some(Error::new(kind, "the disk is nearly full"));
        watch.note_refusal(None, 0);
        watch.note_refusal(refusal(ErrorKind::Unavailable), 1);
        watch.note_refusal(refusal(ErrorKind::ReadOnly), 10);
        watch.note_refusal(refusal(ErrorKind::ReadOnly), 15);
        watch.note_refusal(None, 30);
        watch.note_refusal(None, 40);
        let why = "the disk is nearly full".to_owned();
        let after = Duration::from_nanos(20);
        assert_eq!(*events.0.lock(), [Event::ReadOnly { why }, Event::ReadWrite { after }]);
    }

    #[test]
    fn a_task_that_fails_again_for_the_same_reason_is_one_event() {
        let (watch, events) = watched();
        let outcomes = [Err("full"), Err("full"), Err("gone"), Ok(()), Err("gone")];
        outcomes.iter().for_each(|outcome| watch.note_task("checkpoint", outcome));
        let errors: Vec<String> =
            events.0.lock().iter().map(|event| format!("{event:?}")).collect();
        assert_eq!(errors.len(), 3, "{errors:?}");
    }

    #[test]
    fn a_damaged_place_is_one_event_however_often_it_is_read() {
        let (watch, events) = watched();
        ["seg-1 at 0", "seg-1 at 0", "seg-1 at 8"]
            .iter()
            .for_each(|place| watch.note_damage(place));
        assert_eq!(events.0.lock().len(), 2);
    }
}
