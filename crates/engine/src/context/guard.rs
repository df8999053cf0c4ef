//! What stops a query: its deadline, its memory budget, its bound of rows, its cancel flag.
//!
//! A budget is charged for the data that is *reserved* (barriers, accumulators, results), not for the
//! data that passes through.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

use millrace_model::query_limits::QueryLimits;
use millrace_model::{Error, ErrorKind, MemoryBudget, MemoryShare, Result};
use millrace_store::non_blocking;

use crate::limits;

/// How long and how large a query may be.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// When it must be done.
    pub deadline: Option<Instant>,
    /// Bytes it may hold.
    pub memory_bytes_max: u64,
    /// Rows it may give, equal ones counted each.
    pub result_rows_max: u64,
    /// The most rows in a batch between operators, except where an operator wants all of them. The
    /// result of a query does not depend on it.
    pub batch_rows_max: usize,
    /// The elements of a piece of scans that threads share, however small the scan; none: as it suits. The result of a query
    /// does not depend on it.
    pub piece_elements: Option<u64>,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            deadline: None,
            memory_bytes_max: limits::MEMORY_BYTES_DEFAULT,
            result_rows_max: limits::RESULT_ROWS_DEFAULT,
            batch_rows_max: limits::COLLECTED_ROWS_MAX,
            piece_elements: None,
        }
    }
}

/// Stops a query from another thread.
#[derive(Clone, Debug, Default)]
pub struct CancelFlag(Arc<AtomicBool>);

impl CancelFlag {
    /// Asks the query to stop.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether it was asked to stop.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Deadline, budget and cancel flag, as threads of one query share them.
#[derive(Debug)]
pub(crate) struct Guard {
    limits: Limits,
    cancel: CancelFlag,
    reserved_bytes: AtomicU64,
    peak_bytes: AtomicU64,
    /// The query's share of the process's memory budget.
    share: Option<Arc<MemoryShare>>,
}

impl Guard {
    pub(super) fn new(limits: Limits, cancel: CancelFlag, memory: Option<&MemoryBudget>) -> Guard {
        let (reserved_bytes, peak_bytes) = (AtomicU64::new(0), AtomicU64::new(0));
        let share = memory.map(|memory| Arc::new(memory.share()));
        Guard { limits, cancel, reserved_bytes, peak_bytes, share }
    }

    /// The guard of what runs next, where runs that are not at their end still hold so many bytes.
    pub(super) fn followed_by(&self, limits: Limits, cancel: CancelFlag, held: u64) -> Guard {
        let peak_bytes = AtomicU64::new(self.peak_bytes());
        let share = self.share.clone();
        Guard { limits, cancel, reserved_bytes: AtomicU64::new(held), peak_bytes, share }
    }

    /// Fails once the query was cancelled or its time is up.
    pub(crate) fn check(&self) -> Result<()> {
        self.check_cancelled()?;
        match self.limits.deadline {
            Some(deadline) if deadline <= Instant::now() => Err(Error::new(
                ErrorKind::DeadlineExceeded,
                "the query ran into its deadline and was stopped",
            )
            .with_help("ask for less, or raise the deadline")),
            _ => Ok(()),
        }
    }

    pub(super) fn check_cancelled(&self) -> Result<()> {
        // Whatever runs for long asks here; so no attempt on a socket's thread does.
        non_blocking::walk(limits::NON_BLOCKING_ROWS_PER_CHECK)?;
        if self.cancel.is_cancelled() {
            return Err(Error::new(ErrorKind::Cancelled, "the query was cancelled"));
        }
        self.share.as_ref().map_or(Ok(()), |share| share.check())
    }

    /// Counts bytes reserved; fails over the budget, and then does not count them.
    pub(crate) fn charge(&self, bytes: u64) -> Result<()> {
        let before = self.reserved_bytes.fetch_add(bytes, Ordering::Relaxed);
        let reserved = before.saturating_add(bytes);
        self.peak_bytes.fetch_max(reserved, Ordering::Relaxed);
        let done = match reserved <= self.limits.memory_bytes_max {
            true => self.share.as_ref().map_or(Ok(()), |share| share.reserve(reserved)),
            false => Err(self.over_memory()),
        };
        done.inspect_err(|_| self.release(bytes))
    }

    /// Fails where so many bytes more would be over the budget; holds none of them.
    pub(crate) fn require_room(&self, bytes: u64) -> Result<()> {
        self.charge(bytes)?;
        self.release(bytes);
        Ok(())
    }

    fn over_memory(&self) -> Error {
        let limit = self.limits.memory_bytes_max;
        let detail = format!("the query's memory limit of {limit} bytes is reached");
        Error::new(ErrorKind::LimitReached, detail)
            .with_help("ask for less at once, or raise the memory limit")
    }

    /// Fails where a result of so many rows is beyond the limit.
    pub(crate) fn check_result(&self, rows: u64) -> Result<()> {
        let limit = self.limits.result_rows_max;
        if rows <= limit {
            return Ok(());
        }
        let detail = format!("the query's result is larger than the limit of {limit} rows");
        Err(Error::new(ErrorKind::LimitReached, detail)
            .with_help("ask for fewer rows, or raise the limit"))
    }

    /// So many rows in a batch, or fewer where fewer are allowed; one at least.
    pub(crate) fn batch_rows(&self, wanted: usize) -> usize {
        wanted.min(self.limits.batch_rows_max).max(1)
    }

    /// The elements of a piece of shared scans, where that is said.
    pub(crate) fn piece_elements(&self) -> Option<u64> {
        self.limits.piece_elements
    }

    /// Gives bytes back.
    pub(crate) fn release(&self, bytes: u64) {
        let less = |reserved: u64| Some(reserved.saturating_sub(bytes));
        let _ = self.reserved_bytes.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less);
        if let Some(share) = &self.share {
            // A share that shrinks is never refused.
            let _smaller = share.reserve(self.reserved_bytes());
        }
    }

    /// The most bytes reserved at once, wanted ones included.
    pub(crate) fn peak_bytes(&self) -> u64 {
        self.peak_bytes.load(Ordering::Relaxed)
    }

    /// Bytes used now.
    pub(crate) fn reserved_bytes(&self) -> u64 {
        self.reserved_bytes.load(Ordering::Relaxed)
    }
}

impl QueryLimits for Guard {
    fn check(&self) -> Result<()> {
        Guard::check(self)
    }

    fn require_room(&self, bytes: u64) -> Result<()> {
        Guard::require_room(self, bytes)
    }

    fn begin_long_work(&self) -> Result<()> {
        non_blocking::would_block()?;
        self.check()
    }
}
