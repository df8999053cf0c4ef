//! Bounds that all load generators share.

/// Requests a second.
pub(crate) const RATE_MAX: f64 = 1e6;

/// Runs of a search for the highest rate.
pub(crate) const SEARCH_RUNS_MAX: usize = 40;

/// Seconds of a run.
pub(crate) const SECONDS_MAX: f64 = 86_400.0;
