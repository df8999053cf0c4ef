//! The experiments: lists of rows, each at one or several sizes.
//!
//! Several rows or sizes are measured in separate processes, one after the other; a single one is
//! measured in this process, so that a profiler sees it.

mod commit;
mod cypher;
mod ends;
mod graph;
mod growth;
mod hostile;
mod likes;
mod loads;
mod queue;
mod rest;
mod rounds;
mod served;

use std::path::PathBuf;

use millrace_db::Settings;
use millrace_model::{Error, ErrorKind, Result};
use serde::{Deserialize, Serialize};

use crate::jobs::{Job, Program, have_done};
use crate::machine;
use crate::report::{Row, Threshold};

pub(crate) use commit::FillLog;
pub(crate) use graph::GraphPlan;
pub(crate) use served::{Serve, Served};

/// The conditions of a measurement.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Conditions {
    /// Where data is cached between runs, and runs have their folders.
    pub(crate) data: PathBuf,
    /// The size of the data relative to the full one.
    pub(crate) scale: f64,
    /// How long to measure, if not as long as the row wants.
    pub(crate) seconds: Option<f64>,
    /// Film data from elsewhere.
    pub(crate) films: Option<PathBuf>,
    /// The article's scripts.
    pub(crate) scripts: Option<PathBuf>,
    /// The broker of the rows of queues.
    pub(crate) amqp: Option<String>,
    /// How many processors the row may use, if not all.
    pub(crate) threads: Option<usize>,
    /// How the bench starts itself again.
    pub(crate) program: Program,
}

/// The selection of rows on the command line.
pub(crate) struct Asked<'a> {
    pub(crate) experiment: &'a str,
    pub(crate) only: Option<&'a str>,
    pub(crate) scale: Option<f64>,
    pub(crate) threads: Option<usize>,
}

/// A row that can be asked for alone.
struct Measurement {
    name: &'static str,
    run: fn(&Conditions) -> Result<Row>,
    /// The sizes it is measured at, if none is asked for.
    scales: &'static [f64],
    /// The threshold at each size that has one.
    thresholds: &'static [(f64, Threshold)],
    /// Whether it is measured with one processor too.
    alone_too: bool,
    /// Why it can't be measured here.
    left_out: fn(&Conditions) -> Option<&'static str>,
}

/// An experiment by name, with its rows in the order they are run.
struct Experiment {
    name: &'static str,
    rows: &'static [Measurement],
}

const FULL: &[f64] = &[1.0];
const GROWING: &[f64] = &[0.1, 0.3, 1.0];
const GROWING_TENFOLD: &[f64] = &[0.1, 0.3, 1.0, 10.0];

const fn row(
    name: &'static str,
    run: fn(&Conditions) -> Result<Row>,
    scales: &'static [f64],
    thresholds: &'static [(f64, Threshold)],
) -> Measurement {
    Measurement { name, run, scales, thresholds, alone_too: false, left_out: |_| None }
}

/// A row of traversals: at several sizes, and with one processor.
const fn traversal(
    name: &'static str,
    run: fn(&Conditions) -> Result<Row>,
    thresholds: &'static [(f64, Threshold)],
) -> Measurement {
    Measurement { alone_too: true, ..row(name, run, GROWING, thresholds) }
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

const EXPERIMENTS: &[Experiment] = &[
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
    Experiment { name: "growth", rows: growth::ROWS },
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
    Experiment {
        name: "serve",
        rows: &[row("serve.hostile", hostile::hostile, FULL, &[(1.0, Ratio(2.0))])],
    },
];

/// The settings that experiments open data folders with: the defaults, with durability spelled out.
pub(crate) fn settings() -> Settings {
    let mut settings = Settings::default();
    settings.data.durability = "sync".to_owned();
    settings
}

/// The rows that were asked for, and notes on those that were left out.
pub(crate) fn run(asked: &Asked<'_>, conditions: &Conditions) -> Result<(Vec<Row>, Vec<String>)> {
    let mut notes = Vec::new();
    let mut turns = Vec::new();
    for measurement in chosen(asked)? {
        if let Some(why) = (measurement.left_out)(conditions) {
            notes.push(format!("{} is left out: {why}", measurement.name));
            continue;
        }
        turns.extend(measurement.turns(asked).into_iter().map(|turn| (measurement, turn)));
    }
    let mut rows = Vec::new();
    for (measurement, (scale, threads)) in &turns {
        let conditions = Conditions { scale: *scale, threads: *threads, ..conditions.clone() };
        if turns.len() == 1 {
            rows.push(measurement.measure(&conditions)?);
            continue;
        }
        rows.push(measured_apart(measurement, &conditions));
    }
    Ok((rows, notes))
}

/// A row measured by a process of its own. One that fails says why, and the others go on.
fn measured_apart(measurement: &Measurement, conditions: &Conditions) -> Row {
    let name = named(measurement.name, conditions);
    eprintln!("measuring {name}");
    let (job_name, conditions) = (measurement.name.to_owned(), conditions.clone());
    let program = conditions.program.clone();
    let row = have_done(&program, &Job::Row { name: job_name, conditions });
    let row: Row = row.unwrap_or_else(|error: Error| Row::failed(name, error.to_string()));
    eprintln!("{row}");
    row
}

/// A row by its name.
pub(crate) fn measure_row(name: &str, conditions: &Conditions) -> Result<Row> {
    let mut rows = EXPERIMENTS.iter().flat_map(|experiment| experiment.rows);
    let row = rows.find(|row| row.name == name);
    let none = || Error::new(ErrorKind::BadInput, format!("there is no row {name}"));
    row.ok_or_else(none)?.measure(conditions)
}

fn chosen(asked: &Asked<'_>) -> Result<Vec<&'static Measurement>> {
    let refuse = |detail: String, names: Vec<&str>| {
        let help = format!("there are: {}", names.join(", "));
        Err(Error::new(ErrorKind::BadInput, detail).with_help(help))
    };
    let Some(experiment) = EXPERIMENTS.iter().find(|other| other.name == asked.experiment) else {
        let detail = format!("there is no experiment {}", asked.experiment);
        return refuse(detail, EXPERIMENTS.iter().map(|experiment| experiment.name).collect());
    };
    let is_asked = |name: &str| asked.only.is_none_or(|only| only == name);
    let chosen: Vec<_> = experiment.rows.iter().filter(|row| is_asked(row.name)).collect();
    if chosen.is_empty() {
        let detail = format!("{} has no row {}", experiment.name, asked.only.unwrap_or_default());
        return refuse(detail, experiment.rows.iter().map(|row| row.name).collect());
    }
    Ok(chosen)
}

impl Measurement {
    /// Measures it, with its name and, for the whole time only, its threshold.
    fn measure(&self, conditions: &Conditions) -> Result<Row> {
        if let Some(threads) = conditions.threads {
            machine::use_processors(threads)?;
        }
        let measured = (self.run)(conditions)?;
        let name = named(self.name, conditions);
        Ok(Row { name, threshold: self.threshold(conditions), ..measured })
    }

    fn threshold(&self, conditions: &Conditions) -> Option<Threshold> {
        let threshold = self.thresholds.iter().find(|(scale, _)| *scale == conditions.scale);
        let whole = conditions.seconds.is_none() && conditions.threads.is_none();
        threshold.map(|(_, threshold)| *threshold).filter(|_| whole)
    }

    /// The sizes and numbers of processors it is measured with.
    fn turns(&self, asked: &Asked<'_>) -> Vec<(f64, Option<usize>)> {
        let of_its_own = asked.scale.is_none();
        let scales = asked.scale.as_slice();
        let scales = if of_its_own { self.scales } else { scales };
        let mut turns: Vec<_> = scales.iter().map(|scale| (*scale, asked.threads)).collect();
        if self.alone_too && of_its_own && asked.threads.is_none() {
            turns.push((1.0, Some(1)));
        }
        turns
    }
}

/// A row of other than full data, or of fewer processors than there are, says so.
fn named(name: &str, conditions: &Conditions) -> String {
    let scale = match conditions.scale {
        1.0 => String::new(),
        scale => format!("@{scale}"),
    };
    match conditions.threads {
        None => format!("{name}{scale}"),
        Some(threads) => format!("{name}{scale}@{threads}thread"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
