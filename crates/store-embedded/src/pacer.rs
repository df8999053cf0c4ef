//! How fast large files are written while the log is busy: segments, and the log's own next file.
//!
//! They are written and synced in slices, so that no sync of the log finds much of them in the
//! system's memory. Where the log was synced while a slice went out, as long a pause follows as the
//! slice took: the disk is the log's for half of the time, however fast it is.
//!
//! What a reader would get wrong: near a bound there are no pauses. Writers wait for the checkpoint
//! then, and a slow log is better than one that stands.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use parking_lot::Mutex;

use crate::io::Clock;

/// The longest pause after a slice.
const PAUSE_NS_MAX: u64 = 250_000_000;

/// Paces the writing of large files of one folder.
#[derive(Default)]
pub struct Pacer {
    /// None: no pauses, as in a simulation.
    clock: Mutex<Option<Arc<dyn Clock>>>,
    log_syncs: AtomicU64,
    urgent: AtomicBool,
    pause_ns: AtomicU64,
}

/// A slice under way.
pub struct Slice {
    began_ns: u64,
    log_syncs: u64,
}

impl Pacer {
    /// From now on there are pauses, by this clock.
    pub fn pause_by(&self, clock: Arc<dyn Clock>) {
        *self.clock.lock() = Some(clock);
    }

    /// Notes a sync of the log.
    pub fn note_log_sync(&self) {
        self.log_syncs.fetch_add(1, Ordering::Relaxed);
    }

    /// Whether writers wait for what is being written.
    pub fn set_urgent(&self, urgent: bool) {
        self.urgent.store(urgent, Ordering::Relaxed);
    }

    /// Nanoseconds of pauses so far.
    pub fn pause_ns(&self) -> u64 {
        self.pause_ns.load(Ordering::Relaxed)
    }

    /// A slice begins.
    pub fn begin(&self) -> Slice {
        Slice { began_ns: self.now_ns(), log_syncs: self.log_syncs.load(Ordering::Relaxed) }
    }

    /// Pauses after a slice, if the log was busy meanwhile.
    pub fn end(&self, slice: &Slice) {
        let busy = self.log_syncs.load(Ordering::Relaxed) != slice.log_syncs;
        if !busy || self.urgent.load(Ordering::Relaxed) {
            return;
        }
        let pause_ns = self.now_ns().saturating_sub(slice.began_ns).min(PAUSE_NS_MAX);
        if pause_ns != 0 {
            self.pause_ns.fetch_add(pause_ns, Ordering::Relaxed);
            std::thread::sleep(Duration::from_nanos(pause_ns));
        }
    }

    fn now_ns(&self) -> u64 {
        self.clock.lock().as_ref().map_or(0, |clock| clock.monotonic_ns())
    }
}

/// A clock that goes on by one step whenever it is read.
#[cfg(test)]
#[derive(Default)]
pub(crate) struct TickingClock(AtomicU64);

#[cfg(test)]
impl TickingClock {
    pub(crate) const STEP_NS: u64 = 1_000;
}

#[cfg(test)]
impl Clock for TickingClock {
    fn monotonic_ns(&self) -> u64 {
        self.0.fetch_add(Self::STEP_NS, Ordering::Relaxed)
    }

    fn wall_ms(&self) -> u64 {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slice_is_followed_by_a_pause_only_beside_a_busy_log_and_never_in_a_hurry() {
        let pacer = Pacer::default();
        let slice = |busy: bool| {
            let before = pacer.pause_ns();
            let slice = pacer.begin();
            if busy {
                pacer.note_log_sync();
            }
            pacer.end(&slice);
            pacer.pause_ns() - before
        };
        assert_eq!(slice(true), 0, "without a clock nobody waits");
        pacer.pause_by(Arc::new(TickingClock::default()));
        assert_eq!((slice(false), slice(true)), (0, TickingClock::STEP_NS));
        pacer.set_urgent(true);
        assert_eq!(slice(true), 0);
    }
}
