//! Requests by route and status, and how long they took; with the database's numbers, `/metrics`.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use millrace_db::{Metric, MetricKind};
use millrace_model::Result;
use millrace_wire::gremlin::status;
use millrace_wire::prometheus::{Sample, text};

use crate::limits::LATENCY_BOUNDS;
use crate::state::State;
use crate::users;

/// The counters of a server.
#[derive(Default)]
pub(crate) struct HttpMetrics {
    /// Requests of web pages that the gate refused.
    refused_pages: AtomicU64,
    families: Mutex<BTreeMap<&'static str, Family>>,
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
    pub(crate) fn end<T>(self, state: &State, done: &Result<T>) {
        let code =
            done.as_ref().map_or_else(|error| status::of_kind(error.kind), |_| status::SUCCESS);
        self.end_with(state, code);
    }

    /// The same by the code itself.
    pub(crate) fn end_with(self, state: &State, code: u16) {
        state.metrics.answered(self.route, code, self.began.elapsed());
    }
}

/// The requests of one kind.
#[derive(Default)]
struct Family {
    statuses: BTreeMap<u16, u64>,
    buckets: [u64; LATENCY_BOUNDS.len()],
    count: u64,
    seconds: f64,
}

impl HttpMetrics {
    /// Counts a request that was answered.
    pub(crate) fn answered(&self, route: &'static str, status: u16, took: Duration) {
        let mut families = self.families.lock().unwrap_or_else(PoisonError::into_inner);
        let family = families.entry(route).or_default();
        let seconds = took.as_secs_f64();
        *family.statuses.entry(status).or_default() += 1;
        for (bound, bucket) in LATENCY_BOUNDS.iter().zip(&mut family.buckets) {
            *bucket += u64::from(seconds <= *bound);
        }
        family.count += 1;
        family.seconds += seconds;
    }

    /// Counts a request of a web page that was refused.
    pub(crate) fn refused_page(&self) {
        self.refused_pages.fetch_add(1, Ordering::Relaxed);
    }

    fn samples(&self) -> Vec<Sample> {
        let families = self.families.lock().unwrap_or_else(PoisonError::into_inner);
        let mut samples = Vec::new();
        for (route, family) in families.iter() {
            for (status, count) in &family.statuses {
                let mut sample = requests(route, *count);
                sample.labels.push(("status", status.to_string()));
                samples.push(sample);
            }
        }
        for (route, family) in families.iter() {
            for (bound, count) in LATENCY_BOUNDS.iter().zip(&family.buckets) {
                let mut sample = latency(route, "_bucket", *count as f64);
                sample.labels.push(("le", bound.to_string()));
                samples.push(sample);
            }
            let mut whole = latency(route, "_bucket", family.count as f64);
            whole.labels.push(("le", "+Inf".to_owned()));
            samples.push(whole);
            samples.push(latency(route, "_sum", family.seconds));
            samples.push(latency(route, "_count", family.count as f64));
        }
        samples
    }
}

fn requests(route: &str, count: u64) -> Sample {
    Sample {
        family: "millrace_http_requests_total".to_owned(),
        help: "Answered requests, by route and status.".to_owned(),
        kind: "counter",
        suffix: "",
        labels: vec![("route", route.to_owned())],
        value: count as f64,
    }
}

fn latency(route: &str, suffix: &'static str, value: f64) -> Sample {
    Sample {
        family: "millrace_http_request_seconds".to_owned(),
        help: "Durations of requests in seconds, by route.".to_owned(),
        kind: "histogram",
        suffix,
        labels: vec![("route", route.to_owned())],
        value,
    }
}

/// The text of `/metrics`.
pub(crate) fn page(state: &State) -> String {
    let build = Metric::gauge("millrace_build_info", "The version, as a label.", 1.0);
    let mut samples = vec![plain(build, vec![("version", env!("CARGO_PKG_VERSION").to_owned())])];
    let labelled = |mut metric: Metric| {
        let labels = std::mem::take(&mut metric.labels);
        plain(metric, labels)
    };
    samples.extend(of_requests(state).into_iter().map(labelled));
    samples.extend(of_connections(state));
    samples.extend(state.metrics.samples());
    samples.extend(state.database.metrics().into_iter().map(labelled));
    text(&samples)
}

/// Requests, and the threads that run them.
fn of_requests(state: &State) -> Vec<Metric> {
    let counts = state.executor.counts();
    let inline = ["answered", "handed_on"].into_iter().zip(counts.inline);
    let inline = inline.map(|(outcome, count)| Metric {
        labels: vec![("outcome", outcome.to_owned())],
        ..Metric::counter(
            "millrace_requests_inline_total",
            "Small requests tried on the thread of their connection: answered there, or moved to \
             the pool.",
            count as f64,
        )
    });
    let mut metrics = vec![
        Metric::gauge(
            "millrace_uptime_seconds",
            "Seconds since the server started.",
            state.started.elapsed().as_secs_f64(),
        ),
        Metric::gauge(
            "millrace_http_requests_under_way",
            "Requests admitted and not yet answered.",
            state.under_way.count() as f64,
        ),
        Metric::gauge(
            "millrace_gremlin_sessions",
            "Open sessions of Gremlin.",
            state.sessions.load(Ordering::Relaxed) as f64,
        ),
        Metric::gauge("millrace_workers", "Threads that run requests.", counts.threads as f64),
        Metric::counter(
            "millrace_browser_requests_refused_total",
            "Requests refused because their origin or host name is not listed.",
            state.metrics.refused_pages.load(Ordering::Relaxed) as f64,
        ),
        Metric::gauge(
            "millrace_workers_long",
            "Long requests, which do not count against the bound on worker threads.",
            counts.long as f64,
        ),
        Metric::gauge(
            "millrace_requests_waiting",
            "Requests waiting for a thread.",
            counts.waiting as f64,
        ),
    ];
    metrics.extend(inline);
    metrics
}

fn of_connections(state: &State) -> Vec<Sample> {
    let (own, memory) = (&state.connections, state.database.memory());
    let gauge =
        |name: &str, help: &str, value: f64| plain(Metric::gauge(name, help, value), vec![]);
    let counter = |name: &str, help: &str, value: u64, labels: Vec<(&'static str, String)>| {
        plain(Metric::counter(name, help, value as f64), labels)
    };
    let mut samples = vec![
        gauge("millrace_connections_open", "Open connections.", own.open() as f64),
        counter(
            "millrace_connections_refused_total",
            "Connections refused because connections.max was reached.",
            own.refused(),
            vec![],
        ),
        gauge(
            "millrace_memory_queries_bytes",
            "Bytes of the memory budget held by queries, scripts, interpreters and sessions.",
            memory.used().saturating_sub(own.bodies.used() + own.unsent()) as f64,
        ),
        gauge(
            "millrace_memory_answers_bytes",
            "Bytes of the memory budget held by answers that are not yet sent.",
            own.unsent() as f64,
        ),
        gauge(
            "millrace_bodies_bytes",
            "Bytes held by request bodies and WebSocket messages.",
            own.bodies.used() as f64,
        ),
        counter(
            "millrace_bodies_refused_total",
            "Request bodies and messages refused because their memory bound was reached.",
            own.bodies.refused(),
            vec![],
        ),
    ];
    samples.extend(users::refusals(state).into_iter().map(|(why, count)| {
        let help =
            "Failed logins, by reason: wrong, delayed after too many failures, or too many at \
             once.";
        counter("millrace_logins_failed_total", help, count, vec![("reason", why.to_owned())])
    }));
    samples.extend(own.closed().map(|(why, count)| {
        let help = "Connections closed by the server, by reason: the client was too slow, or left \
                    too many answers unread.";
        let labels = vec![("reason", why.to_owned())];
        counter("millrace_connections_closed_total", help, count, labels)
    }));
    samples
}

fn plain(metric: Metric, labels: Vec<(&'static str, String)>) -> Sample {
    let kind = match metric.kind {
        MetricKind::Counter => "counter",
        MetricKind::Gauge => "gauge",
    };
    let Metric { name, help, value, .. } = metric;
    Sample { family: name, help, kind, suffix: "", labels, value }
}
