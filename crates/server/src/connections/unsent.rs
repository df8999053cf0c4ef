//! Bytes of answers that the client of a connection has not taken, as a share of the process's memory.
//!
//! Where memory is used up, the connection that holds the most of it fails, as a query would: it is
//! closed at its next tick. An answer without room is dropped, and its client gets an error.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use millrace_model::{MemoryBudget, MemoryShare, Result};

/// The unsent bytes of a connection. Cheap to share.
#[derive(Clone)]
pub(crate) struct Unsent(Arc<Inner>);

struct Inner {
    /// Bytes of all charges.
    bytes: Mutex<u64>,
    share: MemoryShare,
    /// The counted bytes of all connections.
    all: Arc<AtomicU64>,
}

/// Bytes of an answer on its way. Dropped, they have left.
pub(crate) struct Charge {
    unsent: Unsent,
    bytes: u64,
}

impl Unsent {
    pub(crate) fn new(memory: &MemoryBudget, all: &Arc<AtomicU64>) -> Unsent {
        let (bytes, share, all) = (Mutex::default(), memory.share(), Arc::clone(all));
        Unsent(Arc::new(Inner { bytes, share, all }))
    }

    /// Counts bytes until the charge is dropped; fails where there is no room for them.
    pub(crate) fn charge(&self, bytes: usize) -> Result<Charge> {
        self.0.change(|held| held.saturating_add(bytes as u64))?;
        Ok(Charge { unsent: self.clone(), bytes: bytes as u64 })
    }

    /// Fails once this connection is to make room.
    pub(crate) fn check(&self) -> Result<()> {
        self.0.share.check()
    }
}

impl Inner {
    fn change(&self, change: impl FnOnce(u64) -> u64) -> Result<()> {
        let mut bytes = self.bytes.lock().unwrap_or_else(PoisonError::into_inner);
        let (wanted, before) = (change(*bytes), self.share.taken());
        let done = self.share.reserve(wanted);
        // It wraps where the share became smaller, and so does the sum.
        self.all.fetch_add(self.share.taken().wrapping_sub(before), Ordering::Relaxed);
        if done.is_ok() {
            *bytes = wanted;
        }
        done
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        self.all.fetch_sub(self.share.taken(), Ordering::Relaxed);
    }
}

impl Drop for Charge {
    fn drop(&mut self) {
        // To hold less never fails.
        let _less = self.unsent.0.change(|held| held.saturating_sub(self.bytes));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn charges_are_counted_until_they_are_dropped() {
        let (memory, all) = (MemoryBudget::new(10 << 20), Arc::default());
        let unsent = Unsent::new(&memory, &all);
        let small = unsent.charge(1_000).unwrap();
        assert_eq!(all.load(Ordering::Relaxed), 0, "a small answer touches no shared number");
        let large = unsent.charge(3 << 20).unwrap();
        assert!((3 << 20..4 << 20).contains(&all.load(Ordering::Relaxed)));
        assert_eq!(memory.used(), all.load(Ordering::Relaxed));
        drop(large);
        assert_eq!((memory.used(), all.load(Ordering::Relaxed)), (0, 0));
        drop(small);
        let _left = unsent.charge(3 << 20).unwrap();
        drop(unsent);
        assert_ne!(memory.used(), 0, "the charge is there still");
    }

    #[test]
    fn the_connection_that_holds_the_most_makes_room() {
        let (memory, all) = (MemoryBudget::new(10 << 20), Arc::default());
        let (large, small) = (Unsent::new(&memory, &all), Unsent::new(&memory, &all));
        let held = large.charge(9 << 20).unwrap();
        assert!(large.charge(4 << 20).is_err(), "it is the largest itself");
        let _small = small.charge((3 << 20) / 2).unwrap();
        assert!(large.check().is_err() && small.check().is_ok());
        drop((held, large));
        assert!(all.load(Ordering::Relaxed) < 2 << 20);
    }
}
