//! Requests by route and status, queries by outcome, and how long they took; and the text of `/metrics`.
//!
//! What happens is counted in families of `prometheus-client`. What is only read when the page is asked
//! for (the database's numbers, connections, threads) comes as [`Metric`]s and is encoded by a collector.

use std::fmt;
use std::time::{Duration, Instant};

use millrace_db::{Metric, MetricKind};
use millrace_model::{ErrorKind, Result};
use millrace_wire::gremlin::status;
use prometheus_client::collector::Collector;
use prometheus_client::encoding::{
    DescriptorEncoder, EncodeLabelSet, MetricEncoder, NoLabelSet, prometheus_text,
};
use prometheus_client::metrics::MetricType;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::Registry;

use crate::limits::LATENCY_BOUNDS;

/// Histograms of seconds by labels.
type Latencies<L> = Family<L, Histogram, fn() -> Histogram>;

/// What a server counts.
pub(crate) struct HttpMetrics {
    requests: Family<Request, Counter>,
    request_seconds: Latencies<Route>,
    query_seconds: Latencies<Query>,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Request {
    route: &'static str,
    status: u16,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Route {
    route: &'static str,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Query {
    language: &'static str,
    kind: &'static str,
    outcome: &'static str,
}

/// A request under way, counted when it ends.
pub(crate) struct Answered {
    route: &'static str,
    began: Instant,
}

impl Answered {
    /// Begins now.
    pub(crate) fn begin(route: &'static str) -> Answered {
        Answered { route, began: Instant::now() }
    }

    /// Counts it by its outcome, as a status code of its protocol.
    pub(crate) fn end<T>(self, metrics: &HttpMetrics, done: &Result<T>) {
        let code = done.as_ref().map_or_else(status::of_error, |_| status::SUCCESS);
        self.end_with(metrics, code);
    }

    /// The same by the code itself.
    pub(crate) fn end_with(self, metrics: &HttpMetrics, code: u16) {
        metrics.answered(self.route, code, self.began.elapsed());
    }
}

impl Default for HttpMetrics {
    fn default() -> HttpMetrics {
        HttpMetrics {
            requests: Family::default(),
            request_seconds: Latencies::new_with_constructor(seconds),
            query_seconds: Latencies::new_with_constructor(seconds),
        }
    }
}

fn seconds() -> Histogram {
    Histogram::new(LATENCY_BOUNDS)
}

impl HttpMetrics {
    /// Counts a request that was answered.
    pub(crate) fn answered(&self, route: &'static str, status: u16, took: Duration) {
        self.requests.get_or_create(&Request { route, status }).inc();
        self.request_seconds.get_or_create(&Route { route }).observe(took.as_secs_f64());
    }

    /// Counts a query of a language that ended. Its time includes waiting for a thread and for its commit.
    pub(crate) fn ended(
        &self,
        (language, kind): (&'static str, &'static str),
        outcome: std::result::Result<(), ErrorKind>,
        took: Duration,
    ) {
        let query = Query { language, kind, outcome: word(outcome) };
        self.query_seconds.get_or_create(&query).observe(took.as_secs_f64());
    }

    /// The text encoder ends each help with a full stop.
    fn register(&self, registry: &mut Registry) {
        registry.register(
            "millrace_http_requests",
            "Requests that were answered, by route and status",
            self.requests.clone(),
        );
        registry.register(
            "millrace_http_request_seconds",
            "How long requests took, by route",
            self.request_seconds.clone(),
        );
        registry.register(
            "millrace_query_seconds",
            "How long queries took until their commit was visible, by language, kind and outcome",
            self.query_seconds.clone(),
        );
    }
}

/// How a query ended, by what can be done about it.
fn word(outcome: std::result::Result<(), ErrorKind>) -> &'static str {
    let Err(kind) = outcome else { return "answered" };
    match kind {
        ErrorKind::BadQuery
        | ErrorKind::BadInput
        | ErrorKind::Failed
        | ErrorKind::Unsupported
        | ErrorKind::Constraint
        | ErrorKind::NotFound
        | ErrorKind::AlreadyExists
        | ErrorKind::Forbidden => "refused",
        ErrorKind::Conflict => "conflict",
        ErrorKind::LimitReached => "limit",
        ErrorKind::DeadlineExceeded => "deadline",
        ErrorKind::Cancelled => "cancelled",
        ErrorKind::ReadOnly | ErrorKind::Unavailable => "unavailable",
        ErrorKind::OutcomeUnknown => "unknown",
        ErrorKind::Corrupt | ErrorKind::Io | ErrorKind::Bug => "failed",
    }
}

/// Numbers of the moment.
#[derive(Debug)]
struct Numbers(Vec<Metric>);

impl Collector for Numbers {
    /// Writes the families in the order of their names.
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> fmt::Result {
        let mut metrics: Vec<&Metric> = self.0.iter().collect();
        // Stable: within a family the order stays.
        metrics.sort_by_key(|metric| metric.name.as_str());
        for family in metrics.chunk_by(|one, next| one.name == next.name) {
            let Metric { name, help, kind, .. } = family[0];
            // The encoder adds the suffix of counters.
            let (name, kind) = match kind {
                MetricKind::Counter => {
                    (name.strip_suffix("_total").unwrap_or(name), MetricType::Counter)
                }
                MetricKind::Gauge => (name.as_str(), MetricType::Gauge),
                MetricKind::Histogram => (name.as_str(), MetricType::Histogram),
            };
            let mut family_encoder = encoder.encode_descriptor(name, help, None, kind)?;
            for metric in family {
                write_number(&mut family_encoder.encode_family(&metric.labels)?, metric)?;
            }
        }
        Ok(())
    }
}

/// A whole number is written without a point.
fn write_number(sample: &mut MetricEncoder<'_>, metric: &Metric) -> fmt::Result {
    let (value, whole) = (metric.value, metric.value as i64);
    match (metric.kind, whole as f64 == value) {
        (MetricKind::Counter, true) => {
            sample.encode_counter::<NoLabelSet, u64, u64>(&(whole as u64), None)
        }
        (MetricKind::Counter, false) => sample.encode_counter::<NoLabelSet, f64, u64>(&value, None),
        (MetricKind::Gauge, true) => sample.encode_gauge(&whole),
        (MetricKind::Gauge, false) => sample.encode_gauge(&value),
        (MetricKind::Histogram, _) => {
            let count = metric.buckets.iter().map(|(_, count)| count).sum();
            sample.encode_histogram::<NoLabelSet>(value, count, &metric.buckets, None)
        }
    }
}

/// The text of `/metrics`: what was counted, and numbers of the moment.
pub(crate) fn text(counted: &HttpMetrics, numbers: Vec<Metric>) -> String {
    let mut registry = Registry::default();
    counted.register(&mut registry);
    registry.register_collector(Box::new(Numbers(numbers)));
    let mut text = String::new();
    prometheus_text::encode(&mut text, &registry).expect("a string takes any text");
    text
}
