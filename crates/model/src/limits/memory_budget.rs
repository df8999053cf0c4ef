//! One budget of memory for a process, of which consumers take shares.
//!
//! Shares are counted in an atomic number; a list of the larger consumers is looked at only when
//! the budget is exhausted. Then the largest consumer has to fail and the one that asked goes on,
//! within a reserve: its share is free as soon as it looks. Beyond the reserve the one that asked
//! fails itself, so that the process never holds more than the budget and the reserve. A consumer
//! is not listed, and no shared number is updated, for its first [`UNCOUNTED_BYTES`].

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use crate::errors::error::{Error, ErrorKind, Result};

/// Bytes of each consumer that are not counted: most requests never hold more.
pub const UNCOUNTED_BYTES: u64 = 64 << 10;

/// Bytes by which a consumer takes and gives back, so that it seldom updates the shared number.
const STEP_BYTES: u64 = 64 << 10;

/// The part of the budget that may be held beyond it while the largest consumer ends: one in so
/// many.
const RESERVE_SHARE: u64 = 16;

/// A budget. Cheap to share.
#[derive(Clone, Debug)]
pub struct MemoryBudget(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    bytes_max: u64,
    used: AtomicU64,
    used_most: AtomicU64,
    refused: AtomicU64,
    stopped: AtomicU64,
    consumers: Mutex<Vec<Weak<Consumer>>>,
}

/// The bytes that a consumer holds, and whether it is to fail.
#[derive(Debug, Default)]
struct Consumer {
    /// Bytes taken from the budget.
    taken: AtomicU64,
    is_stopped: AtomicBool,
}

/// Bytes taken from a budget by one consumer that can be made to fail: a query, an interpreter.
/// Dropped, it gives them back.
#[derive(Debug)]
pub struct MemoryShare {
    budget: MemoryBudget,
    consumer: Arc<Consumer>,
    /// Whether the budget knows of it; held while the share changes.
    is_listed: Mutex<bool>,
}

/// Bytes taken from a budget until this is dropped, by a holder that cannot be made to fail: a body
/// that arrives, an answer that was not sent.
#[derive(Debug)]
pub struct Reservation {
    budget: MemoryBudget,
    bytes: u64,
}

impl Default for MemoryBudget {
    fn default() -> MemoryBudget {
        MemoryBudget::unbounded()
    }
}

impl MemoryBudget {
    /// A budget of so many bytes.
    pub fn new(bytes_max: u64) -> MemoryBudget {
        MemoryBudget(Arc::new(Shared {
            bytes_max,
            used: AtomicU64::new(0),
            used_most: AtomicU64::new(0),
            refused: AtomicU64::new(0),
            stopped: AtomicU64::new(0),
            consumers: Mutex::default(),
        }))
    }

    /// A budget that is never exhausted.
    pub fn unbounded() -> MemoryBudget {
        MemoryBudget::new(u64::MAX)
    }

    /// Its size.
    pub fn bytes_max(&self) -> u64 {
        self.0.bytes_max
    }

    /// Bytes taken now.
    pub fn used(&self) -> u64 {
        self.0.used.load(Ordering::Relaxed)
    }

    /// The most that was taken at once.
    pub fn used_most(&self) -> u64 {
        self.0.used_most.load(Ordering::Relaxed)
    }

    /// How often a consumer was refused more.
    pub fn refused(&self) -> u64 {
        self.0.refused.load(Ordering::Relaxed)
    }

    /// How often the largest consumer had to fail.
    pub fn stopped(&self) -> u64 {
        self.0.stopped.load(Ordering::Relaxed)
    }

    /// Takes bytes until the reservation is dropped.
    pub fn reserve(&self, bytes: u64) -> Result<Reservation> {
        self.take(bytes, None)?;
        Ok(Reservation { budget: self.clone(), bytes })
    }

    /// A consumer that holds nothing yet.
    pub fn share(&self) -> MemoryShare {
        let (consumer, is_listed) = (Arc::default(), Mutex::default());
        MemoryShare { budget: self.clone(), consumer, is_listed }
    }

    fn consumers(&self) -> MutexGuard<'_, Vec<Weak<Consumer>>> {
        self.0.consumers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn list(&self, consumer: &Arc<Consumer>) {
        let mut consumers = self.consumers();
        if consumers.len() == consumers.capacity() {
            consumers.retain(|known| known.strong_count() != 0);
        }
        consumers.push(Arc::downgrade(consumer));
    }

    /// Counts bytes; where they are too many, the largest consumer is to fail, or the one that
    /// asks.
    fn take(&self, bytes: u64, own: Option<&Arc<Consumer>>) -> Result<()> {
        let Shared { bytes_max, used, used_most, .. } = &*self.0;
        let reserved = used.fetch_add(bytes, Ordering::Relaxed).saturating_add(bytes);
        if reserved <= *bytes_max || self.makes_room(bytes, reserved, own) {
            used_most.fetch_max(reserved, Ordering::Relaxed);
            return Ok(());
        }
        self.release(bytes);
        self.0.refused.fetch_add(1, Ordering::Relaxed);
        Err(self.exhausted("the request that asked for more was refused"))
    }

    /// Whether another consumer, larger than the one that asks, was made to fail, and the reserve
    /// suffices until it has.
    fn makes_room(&self, bytes: u64, reserved: u64, own: Option<&Arc<Consumer>>) -> bool {
        let reserve = self.0.bytes_max / RESERVE_SHARE;
        let own_bytes = own.map_or(0, |own| own.taken.load(Ordering::Relaxed));
        let taken = |consumer: &Arc<Consumer>| consumer.taken.load(Ordering::Relaxed);
        let known: Vec<Arc<Consumer>> = self.consumers().iter().filter_map(Weak::upgrade).collect();
        let Some(largest) = known.iter().max_by_key(|consumer| taken(consumer)) else {
            return false;
        };
        if taken(largest) <= own_bytes.saturating_add(bytes) {
            return false;
        }
        // One that ends already makes room enough, or the next one is made to fail when it is gone.
        let ends = |consumer: &Arc<Consumer>| {
            consumer.is_stopped.load(Ordering::Relaxed) && taken(consumer) != 0
        };
        if !known.iter().any(ends) {
            largest.is_stopped.store(true, Ordering::Relaxed);
            self.0.stopped.fetch_add(1, Ordering::Relaxed);
        }
        reserved <= self.0.bytes_max.saturating_add(reserve)
    }

    fn release(&self, bytes: u64) {
        // Most release nothing, and leave the shared number alone.
        if bytes != 0 {
            self.0.used.fetch_sub(bytes, Ordering::Relaxed);
        }
    }

    fn exhausted(&self, why: &str) -> Error {
        let detail = format!(
            "the server's memory limit of {} bytes (memory.max) is reached: {why}",
            self.0.bytes_max
        );
        Error::new(ErrorKind::LimitReached, detail)
            .with_help("ask for less at once, try again later, or raise memory.max")
    }
}

impl MemoryShare {
    /// Makes the share large enough for a consumer that holds so many bytes now.
    pub fn reserve(&self, bytes: u64) -> Result<()> {
        let wanted = match bytes {
            bytes if bytes <= UNCOUNTED_BYTES => 0,
            bytes => bytes.checked_next_multiple_of(STEP_BYTES).unwrap_or(bytes),
        };
        let is_right = |taken: u64| {
            // One with a wavering size does not update the shared number each time.
            wanted == taken || wanted != 0 && wanted < taken && taken - wanted <= STEP_BYTES
        };
        if is_right(self.taken()) {
            return Ok(());
        }
        let mut is_listed = self.is_listed.lock().unwrap_or_else(PoisonError::into_inner);
        let taken = self.taken();
        if is_right(taken) {
            return Ok(());
        }
        if wanted < taken {
            self.consumer.taken.store(wanted, Ordering::Relaxed);
            self.budget.release(taken - wanted);
            return Ok(());
        }
        self.check()?;
        if !std::mem::replace(&mut *is_listed, true) {
            self.budget.list(&self.consumer);
        }
        self.budget.take(wanted - taken, Some(&self.consumer))?;
        self.consumer.taken.store(wanted, Ordering::Relaxed);
        Ok(())
    }

    /// Fails once this consumer is to make room.
    pub fn check(&self) -> Result<()> {
        if !self.consumer.is_stopped.load(Ordering::Relaxed) {
            return Ok(());
        }
        Err(self.budget.exhausted("this request held the most, and was stopped"))
    }

    /// Bytes taken from the budget.
    pub fn taken(&self) -> u64 {
        self.consumer.taken.load(Ordering::Relaxed)
    }
}

impl Drop for MemoryShare {
    fn drop(&mut self) {
        self.budget.release(self.consumer.taken.swap(0, Ordering::Relaxed));
    }
}

impl Reservation {
    /// Bytes reserved.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Takes more bytes.
    pub fn grow(&mut self, bytes: u64) -> Result<()> {
        self.budget.take(bytes, None)?;
        self.bytes += bytes;
        Ok(())
    }

    /// Gives bytes back.
    pub fn shrink(&mut self, bytes: u64) {
        let bytes = bytes.min(self.bytes);
        self.bytes -= bytes;
        self.budget.release(bytes);
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        self.budget.release(self.bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MEGABYTE: u64 = 1 << 20;

    #[test]
    fn the_largest_consumer_is_made_to_fail_and_the_one_that_asks_goes_on() {
        let budget = MemoryBudget::new(16 * MEGABYTE);
        let (large, small) = (budget.share(), budget.share());
        large.reserve(12 * MEGABYTE).unwrap();
        small.reserve(4 * MEGABYTE).unwrap();
        small.reserve(4 * MEGABYTE + MEGABYTE / 2).unwrap();
        assert!(small.check().is_ok());
        let error = large.check().unwrap_err();
        assert_eq!(error.kind, ErrorKind::LimitReached);
        assert!(error.detail.contains("memory.max"), "{error}");
        // It has not looked yet, and the reserve is used up.
        let refused = small.reserve(8 * MEGABYTE).unwrap_err();
        assert!(refused.detail.contains("memory.max"), "{refused}");
        drop(large);
        small.reserve(8 * MEGABYTE).unwrap();
        assert_eq!((budget.used(), budget.stopped(), budget.refused()), (8 * MEGABYTE, 1, 1));
        drop(small);
        assert_eq!(budget.used(), 0);
    }

    #[test]
    fn a_consumer_that_is_the_largest_itself_is_refused() {
        let budget = MemoryBudget::new(16 * MEGABYTE);
        let (large, small) = (budget.share(), budget.share());
        small.reserve(4 * MEGABYTE).unwrap();
        large.reserve(8 * MEGABYTE).unwrap();
        assert!(large.reserve(20 * MEGABYTE).is_err());
        assert!(small.check().is_ok() && large.check().is_ok());
        assert_eq!(budget.used(), 12 * MEGABYTE);
    }

    #[test]
    fn a_reservation_stops_a_larger_query_and_gives_back_what_it_took() {
        let budget = MemoryBudget::new(16 * MEGABYTE);
        let query = budget.share();
        query.reserve(16 * MEGABYTE).unwrap();
        let mut body = budget.reserve(MEGABYTE / 2).unwrap();
        assert!(query.check().is_err());
        body.grow(MEGABYTE / 4).unwrap();
        body.shrink(MEGABYTE / 2);
        assert_eq!(body.bytes(), MEGABYTE / 4);
        drop((query, body));
        assert_eq!(budget.used(), 0);
        assert!(budget.reserve(17 * MEGABYTE).is_err());
    }

    #[test]
    fn small_consumers_are_not_counted_and_shares_shrink() {
        let budget = MemoryBudget::new(MEGABYTE);
        let share = budget.share();
        share.reserve(UNCOUNTED_BYTES).unwrap();
        assert_eq!(budget.used(), 0);
        share.reserve(MEGABYTE / 2).unwrap();
        share.reserve(1).unwrap();
        assert_eq!(budget.used(), 0);
    }
}
