//! The table of experiments, with the rows of each.

use millrace_model::Result;

use super::measurement::{Conditions, FULL, GROWING, GROWING_TENFOLD, Measurement, row, traversal};
use super::{commit, cypher, dql, growth, hostile, indexes, likes, loads, queue, rest, scan};
use crate::report::{Row, Threshold};

/// An experiment by name, with its rows in the order they are run.
pub(super) struct Experiment {
    pub(super) name: &'static str,
    pub(super) rows: &'static [Measurement],
}

/// A row of the article's scripts.
const fn script(
    name: &'static str,
    run: fn(&Conditions) -> Result<Row>,
    thresholds: &'static [(f64, Threshold)],
) -> Measurement {
    Measurement { left_out: likes::left_out, ..traversal(name, run, thresholds) }
}

use Threshold::{AtLeast, AtMost, AtMostOrRatio, PeakMemory, Ratio, RatioAndAtMost};

pub(super) const EXPERIMENTS: &[Experiment] = &[
    Experiment {
        name: "likes",
        rows: &[
            traversal("likes.recommend", likes::recommend, &[(1.0, RatioAndAtMost(2.5, 30.0))]),
            traversal("likes.recommend.gremlin", likes::recommend_gremlin, &[(1.0, Ratio(3.0))]),
            traversal("likes.recommend.dirty", likes::recommend_dirty, &[(1.0, Ratio(1.5))]),
            traversal("likes.count", likes::count, &[(1.0, AtMost(3.0))]),
            traversal("likes.touch", likes::touch, &[(1.0, Ratio(2.5))]),
            script("likes.script.bulk", likes::script_bulk, &[(1.0, AtMost(800.0))]),
            script("likes.script.single", likes::script_single, &[(1.0, AtMost(2_000.0))]),
            script("likes.script.load", likes::script_load, &[(1.0, AtMost(30.0))]),
            traversal("twohop.random", likes::two_hop, &[(1.0, Ratio(3.0))]),
            traversal("twohop.random.dirty", likes::two_hop_dirty, &[(1.0, Ratio(1.5))]),
            traversal("point", likes::point, &[(1.0, Ratio(2.0))]),
        ],
    },
    Experiment {
        name: "commit",
        rows: &[
            row("commit.small", commit::small, GROWING, &[(1.0, AtLeast(4e5))]),
            row("commit.hub", commit::hub, GROWING, &[(1.0, AtLeast(3e5))]),
            row("commit.latency", commit::latency, GROWING, &[(1.0, AtMostOrRatio(10.0, 10.0))]),
            row("commit.beside", commit::beside, GROWING, &[(1.0, AtMost(20.0))]),
            row("memory", commit::memory, GROWING, &[(1.0, AtMost(18.0))]),
            row("memory.weight", commit::memory_weight, GROWING, &[(1.0, AtMost(26.0))]),
            row("memory.inserts", commit::memory_inserts, GROWING, &[(1.0, AtMost(28.0))]),
            row(
                "memory.weight.inserts",
                commit::memory_weight_inserts,
                GROWING,
                &[(1.0, AtMost(42.0))],
            ),
            row("recover", commit::recover, GROWING, &[(1.0, AtMost(6_000.0))]),
            row("scan.dirty", commit::scan_dirty, GROWING, &[(1.0, Ratio(1.5))]),
        ],
    },
    Experiment { name: "cypher", rows: cypher::ROWS },
    Experiment { name: "dql", rows: dql::ROWS },
    Experiment { name: "growth", rows: growth::ROWS },
    Experiment { name: "indexes", rows: indexes::ROWS },
    Experiment { name: "rest", rows: rest::ROWS },
    Experiment {
        name: "load",
        rows: &[
            row(
                "load.csv",
                loads::csv,
                GROWING_TENFOLD,
                &[(1.0, AtLeast(3e6)), (10.0, PeakMemory(4e9))],
            ),
            row("load.quads", loads::quads, GROWING_TENFOLD, &[(1.0, AtLeast(6e5))]),
            Measurement {
                left_out: loads::films_left_out,
                ..row("load.films", loads::films, FULL, &[(1.0, AtLeast(6e5))])
            },
        ],
    },
    Experiment { name: "queue", rows: queue::ROWS },
    Experiment { name: "scan", rows: scan::ROWS },
    Experiment {
        name: "serve",
        rows: &[row("serve.hostile", hostile::hostile, FULL, &[(1.0, Ratio(2.0))])],
    },
];

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;
    use crate::jobs::Program;

    #[test]
    fn a_threshold_applies_at_its_own_size_and_for_the_whole_time_only() {
        let conditions = |scale: f64, seconds: Option<f64>| Conditions {
            data: PathBuf::new(),
            scale,
            seconds,
            films: None,
            scripts: None,
            amqp: None,
            threads: None,
            program: Program::default(),
        };
        let mut rows = EXPERIMENTS.iter().flat_map(|experiment| experiment.rows);
        let csv = rows.find(|row| row.name == "load.csv").unwrap();
        assert_eq!(csv.threshold(&conditions(1.0, None)), Some(AtLeast(3e6)));
        assert_eq!(csv.threshold(&conditions(10.0, None)), Some(PeakMemory(4e9)));
        assert_eq!(csv.threshold(&conditions(0.3, None)), None);
        assert_eq!(csv.threshold(&conditions(1.0, Some(1.0))), None);
    }

    #[test]
    fn a_name_is_that_of_one_row() {
        let rows = EXPERIMENTS.iter().flat_map(|experiment| experiment.rows);
        let mut names: Vec<&str> = rows.map(|row| row.name).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
    }

    #[test]
    fn every_row_has_a_bar_at_full_size_and_its_experiment_measures_it_there() {
        for row in EXPERIMENTS.iter().flat_map(|experiment| experiment.rows) {
            assert!(row.scales.contains(&1.0), "{}", row.name);
            assert!(
                row.thresholds.iter().all(|(scale, _)| row.scales.contains(scale)),
                "{}",
                row.name
            );
            assert!(row.thresholds.iter().any(|(scale, _)| *scale == 1.0), "{}", row.name);
        }
    }
}
