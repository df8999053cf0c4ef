//! The experiments by name; a row is run if `--only` names it or nothing.

mod likes;
mod loads;

use millrace_db::model::{Error, ErrorKind, Result};

use crate::Arguments;
use crate::report::Row;

/// A row that can be asked for alone.
struct Measurement {
    name: &'static str,
    run: fn(&Arguments) -> Result<Row>,
}

/// Experiments and their rows, in the order they are run.
const EXPERIMENTS: &[(&str, &[Measurement])] = &[(
    "likes",
    &[
        Measurement { name: "likes.recommend", run: likes::recommend },
        Measurement { name: "likes.count", run: likes::count },
        Measurement { name: "load.csv", run: loads::csv },
        Measurement { name: "load.quads", run: loads::quads },
    ],
)];

/// The rows that were asked for.
pub(crate) fn run(arguments: &Arguments) -> Result<Vec<Row>> {
    let experiment = EXPERIMENTS.iter().find(|(name, _)| *name == arguments.experiment);
    let Some((_, measurements)) = experiment else {
        let names: Vec<&str> = EXPERIMENTS.iter().map(|(name, _)| *name).collect();
        let detail = format!("there is no experiment {}", arguments.experiment);
        let help = format!("there are: {}", names.join(", "));
        return Err(Error::new(ErrorKind::BadInput, detail).with_help(help));
    };
    let asked = |name: &str| arguments.only.as_deref().is_none_or(|only| only == name);
    let chosen: Vec<&Measurement> =
        measurements.iter().filter(|measurement| asked(measurement.name)).collect();
    if chosen.is_empty() {
        let names: Vec<&str> = measurements.iter().map(|measurement| measurement.name).collect();
        let detail = format!("{} has no such row", arguments.experiment);
        let help = format!("its rows are: {}", names.join(", "));
        return Err(Error::new(ErrorKind::BadInput, detail).with_help(help));
    }
    chosen.into_iter().map(|measurement| sized(arguments, (measurement.run)(arguments)?)).collect()
}

/// A row of other than full data says so, and is held to no bar.
fn sized(arguments: &Arguments, mut row: Row) -> Result<Row> {
    if arguments.scale != 1.0 {
        row.name = format!("{}@{}", row.name, arguments.scale);
        row.bar = None;
    }
    Ok(row)
}
