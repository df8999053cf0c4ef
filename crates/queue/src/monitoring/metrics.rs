//! The numbers of a queue.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use millrace_db::{Metric, MetricKind};
use parking_lot::Mutex;

use crate::messages::Message;

/// Every metric: name, labels beside `queue`, help. The reference page is made of it.
pub const METRICS: &[(&str, MetricKind, &str, &str)] = &[
    (
        MESSAGES,
        MetricKind::Counter,
        "outcome",
        "Messages by outcome: committed; unkeyed, which is committed without a \
        key; repeated, which was applied before; dead.",
    ),
    (BATCH, MetricKind::Histogram, "", "Messages of a transaction."),
    (
        LATENCY,
        MetricKind::Histogram,
        "",
        "Seconds from the publication of a message, as its timestamp says, until it was \
        visible.",
    ),
    (UNACKNOWLEDGED, MetricKind::Gauge, "", "Messages received and not yet acknowledged."),
    (
        READY,
        MetricKind::Gauge,
        "",
        "Messages that wait in the broker, as it said a few seconds ago.",
    ),
    (RECONNECTS, MetricKind::Counter, "", "Connections to the broker that were lost."),
    (WAITING, MetricKind::Gauge, "", "1 while the queue waits or has stopped; /health says why."),
];

const MESSAGES: &str = "millrace_queue_messages_total";
const BATCH: &str = "millrace_queue_batch_messages";
const LATENCY: &str = "millrace_queue_latency_seconds";
const UNACKNOWLEDGED: &str = "millrace_queue_unacknowledged";
const READY: &str = "millrace_queue_ready";
const RECONNECTS: &str = "millrace_queue_reconnects_total";
const WAITING: &str = "millrace_queue_waiting";

const BATCH_BOUNDS: &[f64] =
    &[1.0, 10.0, 50.0, 100.0, 250.0, 500.0, 1_000.0, 2_500.0, 5_000.0, 10_000.0, f64::INFINITY];
const LATENCY_BOUNDS: &[f64] =
    &[0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 60.0, 600.0, f64::INFINITY];

/// What became of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Committed,
    Unkeyed,
    Repeated,
    Dead,
}

const OUTCOMES: [(Outcome, &str); 4] = [
    (Outcome::Committed, "committed"),
    (Outcome::Unkeyed, "unkeyed"),
    (Outcome::Repeated, "repeated"),
    (Outcome::Dead, "dead"),
];

#[derive(Default)]
pub(crate) struct QueueMetrics {
    outcomes: [AtomicU64; OUTCOMES.len()],
    batches: Histogram,
    latencies: Histogram,
    received: AtomicU64,
    acknowledged: AtomicU64,
    ready: Arc<AtomicU64>,
    reconnects: AtomicU64,
}

#[derive(Default)]
struct Histogram(Mutex<(Vec<u64>, f64)>);

impl Histogram {
    fn observe(&self, bounds: &[f64], sizes: impl Iterator<Item = f64>) {
        let mut state = self.0.lock();
        state.0.resize(bounds.len(), 0);
        for size in sizes {
            let bucket = bounds.partition_point(|bound| *bound < size);
            state.0[bucket.min(bounds.len() - 1)] += 1;
            state.1 += size;
        }
    }

    fn metric(&self, name: &str, help: &str, bounds: &[f64]) -> Metric {
        let mut state = self.0.lock();
        state.0.resize(bounds.len(), 0);
        let buckets = bounds.iter().copied().zip(state.0.iter().copied()).collect();
        Metric::histogram(name, help, state.1, buckets)
    }
}

impl QueueMetrics {
    pub(crate) fn new(ready: Arc<AtomicU64>) -> QueueMetrics {
        QueueMetrics { ready, ..QueueMetrics::default() }
    }

    pub(crate) fn count(&self, outcome: Outcome, count: usize) {
        let at = OUTCOMES.iter().position(|(known, _)| *known == outcome).unwrap_or_default();
        self.outcomes[at].fetch_add(count as u64, Ordering::Relaxed);
    }

    pub(crate) fn outcome(&self, outcome: Outcome) -> u64 {
        let at = OUTCOMES.iter().position(|(known, _)| *known == outcome).unwrap_or_default();
        self.outcomes[at].load(Ordering::Relaxed)
    }

    /// A transaction is visible.
    pub(crate) fn visible<'m>(&self, messages: impl Iterator<Item = &'m Message> + Clone) {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let now_ms = now.as_millis() as u64;
        self.batches.observe(BATCH_BOUNDS, std::iter::once(messages.clone().count() as f64));
        let latency = |message: &Message| {
            Some(now_ms.saturating_sub(message.published_ms()?) as f64 / 1_000.0)
        };
        self.latencies.observe(LATENCY_BOUNDS, messages.filter_map(latency));
    }

    pub(crate) fn received(&self, count: usize) {
        self.received.fetch_add(count as u64, Ordering::Relaxed);
    }

    pub(crate) fn acknowledged(&self, count: usize) {
        self.acknowledged.fetch_add(count as u64, Ordering::Relaxed);
    }

    /// A connection is lost: what was not acknowledged is the broker's again.
    pub(crate) fn disconnected(&self, unacknowledged: usize) {
        self.acknowledged(unacknowledged);
        self.reconnects.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn metrics(&self, queue: &str, is_waiting: bool) -> Vec<Metric> {
        let help = |name: &str| {
            METRICS.iter().find(|row| row.0 == name).map_or("", |(_, _, _, help)| *help)
        };
        let number = |counter: &AtomicU64| counter.load(Ordering::Relaxed) as f64;
        let labels = vec![("queue", queue.to_owned())];
        let labelled = |metric: Metric| Metric { labels: labels.clone(), ..metric };
        let mut metrics: Vec<Metric> = OUTCOMES
            .iter()
            .map(|(outcome, word)| {
                let count = self.outcome(*outcome) as f64;
                let labels = vec![("queue", queue.to_owned()), ("outcome", (*word).to_owned())];
                Metric { labels, ..Metric::counter(MESSAGES, help(MESSAGES), count) }
            })
            .collect();
        let unacknowledged = (number(&self.received) - number(&self.acknowledged)).max(0.0);
        metrics.extend([
            labelled(self.batches.metric(BATCH, help(BATCH), BATCH_BOUNDS)),
            labelled(self.latencies.metric(LATENCY, help(LATENCY), LATENCY_BOUNDS)),
            labelled(Metric::gauge(UNACKNOWLEDGED, help(UNACKNOWLEDGED), unacknowledged)),
            labelled(Metric::gauge(READY, help(READY), number(&self.ready))),
            labelled(Metric::counter(RECONNECTS, help(RECONNECTS), number(&self.reconnects))),
            labelled(Metric::gauge(WAITING, help(WAITING), f64::from(u8::from(is_waiting)))),
        ]);
        metrics
    }
}

/// The reference page, as Markdown.
pub fn reference_page() -> String {
    let mut page = String::from(
        "# Metrics of queues\n\nWhat `GET /metrics` shows besides where the settings have queues. Generated from the table; do not \
         edit. Each has the\nlabel `queue`, the NAME of the settings.\n\n| name | kind | labels | what it says |\n\
         |---|---|---|---|\n",
    );
    for (name, kind, label, help) in METRICS {
        let kind = format!("{kind:?}").to_lowercase();
        let label = if label.is_empty() { String::new() } else { format!(", `{label}`") };
        page.push_str(&format!("| `{name}` | {kind} | `queue`{label} | {help} |\n"));
    }
    page
}
