//! Joining: a panic of a thread goes on in the one that waits for it.

use std::panic::resume_unwind;
use std::thread::ScopedJoinHandle;

/// The thread's result; its panic continues here.
pub(crate) fn joined<T>(handle: ScopedJoinHandle<'_, T>) -> T {
    handle.join().unwrap_or_else(|panic| resume_unwind(panic))
}
