//! The slots of a connection in the closed model: a request takes one, its answer gives it back.

use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Instant;

/// Free slots.
pub(super) struct Slots {
    free: Mutex<usize>,
    freed: Condvar,
}

impl Slots {
    pub(super) fn new(count: usize) -> Slots {
        Slots { free: Mutex::new(count), freed: Condvar::new() }
    }

    /// Waits for a slot; false if there was none until the moment came.
    pub(super) fn take_until(&self, moment: Instant) -> bool {
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        while *free == 0 {
            let left = moment.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return false;
            }
            let waited = self.freed.wait_timeout(free, left);
            free = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        *free -= 1;
        true
    }

    pub(super) fn give(&self) {
        *self.free.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        self.freed.notify_one();
    }
}
