//! The outcome of the experiment, for a person on a terminal ([`text`]), for programs ([`json`]) and as a page with
//! charts ([`html`]).

mod html;
mod json;
mod text;

pub(super) use html::html;
pub(super) use json::json;
pub(super) use text::text;

use super::outcome::{Crashes, Run};
use crate::load::latency::{millis, percentile};

/// A column of a table: its head, and how many digits its numbers have behind the point.
type Head = (String, usize);

/// The processes that have a column, as far as they were measured.
const PROCESSES: [&str; 5] = ["app", "database", "consumer", "broker", "bench"];

/// The figures of users of the closed model, in the order of [`run_heads`].
fn run_figures(run: &Run) -> Vec<Option<f64>> {
    let latencies = &run.outcome.latencies;
    let mut figures = vec![
        Some(run.outcome.rate()),
        Some(millis(latencies.mean())),
        Some(percentile(latencies, 50.0)),
        Some(percentile(latencies, 99.0)),
        Some(millis(latencies.max())),
        Some(run.outcome.error_count() as f64),
        Some(run.arrival.rate()),
        Some(run.arrival.missing() as f64),
    ];
    let seconds = |name: &str| {
        run.processors.iter().find(|(other, _)| *other == name).map(|(_, seconds)| *seconds)
    };
    figures.extend(PROCESSES.map(seconds));
    figures
}

fn run_heads() -> Vec<Head> {
    let heads = [
        ("requests/s", 0),
        ("mean ms", 2),
        ("p50 ms", 2),
        ("p99 ms", 2),
        ("max ms", 2),
        ("errors", 0),
        ("nodes/s", 0),
        ("missing", 0),
    ];
    let heads = heads.map(|(name, digits)| (name.to_owned(), digits));
    heads.into_iter().chain(PROCESSES.map(|name| (format!("{name} s"), 2))).collect()
}

/// The figures of crashes, in the order of [`CRASH_HEADS`].
fn crash_figures(crashes: &Crashes) -> [f64; 6] {
    [
        crashes.count as f64,
        crashes.lost_median,
        crashes.lost_max as f64,
        crashes.lost as f64,
        crashes.unanswered as f64,
        crashes.repeated as f64,
    ]
}

const CRASH_HEADS: [&str; 6] =
    ["crashes", "lost, median", "lost, most", "lost, all", "unanswered", "twice"];

/// How the columns are to be read.
const LEGEND: [&str; 3] = [
    "requests/s and latencies are those of the app's users; nodes/s counts until the last node was in the database",
    "seconds are processor time of each process, from the first request until the last node",
    "lost: answered, and not in the database once the queue was empty; unanswered: in the database, and its user \
     got no answer; twice: more than one node of a request",
];

/// Columns of which at least one row has a number.
fn columns(rows: &[(String, Vec<Option<f64>>)], heads: &[Head]) -> Vec<usize> {
    let has_some =
        |at: &usize| rows.iter().any(|(_, row)| row.get(*at).is_some_and(Option::is_some));
    (0..heads.len()).filter(has_some).collect()
}
