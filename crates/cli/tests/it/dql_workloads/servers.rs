//! The server that lives now, how it is talked to, and whether clients go on.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex};
use std::time::Duration;

use super::transport::Protocol;

/// The server that lives now, and whether clients go on.
pub(super) struct Servers {
    pub(super) protocol: Protocol,
    /// How many there were, and the address of the last one.
    current: Mutex<(u64, String)>,
    changed: Condvar,
    is_over: AtomicBool,
    aborted: AtomicU64,
}

impl Servers {
    pub(super) fn at(protocol: Protocol, url: &str) -> Servers {
        let (changed, is_over, aborted) = Default::default();
        Servers { protocol, current: Mutex::new((0, url.to_owned())), changed, is_over, aborted }
    }

    /// Which server lives now: its number and its URL.
    pub(super) fn current(&self) -> (u64, String) {
        self.current.lock().expect("no test panicked with it").clone()
    }

    /// Waits until another server lives than the one with this number, or all is over.
    pub(super) fn wait_for_another(&self, seen: u64) {
        let current = self.current.lock().expect("no test panicked with it");
        let is_same = |own: &mut (u64, String)| own.0 == seen && !self.is_over();
        drop(self.changed.wait_while(current, is_same));
    }

    pub(super) fn move_to(&self, url: &str) {
        let mut current = self.current.lock().expect("no test panicked with it");
        *current = (current.0 + 1, url.to_owned());
        self.changed.notify_all();
    }

    pub(super) fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }

    pub(super) fn end(&self) {
        let _current = self.current.lock();
        self.is_over.store(true, Ordering::Relaxed);
        self.changed.notify_all();
    }

    /// Lets so much time go by, or less if it is over.
    pub(super) fn wait_unless_over(&self, time: Duration) {
        let current = self.current.lock().expect("no test panicked with it");
        let goes_on = |_: &mut (u64, String)| !self.is_over();
        drop(self.changed.wait_timeout_while(current, time, goes_on));
    }

    pub(super) fn note_abort(&self) {
        self.aborted.fetch_add(1, Ordering::Relaxed);
    }

    /// How many transactions were aborted.
    pub(super) fn aborted(&self) -> u64 {
        self.aborted.load(Ordering::Relaxed)
    }
}

/// Ends all clients when one of them panics.
pub(super) struct EndsClients<'s>(pub(super) &'s Servers);

impl Drop for EndsClients<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.end();
        }
    }
}
