//! The outcome of a run.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::measure::Histogram;

/// The outcome of a run. The warm-up is left out but for its count.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// From the end of the warm-up until nothing more was sent.
    pub measured: Duration,
    /// Requests that were due in that time.
    pub requests: u64,
    /// Those that were answered without an error.
    pub answered: u64,
    /// Those of them that were answered before nothing more was due.
    pub answered_in_time: u64,
    /// Errors by code: of the protocol, or `closed` (the connection ended) or `unanswered`.
    pub errors: BTreeMap<String, ErrorCount>,
    /// From due to the last frame of the answer: of all that were answered without an error, and, with
    /// the time they waited, of those that never were answered.
    pub latencies: Histogram,
    /// Second by second, behind the last request as long as there were answers.
    pub seconds: Vec<Second>,
    /// Most requests that were under way at once, the warm-up included.
    pub active_max: u64,
    /// How late a sender itself was at worst: because the connection took nothing, or the client has
    /// too few processors.
    pub sender_behind_max: Duration,
    /// Requests of the warm-up.
    pub warm_up_requests: u64,
    /// Seconds of processor time of this process, where the system reports it.
    pub client_cpu_seconds: Option<f64>,
    /// The server's processor time for each request, the warm-up's among them, if that was asked for.
    pub server_time: Option<RequestTime>,
}

/// The processor time of one request.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RequestTime {
    /// Microseconds of all threads.
    pub whole: f64,
    /// Those of threads by name, most first.
    pub parts: Vec<(String, f64)>,
}

/// Errors of one code.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ErrorCount {
    /// How many.
    pub count: u64,
    /// The message of the first.
    pub first: String,
}

/// One second of a run.
#[derive(Clone, Debug, Default)]
pub struct Second {
    /// Requests that were due in it.
    pub requests: u64,
    /// Answers without an error that came in it.
    pub answered: u64,
    /// Errors that came in it.
    pub errors: u64,
    /// Most requests that were under way at once in it.
    pub active: u64,
    /// Latencies of requests that were due in it.
    pub latencies: Histogram,
}

impl Outcome {
    /// All errors.
    pub fn error_count(&self) -> u64 {
        self.errors.values().map(|error| error.count).sum()
    }

    /// Answers without an error a second, while requests were sent.
    pub fn rate(&self) -> f64 {
        self.answered_in_time as f64 / self.measured.as_secs_f64().max(f64::EPSILON)
    }
}
