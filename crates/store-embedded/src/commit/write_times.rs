//! How long writes of the log took, sync and all: the part of a commit's wait that is the disk's.
//!
//! A slow write is counted by a fixed bound, not by the usual time on this machine, so that two
//! machines can be compared.

use std::sync::atomic::{AtomicU64, Ordering};

/// From here on a write is slow.
const SLOW_NS: u64 = 10_000_000;

/// Counted by the log's thread alone; read for metrics.
#[derive(Default)]
pub(crate) struct WriteTimes {
    all_ns: AtomicU64,
    longest_ns: AtomicU64,
    slow: AtomicU64,
}

impl WriteTimes {
    /// Notes one that took so long.
    pub(crate) fn note(&self, took_ns: u64) {
        self.all_ns.fetch_add(took_ns, Ordering::Relaxed);
        self.longest_ns.fetch_max(took_ns, Ordering::Relaxed);
        self.slow.fetch_add(u64::from(SLOW_NS <= took_ns), Ordering::Relaxed);
    }

    /// Nanoseconds of all of them.
    pub(crate) fn all_ns(&self) -> u64 {
        self.all_ns.load(Ordering::Relaxed)
    }

    /// Nanoseconds of the longest.
    pub(crate) fn longest_ns(&self) -> u64 {
        self.longest_ns.load(Ordering::Relaxed)
    }

    /// How many took 10 ms or more.
    pub(crate) fn slow(&self) -> u64 {
        self.slow.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ten_milliseconds_are_slow_the_longest_is_kept_and_all_are_added_up() {
        let times = WriteTimes::default();
        [SLOW_NS, SLOW_NS - 1, 1].into_iter().for_each(|took| times.note(took));
        assert_eq!((times.all_ns(), times.longest_ns(), times.slow()), (2 * SLOW_NS, SLOW_NS, 1));
    }
}
