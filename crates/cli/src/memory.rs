//! Freed memory goes back to the system although no request runs.
//!
//! The allocator gives back what was freed a second ago or more, but only when a thread asks it for
//! memory in a slow way, or ends. So a thread ends here, once a second.

use std::thread;
use std::time::Duration;

/// How often memory that was freed goes back.
const EVERY: Duration = Duration::from_secs(1);

/// Starts the thread that does it as long as the program runs. Without it, memory goes back later.
pub(crate) fn give_back() {
    let named = |name: &str| thread::Builder::new().name(name.to_owned()).stack_size(64 << 10);
    let _no_thread = named("millrace-memory").spawn(move || {
        loop {
            thread::sleep(EVERY);
            if let Ok(ending) = named("millrace-freed").spawn(|| ()) {
                let _ended = ending.join();
            }
        }
    });
}
