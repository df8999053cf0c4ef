//! Counters and gauges, as plain values. Their text formats are defined elsewhere.

use std::sync::atomic::{AtomicU64, Ordering};

/// How a metric moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MetricKind {
    /// Only up.
    Counter,
    /// Up and down.
    Gauge,
    /// Counts by size; the value is the sum.
    Histogram,
}

/// One number with a name.
#[derive(Clone, Debug, PartialEq)]
pub struct Metric {
    /// Its name.
    pub name: String,
    /// The help text.
    pub help: String,
    /// How it moves.
    pub kind: MetricKind,
    /// Names and values that distinguish it from others of its name.
    pub labels: Vec<(&'static str, String)>,
    /// The number.
    pub value: f64,
    /// Of a histogram: the upper bound of each bucket, and the count in it alone; the last bound is infinite.
    pub buckets: Vec<(f64, u64)>,
}

/// The counters of a database.
#[derive(Debug, Default)]
pub(crate) struct Counters {
    scripts_answered: AtomicU64,
    scripts_failed: AtomicU64,
    write_conflicts: AtomicU64,
    loads_ended: AtomicU64,
    rows_loaded: AtomicU64,
}

impl Counters {
    pub(crate) fn script_ended(&self, is_answered: bool) {
        let counter = if is_answered { &self.scripts_answered } else { &self.scripts_failed };
        counter.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn write_conflict_met(&self) {
        self.write_conflicts.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn load_ended(&self, rows: u64) {
        self.loads_ended.fetch_add(1, Ordering::Relaxed);
        self.rows_loaded.fetch_add(rows, Ordering::Relaxed);
    }

    pub(crate) fn metrics(&self) -> Vec<Metric> {
        let number = |counter: &AtomicU64| counter.load(Ordering::Relaxed) as f64;
        let counter = |name: &str, help: &str, value: f64| Metric::counter(name, help, value);
        let scripts = |outcome: &str, value: f64| Metric {
            labels: vec![("outcome", outcome.to_owned())],
            ..counter("millrace_scripts_total", "Finished scripts, by outcome.", value)
        };
        vec![
            scripts("answered", number(&self.scripts_answered)),
            scripts("failed", number(&self.scripts_failed)),
            counter(
                "millrace_write_conflicts_total",
                "Transactions retried after a write conflict.",
                number(&self.write_conflicts),
            ),
            counter("millrace_loads_total", "Finished loads.", number(&self.loads_ended)),
            counter("millrace_rows_loaded_total", "Rows read by loads.", number(&self.rows_loaded)),
        ]
    }
}

impl Metric {
    /// A counter without labels.
    pub fn counter(name: &str, help: &str, value: f64) -> Metric {
        let (kind, labels) = (MetricKind::Counter, Vec::new());
        let buckets = Vec::new();
        Metric { name: name.to_owned(), help: help.to_owned(), kind, labels, value, buckets }
    }

    /// A gauge without labels.
    pub fn gauge(name: &str, help: &str, value: f64) -> Metric {
        Metric { kind: MetricKind::Gauge, ..Metric::counter(name, help, value) }
    }

    /// A histogram without labels: the sum of all sizes, and the count in each bucket.
    pub fn histogram(name: &str, help: &str, sum: f64, buckets: Vec<(f64, u64)>) -> Metric {
        let kind = MetricKind::Histogram;
        Metric { kind, buckets, ..Metric::counter(name, help, sum) }
    }
}
