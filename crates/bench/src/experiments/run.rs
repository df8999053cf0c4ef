//! Runs the rows that are asked for.
//!
//! Several rows or sizes are measured in separate processes, one after the other; a single one is
//! measured in this process, so that a profiler sees it.

use millrace_model::{Error, ErrorKind, Result};
use serde::{Deserialize, Serialize};

use super::measurement::{ALONE, Conditions, Measurement, named};
use super::table::EXPERIMENTS;
use crate::jobs::{Job, have_done};
use crate::report::{Row, SPEEDUP, Unit};

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
    add_speedups(&mut rows);
    Ok((rows, notes))
}

/// To each row that was measured with one processor, too, how many times as fast it is with all.
fn add_speedups(rows: &mut [Row]) {
    let alone = |name: &str, rows: &[Row]| {
        let name = format!("{name}{ALONE}");
        rows.iter().find(|row| row.name == name && row.fault.is_none()).map(|row| row.value)
    };
    for at in 0..rows.len() {
        let Some(alone) = alone(&rows[at].name, rows) else { continue };
        let row = &mut rows[at];
        let speedup = if row.unit.more_is_better() { row.value / alone } else { alone / row.value };
        *row = row.clone().with(SPEEDUP, speedup, Unit::Times);
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_that_was_measured_alone_too_says_how_much_faster_all_processors_are() {
        let row = |name: &str, value, unit| Row { name: name.to_owned(), ..Row::new(value, unit) };
        let mut rows = [
            row("a", 10.0, Unit::Milliseconds),
            row("a@1thread", 19.0, Unit::Milliseconds),
            row("b", 30.0, Unit::PerSecond),
            row("b@1thread", 20.0, Unit::PerSecond),
            row("b@0.1", 1.0, Unit::PerSecond),
            row("c", 1.0, Unit::Milliseconds),
            Row::failed("c@1thread".to_owned(), "no".to_owned()),
        ];
        add_speedups(&mut rows);
        let speedups: Vec<Option<f64>> = rows.iter().map(|row| row.figure(SPEEDUP)).collect();
        assert_eq!(speedups, [Some(1.9), None, Some(1.5), None, None, None, None]);
    }
}
