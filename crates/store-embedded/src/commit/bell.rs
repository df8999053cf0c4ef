//! Wakes one worker: rung when a queue stops being empty, so once for everything that gathers.

use std::time::Duration;

use crate::sync::{Condvar, Mutex};

/// A bell that one worker listens to.
#[derive(Default)]
pub(crate) struct Bell {
    rung: Mutex<bool>,
    condvar: Condvar,
}

impl Bell {
    /// Wakes the worker or, if it is at work, keeps it from sleeping next time.
    pub(crate) fn ring(&self) {
        *self.rung.lock() = true;
        self.condvar.notify_one();
    }

    /// Forgets that it rang. Only by the worker, where it looks for work next, rung or not.
    pub(crate) fn silence(&self) {
        *self.rung.lock() = false;
    }

    /// Sleeps until the bell rings, at most this long. Returns whether it rang.
    pub(crate) fn wait(&self, at_most: Option<Duration>) -> bool {
        let mut rung = self.rung.lock();
        if !*rung {
            match at_most {
                None => self.condvar.wait(&mut rung),
                Some(at_most) => {
                    self.condvar.wait_for(&mut rung, at_most);
                }
            }
        }
        std::mem::take(&mut *rung)
    }
}
