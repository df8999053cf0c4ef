//! The slots of a connection in the closed model: a request takes one, its answer gives it back.
//!
//! All free slots are taken together, so that requests are sent in the groups in which answers came.

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

    /// Takes all free slots, once there are any; none if there were none until the moment came.
    pub(super) fn take_until(&self, moment: Instant) -> usize {
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        while *free == 0 {
            let left = moment.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return 0;
            }
            let waited = self.freed.wait_timeout(free, left);
            free = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        std::mem::take(&mut *free)
    }

    pub(super) fn release(&self) {
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        *free += 1;
        // Where some were free before, no sender waits.
        if *free == 1 {
            self.freed.notify_one();
        }
    }
}
