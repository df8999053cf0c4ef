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

/// A column of a table.
struct Head {
    name: String,
    /// Digits of its numbers behind the point.
    digits: usize,
    /// Whether it is left out if no row has a number.
    is_optional: bool,
}

impl Head {
    fn of(name: &str, digits: usize) -> Head {
        Head { name: name.to_owned(), digits, is_optional: false }
    }
}

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
    let heads = heads.map(|(name, digits)| Head::of(name, digits));
    // Not each experiment has each process, and not each system reports them.
    let process = |name: &str| Head { is_optional: true, ..Head::of(&format!("{name} s"), 2) };
    heads.into_iter().chain(PROCESSES.map(process)).collect()
}

fn crash_heads() -> [Head; 6] {
    ["crashes", "lost, median", "lost, most", "lost, all", "unanswered", "twice"]
        .map(|name| Head::of(name, 0))
}

/// The figures of crashes, in the order of [`crash_heads`].
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

/// How the columns are to be read.
const LEGEND: [&str; 3] = [
    "requests/s and latencies are those of the app's users; nodes/s counts until the last node was in the database",
    "seconds are processor time of each process, from the first request until the last node",
    "lost: answered, and not in the database once the queue was empty; unanswered: in the database, and its user \
     got no answer; twice: more than one node of a request",
];

/// The columns that are shown.
fn columns<'a>(rows: &[(String, Vec<Option<f64>>)], heads: &'a [Head]) -> Vec<(usize, &'a Head)> {
    let has_some = |at: usize| rows.iter().any(|(_, row)| row.get(at).is_some_and(Option::is_some));
    heads.iter().enumerate().filter(|(at, head)| !head.is_optional || has_some(*at)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::database::Found;
    use super::super::outcome::{Arrival, Crash, Experiment, Measurement};
    use super::super::thresholds::judge;
    use super::super::variant::Variant;
    use super::*;
    use crate::load::{ErrorCount, Judgement, Measured, Outcome, Second, Step};
    use crate::machine::Machine;
    use millrace_testkit::golden::check_folder;
    use std::time::Duration;

    /// A run whose answers took these times, in a second each.
    fn run(users: usize, millis: &[u64], found: u64, processors: &[(&'static str, f64)]) -> Run {
        let mut outcome = Outcome {
            measured: Duration::from_secs(millis.len() as u64),
            requests: millis.len() as u64,
            answered: millis.len() as u64,
            answered_in_time: millis.len() as u64,
            ..Outcome::default()
        };
        for time in millis.iter().map(|time| Duration::from_millis(*time)) {
            let mut second = Second { requests: 1, answered: 1, active: 1, ..Second::default() };
            second.latencies.record(time);
            outcome.latencies.record(time);
            outcome.seconds.push(second);
        }
        let arrival = Arrival {
            answered: millis.len() as u64,
            found: Found { nodes: found, distinct: found },
            span: Duration::from_secs(4),
        };
        Run { users, requests: 2, outcome, arrival, processors: processors.to_vec() }
    }

    fn sample() -> Experiment {
        let crash = |lost: u64, unanswered: u64| Crash {
            after: Duration::from_millis(700),
            answered: 300,
            found: 300 - lost + unanswered,
            lost,
            unanswered,
            repeated: 0,
        };
        let mut failing = run(10, &[10, 2_000], 1, &[("app", 0.5)]);
        let first = "<no room>".to_owned();
        failing.outcome.errors.insert("500".to_owned(), ErrorCount { count: 3, first });
        let judgements = vec![Judgement::at_most("--p99-max-ms", 50.0, 7.0)];
        let step = |rate: f64, met: bool| Step {
            rate,
            answered_per_second: rate,
            p99_ms: 7.0,
            errors: 0,
            met,
        };
        let measured = Measured::of(run(1, &[7], 1, &[]).outcome, judgements);
        let open = Measured {
            steps: vec![step(100.0, true), step(125.0, false)],
            rate_max: Some(100.0),
            ..measured
        };
        let variants = vec![
            Measurement {
                variant: Variant::Node,
                closed: vec![run(10, &[2, 4], 2, &[("app", 0.5), ("database", 1.25)])],
                open: Some(open),
                crashes: vec![crash(0, 2), crash(0, 1)],
            },
            Measurement {
                variant: Variant::Nodes5000,
                closed: vec![failing],
                open: None,
                crashes: vec![crash(299, 0), crash(100, 0), crash(30, 0)],
            },
        ];
        Experiment {
            machine: Machine {
                processor: "a processor".to_owned(),
                cores: 2,
                memory_mib: 1_024,
                system: "linux".to_owned(),
            },
            conditions: vec![("database", "a <database>".to_owned()), ("seed", "1".to_owned())],
            judgements: judge(&variants),
            variants,
            notes: vec!["evented is left out".to_owned()],
            is_judged: true,
        }
    }

    #[test]
    fn reports_have_all_variants_in_each_form() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/goldens/scaling_writes");
        let experiment = sample();
        assert!(!experiment.is_met(), "one node is missing");
        check_folder(folder, |case| match &*case.input {
            "text" => text(&experiment),
            "json" => json(&experiment),
            "html" => html(&experiment),
            other => format!("no form {other}"),
        });
    }

    #[test]
    fn the_page_asks_no_other_host_for_anything() {
        let page = html(&sample());
        for outside in ["<script", "src=", "href=", "@import", "url("] {
            assert!(!page.contains(outside), "{outside}");
        }
        assert!(page.contains("&lt;no room&gt;") && page.contains("a &lt;database&gt;"));
    }
}
