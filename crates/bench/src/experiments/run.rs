//! Runs the rows that are asked for.
//!
//! Several rows or sizes are measured in separate processes, one after the other; a single one is
//! measured in this process, so that a profiler sees it.

use millrace_model::{Error, ErrorKind, Result};
use serde::{Deserialize, Serialize};

use super::measurement::{Conditions, Measurement, named};
use super::table::EXPERIMENTS;
use crate::jobs::{Job, have_done};
use crate::report::Row;

/// The selection of rows on the command line.
pub(crate) struct Asked<'a> {
    pub(crate) experiment: &'a str,
    pub(crate) only: Option<&'a str>,
    pub(crate) scale: Option<f64>,
    pub(crate) threads: Option<usize>,
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
        turns.extend(
            measurement
                .turns(asked.scale, asked.threads)
                .into_iter()
                .map(|turn| (measurement, turn)),
        );
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
    let row = have_done(&program, &MeasureRow { name: job_name, conditions });
    let row: Row = row.unwrap_or_else(|error: Error| Row::failed(name, error.to_string()));
    eprintln!("{row}");
    row
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

/// The job of a process that measures a row.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct MeasureRow {
    name: String,
    conditions: Conditions,
}

impl Job for MeasureRow {
    const NAME: &'static str = "Row";
}

impl MeasureRow {
    /// Measures it.
    pub(crate) fn run(&self) -> Result<Row> {
        measure_row(&self.name, &self.conditions)
    }
}

/// A row by its name.
fn measure_row(name: &str, conditions: &Conditions) -> Result<Row> {
    let mut rows = EXPERIMENTS.iter().flat_map(|experiment| experiment.rows);
    let row = rows.find(|row| row.name == name);
    let none = || Error::new(ErrorKind::BadInput, format!("there is no row {name}"));
    row.ok_or_else(none)?.measure(conditions)
}
