//! Admission of commits: room on the disk, room in the log, room in memory.
//!
//! Writers are slowed by degrees as a bound comes near, and stalled at it until a checkpoint has
//! made room. A commit that was admitted is never refused later for lack of room. That is why free
//! space is judged here, with a margin, and not where bytes are written.

use millrace_model::{Error, ErrorKind, Phase, Result};

use crate::base::commit_limits::{
    DELAY_FROM_PERCENT, DELAY_MS_MAX, SPACE_CHECK_BYTES, SPACE_RESERVE_BYTES,
};
use crate::sync::Mutex;
use crate::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// The use of each bounded resource, with its bound, in bytes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Usage {
    pub(crate) log_bytes: u64,
    pub(crate) log_bytes_max: u64,
    pub(crate) delta_bytes: u64,
    pub(crate) delta_bytes_max: u64,
    pub(crate) queued_bytes: u64,
    pub(crate) queued_bytes_max: u64,
}

/// The pace at which a committer may go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pace {
    /// Nothing.
    Go,
    /// It waits this long, once.
    Delay(u64),
    /// It waits until there is room.
    Stall,
}

impl Usage {
    /// How fast writers may go.
    pub(crate) fn pace(&self) -> Pace {
        let shares = [
            (self.log_bytes, self.log_bytes_max),
            (self.delta_bytes, self.delta_bytes_max),
            (self.queued_bytes, self.queued_bytes_max),
        ];
        let paces = shares.map(|(used, most)| pace_of(used, most));
        let rank = |pace: &Pace| match pace {
            Pace::Go => 0,
            Pace::Delay(ms) => *ms,
            Pace::Stall => u64::MAX,
        };
        paces.into_iter().max_by_key(rank).expect("there are three")
    }
}

fn pace_of(used: u64, most: u64) -> Pace {
    let from = most / 100 * DELAY_FROM_PERCENT;
    if most <= used {
        Pace::Stall
    } else if used <= from {
        Pace::Go
    } else {
        Pace::Delay((used - from) * DELAY_MS_MAX / (most - from).max(1))
    }
}

/// Whether there is room on the disk, looked at now and then, and how often writers waited.
#[derive(Default)]
pub(crate) struct Admission {
    /// Bytes given to the log when the disk was looked at last.
    looked_at: AtomicU64,
    looks_soon: AtomicBool,
    read_only: AtomicBool,
    /// Why, while it is so.
    refusal: Mutex<Option<Error>>,
    /// Whether the disk is nearly full, and a checkpoint may give back files of the log.
    checkpoint_helps: AtomicBool,
    /// The largest file that a checkpoint would write now.
    pending_bytes: AtomicU64,
    slowed: AtomicU64,
    stalled: AtomicU64,
}

impl Admission {
    /// Refuses if the disk is nearly full. `free` is asked when enough was given to the log since
    /// the last time (`given` counts up), and always while the answer was no: so it recovers by
    /// itself.
    pub(crate) fn check_space(
        &self,
        given: u64,
        log_file_bytes: u64,
        free: impl FnOnce() -> Result<u64>,
    ) -> Result<()> {
        let due = self.looked_at.load(Ordering::Relaxed) + SPACE_CHECK_BYTES <= given
            || self.looks_soon.load(Ordering::Relaxed);
        if !due && !self.is_read_only() {
            return Ok(());
        }
        self.looked_at.store(given, Ordering::Relaxed);
        self.look(log_file_bytes, free)
    }

    /// Looks at the disk now, and refuses if it is nearly full.
    pub(crate) fn look(
        &self,
        log_file_bytes: u64,
        free: impl FnOnce() -> Result<u64>,
    ) -> Result<()> {
        // A commit that asked for this look noted its need before.
        self.looks_soon.swap(false, Ordering::Acquire);
        let needed = self.needed_bytes(log_file_bytes);
        let judged = match free() {
            Ok(free) if free < needed => Err((nearly_full(free, needed), Some(free))),
            Ok(_) => Ok(()),
            Err(error) => Err((unknown_room(&error), None)),
        };
        self.read_only.store(judged.is_err(), Ordering::Relaxed);
        let pending = self.pending_bytes.load(Ordering::Relaxed);
        let fits = |free: Option<u64>| free.is_some_and(|free| pending <= free);
        let helps = judged.as_ref().is_err_and(|(_, free)| fits(*free));
        self.checkpoint_helps.store(helps, Ordering::Relaxed);
        let outcome = judged.map_err(|(refusal, _)| refusal);
        *self.refusal.lock() = outcome.as_ref().err().cloned();
        outcome
    }

    /// The refusal of commits by the last look at the disk, if any. Cheap.
    pub(crate) fn refusal(&self) -> Option<Error> {
        if self.is_read_only() { self.refusal.lock().clone() } else { None }
    }

    /// Looks at the disk at the next commit, however small.
    pub(crate) fn look_soon(&self) {
        self.looks_soon.store(true, Ordering::Release);
    }

    /// Notes the size of the largest file that a checkpoint would write now.
    pub(crate) fn note_pending(&self, bytes: u64) {
        self.pending_bytes.store(bytes, Ordering::Relaxed);
    }

    /// Notes a writer that is slowed.
    pub(crate) fn note_slowed(&self) {
        self.slowed.fetch_add(1, Ordering::Relaxed);
    }

    /// Notes a writer that is stalled.
    pub(crate) fn note_stalled(&self) {
        self.stalled.fetch_add(1, Ordering::Relaxed);
    }

    /// How many writers were slowed, and how many stalled.
    pub(crate) fn waits(&self) -> (u64, u64) {
        (self.slowed.load(Ordering::Relaxed), self.stalled.load(Ordering::Relaxed))
    }

    /// Whether commits are refused for lack of room.
    pub(crate) fn is_read_only(&self) -> bool {
        self.read_only.load(Ordering::Relaxed)
    }

    /// Whether the disk is nearly full, perhaps because of the log, and has room for the largest
    /// file of a checkpoint that would free log files.
    pub(crate) fn checkpoint_helps(&self) -> bool {
        self.checkpoint_helps.load(Ordering::Relaxed)
    }

    fn needed_bytes(&self, log_file_bytes: u64) -> u64 {
        log_file_bytes + self.pending_bytes.load(Ordering::Relaxed) + SPACE_RESERVE_BYTES
    }
}

fn nearly_full(free: u64, needed: u64) -> Error {
    let mib = |bytes: u64| bytes.div_ceil(1 << 20);
    let detail = format!(
        "the disk is nearly full: {} MiB are free and {} MiB are kept for the log and the next \
         checkpoint, so the store takes no writes",
        mib(free),
        mib(needed)
    );
    Error::new(ErrorKind::ReadOnly, detail)
        .with_help("free some space; writing goes on by itself")
        .in_phase(Phase::Commit)
}

/// Where it is unknown whether there is room, none is taken for granted: the folder may be gone.
fn unknown_room(error: &Error) -> Error {
    let detail = format!("{}, so the store takes no writes", error.detail);
    Error::new(ErrorKind::ReadOnly, detail)
        .with_help("put the data folder back in its place; writing goes on by itself")
        .in_phase(Phase::Commit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writers_are_slowed_by_degrees_and_stalled_at_the_bound() {
        let usage = |log_bytes| Usage {
            log_bytes,
            log_bytes_max: 1_000,
            delta_bytes_max: 1_000,
            queued_bytes_max: 1_000,
            ..Usage::default()
        };
        assert_eq!(usage(750).pace(), Pace::Go);
        assert_eq!(usage(875).pace(), Pace::Delay(DELAY_MS_MAX / 2));
        assert_eq!(usage(1_000).pace(), Pace::Stall);
        let busy = Usage { delta_bytes: 2_000, ..usage(0) };
        assert_eq!(busy.pace(), Pace::Stall);
    }

    #[test]
    fn a_nearly_full_disk_refuses_and_recovers_by_itself() {
        let admission = Admission::default();
        let room = SPACE_RESERVE_BYTES * 10;
        admission.check_space(1, 0, || panic!("too soon to look")).unwrap();
        let given = SPACE_CHECK_BYTES;
        let refused = admission.check_space(given, 0, || Ok(10)).unwrap_err();
        assert_eq!(refused.kind, ErrorKind::ReadOnly);
        assert!(refused.detail.contains("nearly full"), "{refused}");
        assert!(admission.check_space(given, 0, || Ok(10)).is_err(), "it looks again at once");
        admission.check_space(given, 0, || Ok(room)).unwrap();
        assert!(!admission.is_read_only());
        admission.check_space(given + 1, 0, || panic!("too soon to look")).unwrap();
        admission.note_pending(room);
        admission.look_soon();
        admission.check_space(given + 1, 0, || Ok(room)).unwrap_err();
        assert!(admission.checkpoint_helps());
        admission.check_space(given + 1, 0, || Ok(room - 1)).unwrap_err();
        assert!(!admission.checkpoint_helps(), "what it writes would not fit");
        let gone = || Err(Error::new(ErrorKind::Io, "cannot ask for free space of /data"));
        let refused = admission.look(0, gone).unwrap_err();
        assert_eq!(refused.kind, ErrorKind::ReadOnly);
        assert_eq!(admission.refusal().map(|why| why.detail), Some(refused.detail));
        admission.look(0, || Ok(u64::MAX)).unwrap();
        assert!(admission.refusal().is_none());
    }
}
