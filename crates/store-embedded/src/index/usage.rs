//! What an index takes, and how far the build of one is.

use std::iter::Sum;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Entries and bytes of an index or of a shard.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// How many entries there are.
    pub entries: u64,
    /// Bytes in files and of changes in memory.
    pub bytes: u64,
}

impl Sum for Usage {
    fn sum<I: Iterator<Item = Usage>>(shards: I) -> Usage {
        shards.fold(Usage::default(), |sum, own| Usage {
            entries: sum.entries + own.entries,
            bytes: sum.bytes + own.bytes,
        })
    }
}

/// How far a build is: its reader of elements writes it, and any thread reads it.
#[derive(Debug, Default)]
pub struct BuildProgress {
    /// Elements that are read in all.
    total: AtomicU64,
    done: AtomicU64,
    entries: AtomicU64,
    bytes: AtomicU64,
    is_stopped: AtomicBool,
}

impl BuildProgress {
    /// So many elements are to be read.
    pub fn begin(&self, total: u64) {
        self.total.store(total, Ordering::Relaxed);
    }

    /// More elements were read; what was made of all so far.
    pub fn add(&self, elements: u64, made: Usage) {
        self.done.fetch_add(elements, Ordering::Relaxed);
        self.entries.store(made.entries, Ordering::Relaxed);
        self.bytes.store(made.bytes, Ordering::Relaxed);
    }

    /// Elements read, and those to be read in all.
    pub fn elements(&self) -> (u64, u64) {
        let done = self.done.load(Ordering::Relaxed);
        // Others may come between; none is read twice.
        (done, self.total.load(Ordering::Relaxed).max(done).max(1))
    }

    /// What was made so far.
    pub fn made(&self) -> Usage {
        let (entries, bytes) = (&self.entries, &self.bytes);
        Usage { entries: entries.load(Ordering::Relaxed), bytes: bytes.load(Ordering::Relaxed) }
    }

    /// Asks the build to end without an index.
    pub fn stop(&self) {
        self.is_stopped.store(true, Ordering::Relaxed);
    }

    /// Whether it is to end.
    pub fn is_stopped(&self) -> bool {
        self.is_stopped.load(Ordering::Relaxed)
    }
}
