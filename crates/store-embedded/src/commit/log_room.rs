//! Room in the files of the log, promised to a record before it is accepted.
//!
//! ```text
//!   │<─ accepted, unwritten ─>│<──────── may be accepted ────────>│<─ kept for upkeep ─>│
//!   └──────────────────── room left in the files that are there ────────────────────────┘
//! ```
//!
//! A record is accepted if the log's files take it and all that was accepted before, in whatever
//! batches they are written: so nothing that was accepted waits for room, whatever others do to the
//! disk meanwhile. Where it does not fit, a file is made first, or it is refused.
//!
//! Some room is reserved for *upkeep*, the records of a checkpoint and of withdrawals.
//! Otherwise commits could fill the log, and the checkpoint that frees it would have no room for
//! its record.

use millrace_model::{Error, Phase, Result};

use crate::base::error::Error as StoreError;
use crate::base::options::LogOptions;
use crate::log::{BATCH_COST_MAX, BATCH_HEADER_BYTES};
use crate::sync::atomic::{AtomicU64, Ordering};

use crate::base::commit_limits::{UPKEEP_ROOM, UPKEEP_ROOM_LEAST, UPKEEP_SHARE};

/// The purpose of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// A caller wants it, and can be refused for lack of room.
    Change,
    /// It gives back room, or withdraws a change that was reported to its caller as failed.
    Upkeep,
}

/// The room of a log. Its owner sets the free room, under the log's lock; the sequencer takes of
/// it, under its own.
pub(crate) struct LogRoom {
    /// Bytes that the existing files still take.
    free: AtomicU64,
    /// Bytes of the frames that were accepted and are not written.
    unwritten: AtomicU64,
    kept: AtomicU64,
    kept_min: u64,
    batch_bytes_max: u64,
    first_file_bytes: u64,
}

impl LogRoom {
    /// The room of a log with files that take so many bytes now.
    pub(crate) fn new(options: &LogOptions, free: u64) -> LogRoom {
        // Where files are small, the greater part is for commits still.
        let share = options.first_file_bytes / UPKEEP_SHARE;
        let kept_min = share.clamp(UPKEEP_ROOM_LEAST, UPKEEP_ROOM);
        LogRoom {
            free: AtomicU64::new(free),
            unwritten: AtomicU64::new(0),
            kept: AtomicU64::new(kept_min),
            kept_min,
            batch_bytes_max: options.batch_bytes_max as u64,
            first_file_bytes: options.first_file_bytes,
        }
    }

    /// More than any test takes.
    #[cfg(test)]
    pub(crate) fn plenty() -> LogRoom {
        LogRoom::new(&LogOptions::default(), 1 << 40)
    }

    /// Whether a record of so many bytes, as a frame, may be accepted.
    #[inline]
    pub(crate) fn fits(&self, bytes: u64, purpose: Purpose) -> bool {
        // Read before `free`: the log first lowers `free`, then subtracts the bytes that it has
        // written.
        let needed = self.needed(bytes, purpose);
        needed <= self.free.load(Ordering::Relaxed)
    }

    /// Refuses a record of so many bytes, as a frame, that no batch of the log takes. Once it has a
    /// position it could not be taken out again, and nothing could be written any more.
    #[inline]
    pub(crate) fn check_size(&self, frame_bytes: u64) -> Result<()> {
        let (bytes, bytes_max) = (BATCH_HEADER_BYTES as u64 + frame_bytes, self.batch_bytes_max);
        if bytes <= bytes_max {
            return Ok(());
        }
        let what = "one commit in the log";
        let error = Error::from(StoreError::TooLarge { what, bytes, bytes_max });
        Err(error.with_help("make it in several transactions").in_phase(Phase::Commit))
    }

    /// The room that must be free for it to be accepted. That is twice the bytes to write: a batch
    /// that does not fit at the end of one file goes to the next, and leaves that end empty. If
    /// both together are twice as large, one of them takes it all.
    pub(crate) fn needed(&self, bytes: u64, purpose: Purpose) -> u64 {
        let frames = self.unwritten.load(Ordering::Acquire) + bytes;
        // The batch being written, the one waiting behind it, and the empty batch that vouches for
        // both. Of those that are full, the smallest is half full: a commit is not parted.
        let batches = 3 + 2 * frames / self.batch_bytes_max;
        let kept = match purpose {
            Purpose::Change => self.kept.load(Ordering::Relaxed),
            Purpose::Upkeep => 0,
        };
        2 * (frames + batches * BATCH_COST_MAX) + kept
    }

    /// The size of the file to make for a record that does not fit. For upkeep no more than it
    /// needs: there may be little room on the disk.
    pub(crate) fn file_for(&self, bytes: u64, purpose: Purpose) -> u64 {
        let needed = self.needed(bytes, purpose);
        match purpose {
            Purpose::Change => needed.max(self.first_file_bytes),
            Purpose::Upkeep => needed,
        }
    }

    /// Notes an accepted frame of so many bytes, which fitted.
    #[inline]
    pub(crate) fn note_accepted(&self, bytes: u64) {
        self.unwritten.fetch_add(bytes, Ordering::Relaxed);
    }

    /// Notes the free room of the files, and then the bytes of frames that were written.
    pub(crate) fn note_log(&self, free: u64, written: u64) {
        self.free.store(free, Ordering::Relaxed);
        self.unwritten.fetch_sub(written, Ordering::Release);
    }

    /// Keeps so much for upkeep, or the least that is always kept.
    pub(crate) fn keep(&self, bytes: u64) {
        self.kept.store(bytes.max(self.kept_min), Ordering::Relaxed);
    }

    /// The free room of the files, less the room that the next record needs to be accepted.
    pub(crate) fn left(&self) -> u64 {
        self.free.load(Ordering::Relaxed).saturating_sub(self.needed(0, Purpose::Change))
    }

    /// Bytes of the frames that were accepted and are not written.
    pub(crate) fn unwritten(&self) -> u64 {
        self.unwritten.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use millrace_model::ErrorKind;

    use super::*;

    const OPTIONS: LogOptions =
        LogOptions { file_bytes: 1 << 20, first_file_bytes: 1 << 20, batch_bytes_max: 1 << 16 };

    #[test]
    fn a_record_that_no_batch_takes_is_refused() {
        let room = LogRoom::new(&OPTIONS, 1 << 20);
        let largest = OPTIONS.batch_bytes_max as u64 - BATCH_HEADER_BYTES as u64;
        assert!(room.check_size(largest).is_ok());
        let refused = room.check_size(largest + 1).unwrap_err();
        assert_eq!(refused.kind, ErrorKind::LimitReached);
        assert!(refused.to_string().contains("65536"), "{refused}");
    }

    #[test]
    fn what_is_accepted_counts_until_it_is_written_and_upkeep_has_room_that_commits_have_not() {
        let free = 1 << 20;
        let room = LogRoom::new(&OPTIONS, free);
        assert!(room.fits(1, Purpose::Change));
        assert!(!room.fits(free / 2, Purpose::Upkeep), "a batch has a header");
        while room.fits(1_000, Purpose::Change) {
            room.note_accepted(1_000);
        }
        let accepted = room.unwritten();
        assert!(free / 4 < accepted, "{accepted} bytes is little");
        assert!(room.fits(1_000, Purpose::Upkeep));
        room.keep(0);
        assert!(!room.fits(1_000, Purpose::Change), "some is always kept");
        room.note_log(free - accepted, accepted);
        assert_eq!(room.unwritten(), 0);
        assert!(room.fits(1_000, Purpose::Change));
        room.keep(free);
        assert_eq!((room.fits(1, Purpose::Change), room.left()), (false, 0));
        assert!(room.fits(1, Purpose::Upkeep));
    }
}
