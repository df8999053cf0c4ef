//! Wakes one worker: it is notified when a queue stops being empty, so once for a whole commit
//! group.

use std::time::Duration;

use crate::sync::{Condvar, Mutex};

/// The wake-up that one worker waits for.
#[derive(Default)]
pub(crate) struct WakeUp {
    notified: Mutex<bool>,
    condvar: Condvar,
}

impl WakeUp {
    /// Wakes the worker or, if it is at work, keeps it from sleeping next time.
    pub(crate) fn notify(&self) {
        *self.notified.lock() = true;
        self.condvar.notify_one();
    }

    /// Sleeps until it is notified, at most this long. Returns whether it was.
    pub(crate) fn wait(&self, at_most: Option<Duration>) -> bool {
        let mut notified = self.notified.lock();
        if !*notified {
            match at_most {
                None => self.condvar.wait(&mut notified),
                Some(at_most) => {
                    self.condvar.wait_for(&mut notified, at_most);
                }
            }
        }
        std::mem::take(&mut *notified)
    }
}
