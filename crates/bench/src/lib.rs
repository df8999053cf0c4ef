//! Experiments that measure Millrace beside the limit of the machine, in one run.
//!
//! A row is a figure with, where there is one, its reference: plain array code answering the same
//! question ([`limit`]) in turn with it. What a reader would get wrong: an experiment checks that
//! both answers are the same before it times either.
//!
//! ```text
//!   arguments ──> experiment (rows) ──> data (generated once, cached)
//!                    │  measure (in turn, medians)
//!                    └──> report ──> table, JSON, exit code by the bars
//! ```

mod data;
mod experiments;
pub mod limit;
mod machine;
mod measure;
mod report;

use std::fs;
use std::path::PathBuf;

use millrace_db::model::{Error, ErrorKind, Result};

pub use machine::Machine;
pub use report::{Bar, Report, Row, Unit};

/// What `millrace bench` is asked for.
#[derive(Clone, Debug, clap::Args)]
pub struct Arguments {
    /// The experiment: likes.
    pub experiment: String,
    /// Run only this row, such as likes.recommend.
    #[arg(long, value_name = "ROW")]
    pub only: Option<String>,
    /// Write the rows to this file too, as JSON.
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Where generated data is kept between runs.
    #[arg(long, value_name = "DIR", default_value = "millrace-bench")]
    pub data: PathBuf,
    /// Data of this size relative to the full one, such as 0.1.
    #[arg(long, default_value_t = 1.0)]
    pub scale: f64,
}

/// Runs an experiment, prints its table, and says whether every bar was reached. Bars hold for full
/// data, so at another scale none is judged.
pub fn run(arguments: &Arguments) -> Result<bool> {
    if !(0.001..=10.0).contains(&arguments.scale) {
        return Err(Error::new(ErrorKind::BadInput, "--scale is between 0.001 and 10"));
    }
    let rows = experiments::run(arguments)?;
    let report = Report { machine: Machine::here(), rows };
    print!("{}", report.table());
    if let Some(file) = &arguments.json {
        fs::write(file, report.json()).map_err(|error| data::io_error(file, &error))?;
    }
    Ok(report.rows.iter().all(Row::reached))
}
