//! The commit of a transaction that builds an index: the build goes on to its end, and the client waits for it up to its
//! own deadline.
//!
//! A build takes as long as there is data, so it is no part of the time that a client gives a statement. A client that
//! waits no longer gets an error that says so; `DROP INDEX` ends a build.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

use millrace_model::query_limits::QueryLimits;
use millrace_model::{Error, ErrorKind, Result};
use millrace_store::{Ticket, Transaction, non_blocking};

use crate::limits::INDEX_BUILDS_MAX;

/// Between two looks at the limits of the client.
const BETWEEN_LOOKS: Duration = Duration::from_millis(20);

/// Builds that run.
static RUNNING: AtomicUsize = AtomicUsize::new(0);

/// One of the builds that may run on a thread of their own.
struct RunningBuild;

impl RunningBuild {
    fn take() -> Option<RunningBuild> {
        let more = |count| (count < INDEX_BUILDS_MAX).then_some(count + 1);
        RUNNING.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more).ok().map(|_| RunningBuild)
    }
}

impl Drop for RunningBuild {
    fn drop(&mut self) {
        RUNNING.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Commits, and waits as long as the limits allow.
pub(super) fn commit(transaction: Transaction, limits: &dyn QueryLimits) -> Result<Ticket> {
    non_blocking::would_block()?;
    // Behind so many others it is waited for in any case.
    let Some(running) = RunningBuild::take() else { return transaction.commit() };
    let (done, result) = sync_channel(1);
    let build = move || {
        let _running = running;
        // Its client may have stopped waiting.
        let _ = done.send(transaction.commit());
    };
    let thread = thread::Builder::new().name("millrace-build".to_owned()).spawn(build);
    thread.map_err(|error| {
        let detail = format!("no thread for the build of an index: {error}");
        Error::new(ErrorKind::Unavailable, detail).with_help("try again later")
    })?;
    loop {
        match result.recv_timeout(BETWEEN_LOOKS) {
            Ok(ended) => return ended,
            Err(RecvTimeoutError::Timeout) => limits.check().map_err(goes_on)?,
            Err(RecvTimeoutError::Disconnected) => {
                let detail = "the build of an index ended without a result";
                return Err(Error::new(ErrorKind::Bug, detail));
            }
        }
    }
}

/// The error of a client that waits no longer.
fn goes_on(error: Error) -> Error {
    let detail = match error.kind {
        ErrorKind::DeadlineExceeded => {
            "the deadline passed before the index was built, and its build goes on".to_owned()
        }
        _ => format!("{}, and the build of its index goes on", error.detail),
    };
    let help = "`SHOW INDEXES` says how far it is, `CALL db.awaitIndexes()` waits for it, `DROP INDEX` ends it";
    Error { detail, ..error }.with_help(help)
}
