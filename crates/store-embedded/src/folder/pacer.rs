//! How fast large files are written while the log is busy: segments, and the log's own next file.
//!
//! They are written and synced in slices, so that no sync of the log finds much of them in the
//! system's memory. Where the log was synced while a slice went out, as long a pause follows as the
//! slice took: the disk is the log's for half of the time, however fast it is. And a sync of the
//! log waits for the slice before it, so slices become smaller until one takes no longer than a
//! commit may wait.
//!
//! Near a bound there are no pauses, and slices are large. Writers wait for the checkpoint then,
//! and a slow log is better than one that stands.

use std::ops::RangeInclusive;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::time::Duration;

use parking_lot::Mutex;

use crate::base::limits::SEGMENT_WRITE_BYTES;
use crate::io::Clock;

/// The longest pause after a slice.
const PAUSE_NS_MAX: u64 = 250_000_000;

/// The time that a slice should take beside a busy log. It is much more than a sync alone, so that
/// slices cost the disk little more than one write would.
const SLICE_NS: u64 = 1_000_000;

/// How far slices shrink, and grow, by halves and doubles.
const SLICE_BYTES: RangeInclusive<usize> = 1 << 18..=SEGMENT_WRITE_BYTES;

/// Paces the writing of large files of one folder.
#[derive(Default)]
pub struct Pacer {
    /// None: no pauses, as in a simulation.
    clock: Mutex<Option<Arc<dyn Clock>>>,
    log_syncs: AtomicU64,
    urgent: AtomicBool,
    pause_ns: AtomicU64,
    /// How much smaller than the largest slices are, in halves.
    halved: AtomicU32,
}

/// A slice under way.
pub struct Slice {
    began_ns: u64,
    log_syncs: u64,
    bytes: usize,
}

impl Slice {
    /// How much it should be.
    pub fn bytes(&self) -> usize {
        self.bytes
    }
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

    /// Sets whether writers wait for the file that is being written.
    pub fn set_urgent(&self, urgent: bool) {
        self.urgent.store(urgent, Ordering::Relaxed);
    }

    /// Nanoseconds of pauses so far.
    pub fn pause_ns(&self) -> u64 {
        self.pause_ns.load(Ordering::Relaxed)
    }

    /// A slice begins.
    pub fn begin(&self) -> Slice {
        let is_urgent = self.urgent.load(Ordering::Relaxed);
        let halved = if is_urgent { 0 } else { self.halved.load(Ordering::Relaxed) };
        Slice {
            began_ns: self.now_ns(),
            log_syncs: self.log_syncs.load(Ordering::Relaxed),
            bytes: SLICE_BYTES.end() >> halved,
        }
    }

    /// Pauses after a slice, if the log was busy meanwhile, and says how large the next one should
    /// be.
    pub fn end(&self, slice: &Slice) {
        let busy = self.log_syncs.load(Ordering::Relaxed) != slice.log_syncs;
        if !busy || self.urgent.load(Ordering::Relaxed) {
            return;
        }
        let took_ns = self.now_ns().saturating_sub(slice.began_ns);
        let halved = (SLICE_BYTES.end() / slice.bytes).trailing_zeros();
        let next = if SLICE_NS < took_ns && *SLICE_BYTES.start() < slice.bytes {
            halved + 1
        } else if took_ns < SLICE_NS / 2 {
            halved.saturating_sub(1)
        } else {
            halved
        };
        self.halved.store(next, Ordering::Relaxed);
        let pause_ns = took_ns.min(PAUSE_NS_MAX);
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
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A clock that the test sets.
    #[derive(Default)]
    struct SetClock(AtomicU64);

    impl Clock for SetClock {
        fn monotonic_ns(&self) -> u64 {
            self.0.load(Ordering::Relaxed)
        }
    }

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

    #[test]
    fn slices_shrink_until_one_takes_little_and_grow_again_unless_there_is_a_hurry() {
        let (pacer, clock) = (Pacer::default(), Arc::new(SetClock::default()));
        pacer.pause_by(clock.clone());
        let next = |took_ns: u64| {
            let slice = pacer.begin();
            clock.0.fetch_add(took_ns, Ordering::Relaxed);
            pacer.note_log_sync();
            pacer.end(&slice);
            pacer.begin().bytes()
        };
        let (least, most) = (*SLICE_BYTES.start(), *SLICE_BYTES.end());
        assert_eq!(pacer.begin().bytes(), most);
        assert_eq!(next(SLICE_NS), most, "it takes what it may");
        let shrinking: Vec<usize> = (0..5).map(|_| next(SLICE_NS + 1)).collect();
        assert_eq!(shrinking, [most / 2, most / 4, most / 8, least, least]);
        assert_eq!(next(SLICE_NS / 2), least);
        assert_eq!(next(SLICE_NS / 2 - 1), 2 * least);
        pacer.set_urgent(true);
        assert_eq!(pacer.begin().bytes(), most);
        pacer.set_urgent(false);
        assert_eq!(next(0), 4 * least, "a hurry forgets nothing");
    }
}
