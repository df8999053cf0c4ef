//! Figures of runs, and their medians.

use std::time::Duration;

use super::plan::Conditions;
use super::queries::{By, Query};
use super::target::Protocol;
use crate::clients::closed_loop::Driven;
use crate::load::latency::{millis, percentile};
use crate::machine::Machine;
use crate::measure::median;

/// The whole experiment.
#[derive(Clone, Debug)]
pub(super) struct Experiment {
    pub(super) machine: Machine,
    /// The settings in words: name and value.
    pub(super) conditions: Vec<(&'static str, String)>,
    pub(super) rows: Vec<Row>,
    pub(super) notes: Vec<String>,
    /// The conditions while something else is varied.
    pub(super) usual: Conditions,
}

/// What a row is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Subject {
    /// An answer without a query.
    Reference,
    Query(Query, By),
}

/// One thing that was asked under some conditions.
#[derive(Clone, Debug)]
pub(super) struct Row {
    /// The name of the target, and how many come before it.
    pub(super) target: String,
    pub(super) target_number: usize,
    pub(super) protocol: Protocol,
    pub(super) subject: Subject,
    pub(super) conditions: Conditions,
    /// Medians of the runs.
    pub(super) figures: Figures,
    /// The rate as a multiple of the reference's; of the reference 1.
    pub(super) of_reference: f64,
    pub(super) runs: Vec<Figures>,
}

impl Row {
    /// What is asked, in words.
    pub(super) fn name(&self) -> String {
        match self.subject {
            Subject::Reference => self.protocol.reference().to_owned(),
            Subject::Query(query, by) => format!("{} by {}", query.name(), by.name()),
        }
    }
}

/// The figures of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Figures {
    /// Answers a second.
    pub(super) rate: f64,
    /// Latencies in milliseconds.
    pub(super) mean: f64,
    pub(super) p50: f64,
    pub(super) p95: f64,
    pub(super) p99: f64,
    /// Processor time of an answer in microseconds, of all servers together, and of the client.
    pub(super) server: Option<f64>,
    pub(super) client: Option<f64>,
    /// Bytes of an answer.
    pub(super) bytes: f64,
}

impl Figures {
    /// Of what a run did in the time for which requests were sent; processor times are in seconds.
    pub(super) fn of(
        driven: &Driven,
        time: Duration,
        server: Option<f64>,
        client: Option<f64>,
    ) -> Figures {
        let answers = driven.latencies.count().max(1) as f64;
        let micros = |seconds: f64| seconds * 1e6 / answers;
        let percentile = |percent| percentile(&driven.latencies, percent);
        Figures {
            rate: driven.answered_in_time as f64 / time.as_secs_f64(),
            mean: millis(driven.latencies.mean()),
            p50: percentile(50.0),
            p95: percentile(95.0),
            p99: percentile(99.0),
            server: server.map(micros),
            client: client.map(micros),
            bytes: driven.bytes as f64 / answers,
        }
    }

    /// The median of each figure by itself.
    pub(super) fn medians(runs: &[Figures]) -> Figures {
        let of = |figure: fn(&Figures) -> f64| match runs.is_empty() {
            true => 0.0,
            false => median(runs.iter().map(figure).collect()),
        };
        let of_some = |figure: fn(&Figures) -> Option<f64>| {
            let some: Vec<f64> = runs.iter().filter_map(figure).collect();
            (!some.is_empty()).then(|| median(some))
        };
        Figures {
            rate: of(|run| run.rate),
            mean: of(|run| run.mean),
            p50: of(|run| run.p50),
            p95: of(|run| run.p95),
            p99: of(|run| run.p99),
            server: of_some(|run| run.server),
            client: of_some(|run| run.client),
            bytes: of(|run| run.bytes),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::Histogram;

    #[test]
    fn figures_are_of_the_time_in_which_requests_were_sent() {
        let mut latencies = Histogram::default();
        (1..=4).for_each(|milli| latencies.record(Duration::from_millis(milli)));
        let driven = Driven { answered_in_time: 3, latencies, bytes: 400 };
        let figures = Figures::of(&driven, Duration::from_secs(2), Some(0.001), None);
        assert_eq!((figures.rate, figures.bytes, figures.client), (1.5, 100.0, None));
        assert_eq!(figures.server, Some(250.0));
        assert!((figures.p50 / 2.0 - 1.0).abs() < 0.01, "{figures:?}");
    }

    #[test]
    fn a_median_is_that_of_its_own_figure() {
        let run = |rate, p99, server| Figures { rate, p99, server, ..Figures::default() };
        let runs = [run(1.0, 30.0, None), run(3.0, 10.0, Some(5.0)), run(2.0, 20.0, None)];
        let medians = Figures::medians(&runs);
        assert_eq!((medians.rate, medians.p99, medians.server), (2.0, 20.0, Some(5.0)));
        assert_eq!(Figures::medians(&[]), Figures::default());
    }
}
