//! Latencies in reports: in milliseconds, the same percentiles everywhere.

use std::time::Duration;

use crate::measure::Histogram;

/// The percentiles that are reported.
pub(crate) const PERCENTILES: [(&str, f64); 5] =
    [("p50", 50.0), ("p90", 90.0), ("p95", 95.0), ("p99", 99.0), ("p99.9", 99.9)];

/// A duration in milliseconds.
pub(crate) fn millis(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1e3
}

/// A percentile in milliseconds.
pub(crate) fn percentile(latencies: &Histogram, percent: f64) -> f64 {
    millis(latencies.percentile(percent))
}
