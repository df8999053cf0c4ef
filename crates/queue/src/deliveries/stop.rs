//! The signal that a queue is to end, for threads that wait and for tasks that do.

use std::time::Duration;

use parking_lot::{Condvar, Mutex};
use tokio::sync::watch;

/// Set once.
pub struct Stop {
    is_set: Mutex<bool>,
    changed: Condvar,
    tasks: watch::Sender<bool>,
}

impl Default for Stop {
    fn default() -> Stop {
        let tasks = watch::Sender::new(false);
        Stop { is_set: Mutex::new(false), changed: Condvar::new(), tasks }
    }
}

impl Stop {
    /// From now on it is set.
    pub fn set(&self) {
        *self.is_set.lock() = true;
        self.changed.notify_all();
        self.tasks.send_replace(true);
    }

    /// Whether it is set.
    pub fn is_set(&self) -> bool {
        *self.is_set.lock()
    }

    /// Waits so long, or until it is set; returns whether it is.
    pub fn wait(&self, time: Duration) -> bool {
        let mut is_set = self.is_set.lock();
        if !*is_set {
            self.changed.wait_for(&mut is_set, time);
        }
        *is_set
    }

    /// For tasks.
    pub(crate) fn subscribe(&self) -> watch::Receiver<bool> {
        self.tasks.subscribe()
    }
}
