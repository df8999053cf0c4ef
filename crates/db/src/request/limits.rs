//! How long a request may take, how much it may hold, and how it is stopped.

use std::sync::Arc;
use std::time::{Duration, Instant};

use millrace_engine::Limits;
use millrace_engine::limits::PENDING_EDGES_MAX;
use millrace_model::query_limits::QueryLimits;
use millrace_model::{Error, ErrorKind, Result};
use millrace_plan::language::Options;
use millrace_store::{ConflictUnit, Isolation, non_blocking};

use super::pinned::Pinned;
use super::trace::Trace;
use crate::resources::fair_queue::Client;
use crate::settings::Settings;
pub use millrace_engine::{Caller, CancelFlag};

/// How long and how large a request may be, and how it is stopped.
#[derive(Clone, Debug)]
pub struct RequestLimits {
    /// When it must be done.
    pub deadline: Option<Instant>,
    /// Bytes it may hold.
    pub bytes_max: u64,
    /// Bytes of its answer, if it is a script.
    pub answer_bytes_max: u64,
    /// Pending edges of a script at most: edges that it adds one by one and that are created together.
    /// With 1 each is created at once, with 0 a plan creates it: only the run time depends on it.
    pub pending_edges_max: usize,
    /// How its transaction is isolated, unless its graph demands more.
    pub isolation: Isolation,
    /// What it and another that sets properties of the same element conflict on.
    pub conflicts_on: ConflictUnit,
    /// Whether its commit changes a vertex that it made and that another made meanwhile under the same id, where
    /// conflicts are by key. For transactions that their client ends: others are run again.
    pub merges_created: bool,
    /// The snapshot that its transaction begins on; else the newest. A write conflict under it is never retried
    /// with success, so it is for transactions that their client ends.
    pub pinned: Option<Pinned>,
    /// The client, for its share of the threads.
    pub client: Client,
    /// What procedures may know of the client.
    pub caller: Option<Arc<Caller>>,
    /// Stops it from another thread.
    pub cancel: CancelFlag,
    /// Measurements for the log of slow queries, where that is on.
    pub trace: Trace,
}

impl RequestLimits {
    /// Limits of a request that begins now, with a deadline in milliseconds.
    pub fn within(deadline_ms: u64, settings: &Settings) -> RequestLimits {
        RequestLimits {
            deadline: Instant::now().checked_add(Duration::from_millis(deadline_ms)),
            bytes_max: settings.query.bytes_max,
            answer_bytes_max: settings.scripts.answer_bytes_max,
            pending_edges_max: PENDING_EDGES_MAX,
            isolation: Isolation::Snapshot,
            conflicts_on: ConflictUnit::Record,
            merges_created: false,
            pinned: None,
            client: Client::default(),
            caller: None,
            cancel: CancelFlag::default(),
            trace: Trace::of(settings),
        }
    }

    pub(crate) fn of_engine(&self) -> (Limits, CancelFlag) {
        let (deadline, memory_bytes_max) = (self.deadline, self.bytes_max);
        (Limits { deadline, memory_bytes_max, ..Limits::default() }, self.cancel.clone())
    }

    /// How long it may still take; `None`: it has no deadline.
    pub(crate) fn time_left(&self) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }

    /// Whether the time is up or the request was cancelled.
    pub fn is_over(&self) -> bool {
        self.check().is_err()
    }

    /// Fails once the time is up or the request was cancelled.
    pub fn check(&self) -> Result<()> {
        if self.cancel.is_cancelled() {
            return Err(Error::new(ErrorKind::Cancelled, "the request was cancelled"));
        }
        if self.deadline.is_some_and(|deadline| deadline <= Instant::now()) {
            let detail = "the deadline passed before the request ran";
            return Err(Error::new(ErrorKind::DeadlineExceeded, detail)
                .with_help("try again later, or raise the deadline"));
        }
        Ok(())
    }

    /// The limits of a statement with options of its own, within those of its request.
    pub(crate) fn with_options(&self, options: Options) -> RequestLimits {
        let mut limits = self.clone();
        let own = options.timeout_ms.map(Duration::from_millis);
        let own = own.and_then(|timeout| Instant::now().checked_add(timeout));
        limits.deadline = match (own, limits.deadline) {
            (Some(own), Some(request)) => Some(own.min(request)),
            (own, request) => own.or(request),
        };
        if options.serializable {
            limits.isolation = Isolation::Serializable;
        }
        limits
    }
}

/// In force while a statement is made ready, and while its language writes an answer: nothing of that is charged.
impl QueryLimits for RequestLimits {
    fn check(&self) -> Result<()> {
        RequestLimits::check(self)
    }

    fn require_room(&self, _bytes: u64) -> Result<()> {
        Ok(())
    }

    fn begin_long_work(&self) -> Result<()> {
        non_blocking::would_block()?;
        self.check()
    }
}
