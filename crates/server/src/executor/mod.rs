//! Where requests run: at once on the thread of their connection, or on one pool of threads.
//!
//! ```text
//!   connection ── small? ──> inline ──── answered ────────────────────────────────> answer
//!        │                     └─ would block, too many rows ─┐                       ^
//!        └── sessions, loads, backups, hashes ──> pool <──────┘── done, or a ticket ──┘ once visible
//! ```
//!
//! An inline run never blocks, and one without a result has had no effect: it is begun anew on the pool. No
//! thread waits for a commit to become visible, except that of a session, because its next request must see it.
//!
//! Work is a closure here: no request, protocol or database is known beyond its tickets.

mod pool;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};

use millrace_db::{Client, Database, Ticket};
use millrace_model::{Error, ErrorKind, Result};
use tokio::sync::oneshot;

use pool::Pool;

/// Runs requests.
pub(crate) struct Executor {
    pool: Pool,
    /// Inline runs that answered, and those that were queued for the pool.
    inline: [AtomicU64; 2],
}

/// Counts, for the metrics.
pub(crate) struct Counts {
    /// Threads of the pool.
    pub(crate) threads: usize,
    /// Requests that run for long.
    pub(crate) long: usize,
    /// Requests waiting for a thread.
    pub(crate) waiting: usize,
    /// Inline runs that answered, and those that were queued for the pool.
    pub(crate) inline: [u64; 2],
}

impl Executor {
    /// Starts the pool.
    pub(crate) fn start() -> Result<Executor> {
        Ok(Executor { pool: Pool::start()?, inline: Default::default() })
    }

    /// Runs work that never blocks on this thread; `None` where it has no result. A panic is an error.
    pub(crate) fn inline<T>(&self, work: impl FnOnce() -> Option<Result<T>>) -> Option<Result<T>> {
        let done = catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| Some(Err(panicked())));
        self.inline[usize::from(done.is_none())].fetch_add(1, Ordering::Relaxed);
        done
    }

    /// Queues the work of a client for the pool. A panic in it harms no other work.
    pub(crate) fn run(&self, client: Client, work: impl FnOnce() + Send + 'static) {
        self.pool.run(client, Box::new(work));
    }

    /// Runs the work of a client on the pool, and returns its outcome. If the future is dropped, the work goes on.
    pub(crate) async fn answer<T: Send + 'static>(
        &self,
        client: Client,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T> {
        let (sender, receiver) = oneshot::channel();
        self.run(client, move || {
            // The client may be gone.
            let _gone = sender.send(work());
        });
        receiver.await.map_err(|_| panicked())
    }

    /// Counts, for the metrics.
    pub(crate) fn counts(&self) -> Counts {
        Counts {
            threads: self.pool.count(),
            long: self.pool.long_count(),
            waiting: self.pool.waiting_count(),
            inline: self.inline.each_ref().map(|count| count.load(Ordering::Relaxed)),
        }
    }
}

/// Resolves when the request's commit, if any, is visible. No thread waits.
pub(crate) async fn visible(database: &Database, ticket: Option<Ticket>) -> Result<()> {
    let Some(ticket) = ticket else { return Ok(()) };
    let (sender, receiver) = oneshot::channel();
    database.when_visible(ticket, move |visible| {
        // The client may be gone; its commit stands.
        let _gone = sender.send(visible);
    });
    receiver.await.unwrap_or_else(|_| Err(panicked()))
}

/// A panic is an error of that request, and of no other.
pub(crate) fn guarded<T>(work: impl FnOnce() -> Result<T>) -> Result<T> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| Err(panicked()))
}

fn panicked() -> Error {
    Error::new(ErrorKind::Bug, "a request ended without answer: it panicked")
}
