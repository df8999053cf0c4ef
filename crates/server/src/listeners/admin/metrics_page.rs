//! `/metrics`: what the server counted, and the numbers of the moment: the database's, connections, threads.

use std::sync::atomic::Ordering;

use millrace_db::Metric;

use crate::monitoring::metrics;
use crate::state::State;
use crate::users;

/// The text of `/metrics`.
pub(super) fn page(state: &State) -> String {
    let version = Metric {
        labels: vec![("version", env!("CARGO_PKG_VERSION").to_owned())],
        ..Metric::gauge("millrace_build_info", "The version, as a label.", 1.0)
    };
    let mut numbers = vec![version];
    numbers.extend(of_requests(state));
    numbers.extend(of_connections(state));
    numbers.extend(state.database.metrics());
    metrics::text(&state.metrics, numbers)
}

/// Requests, and the threads that run them.
fn of_requests(state: &State) -> Vec<Metric> {
    let counts = state.executor.counts();
    let inline = ["answered", "queued"].into_iter().zip(counts.inline);
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
            state.browsers.refused() as f64,
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

fn of_connections(state: &State) -> Vec<Metric> {
    let (own, memory) = (&state.connections, state.database.memory());
    let counter = |name: &str, help: &str, value: u64, labels: Vec<(&'static str, String)>| {
        Metric { labels, ..Metric::counter(name, help, value as f64) }
    };
    let mut metrics = vec![
        Metric::gauge("millrace_connections_open", "Connections that are open.", own.open() as f64),
        counter(
            "millrace_connections_refused_total",
            "Connections refused because connections.max was reached.",
            own.refused(),
            vec![],
        ),
        Metric::gauge(
            "millrace_memory_queries_bytes",
            "Bytes of the memory budget held by queries, scripts, interpreters and sessions.",
            memory.used().saturating_sub(own.bodies.used() + own.unsent()) as f64,
        ),
        Metric::gauge(
            "millrace_memory_answers_bytes",
            "Bytes of the memory budget held by answers that are not yet sent.",
            own.unsent() as f64,
        ),
        Metric::gauge(
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
    metrics.extend(users::refusals(state.users.as_deref()).into_iter().map(|(why, count)| {
        let help =
            "Failed logins, by reason: wrong, delayed after too many failures, or too many at \
             once.";
        counter("millrace_logins_failed_total", help, count, vec![("reason", why.to_owned())])
    }));
    metrics.extend(own.closed().map(|(why, count)| {
        let help = "Connections that the server closed, by reason: the client was too slow, or \
                    left too many answers unread.";
        let labels = vec![("reason", why.to_owned())];
        counter("millrace_connections_closed_total", help, count, labels)
    }));
    metrics
}
