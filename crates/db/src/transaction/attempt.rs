//! A small request on a thread that must not block: tried at once, or left to a thread that may block.
//!
//! An attempt without a result has had no effect and is begun anew elsewhere. It therefore takes only work that
//! may run twice: statements that are compiled already, in one transaction that the request itself commits. A
//! statement that proved too large is left alone for a while ([`Attempts`]).

use std::sync::atomic::{AtomicU32, Ordering};

use millrace_model::{ErrorKind, Result};
use millrace_store::non_blocking;

use crate::limits::NON_BLOCKING_BYTES_MAX;
use crate::request::RequestLimits;

/// Runs work on this thread without blocking, within these limits: no file is read, nothing is scanned, few
/// rows are walked, little is held, and a commit is queued but not waited for. `None` where that does not
/// suffice; then nothing has happened, and the work is begun anew on a thread that may block.
pub fn attempt<T>(
    limits: &RequestLimits,
    work: impl FnOnce(RequestLimits) -> Result<T>,
) -> Option<Result<T>> {
    let bytes_max = limits.bytes_max.min(NON_BLOCKING_BYTES_MAX);
    let few = RequestLimits { bytes_max, ..limits.clone() };
    non_blocking::try_run(|| {
        let done = work(few);
        if done.as_ref().is_err_and(|error| error.kind == ErrorKind::LimitReached) {
            // It may hold more where it may take longer; unless it has had an effect already.
            let _queued = non_blocking::would_block();
        }
        done
    })
}

/// How attempts of one statement went: after each that gave nothing in a row, twice as many runs pass before
/// the next.
#[derive(Debug, Default)]
pub(crate) struct Attempts {
    failures: AtomicU32,
    /// Runs that are not tried.
    skips: AtomicU32,
}

/// The doublings of the runs that are not tried, at most.
const DOUBLINGS_MAX: u32 = 10;

impl Attempts {
    /// Fails like a run that would block if the statement had better not be tried now. Nothing outside of an
    /// attempt.
    pub(crate) fn check(&self) -> Result<()> {
        if !non_blocking::is_required() || self.skips.load(Ordering::Relaxed) == 0 {
            return Ok(());
        }
        // Two threads may count the same run: then it is tried a little later.
        self.skips.fetch_sub(1, Ordering::Relaxed);
        non_blocking::would_block()
    }

    /// Notes how a run went, if it was an attempt.
    pub(crate) fn note<T>(&self, run: &Result<T>) {
        if !non_blocking::is_required() {
            return;
        }
        let is_over_memory = run.as_ref().is_err_and(|error| error.kind == ErrorKind::LimitReached);
        if !is_over_memory && !non_blocking::has_failed() {
            self.failures.store(0, Ordering::Relaxed);
            return;
        }
        let failures = self.failures.load(Ordering::Relaxed);
        self.skips.store(1 << failures, Ordering::Relaxed);
        self.failures.store((failures + 1).min(DOUBLINGS_MAX), Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many runs pass until one is tried.
    fn skipped(attempts: &Attempts) -> usize {
        let is_tried = || non_blocking::try_run(|| attempts.check().is_ok()).is_some();
        (0..).take_while(|_| !is_tried()).count()
    }

    fn fail(attempts: &Attempts) {
        non_blocking::try_run(|| {
            attempts.note(&non_blocking::would_block());
        });
    }

    #[test]
    fn a_statement_that_failed_is_tried_ever_more_seldom_until_it_succeeds() {
        let attempts = Attempts::default();
        assert_eq!(skipped(&attempts), 0);
        for expected in [1, 2, 4, 8] {
            fail(&attempts);
            assert_eq!(skipped(&attempts), expected);
        }
        (0..20).for_each(|_| fail(&attempts));
        assert_eq!(skipped(&attempts), 1 << DOUBLINGS_MAX);
        non_blocking::try_run(|| attempts.note(&Ok(())));
        fail(&attempts);
        assert_eq!(skipped(&attempts), 1);
        assert!(attempts.check().is_ok(), "a thread that may block always runs");
    }
}
