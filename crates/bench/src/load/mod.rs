//! Parts that load generators share, whatever protocol they speak: when requests are due, how they are counted,
//! the search for the highest rate that is kept, and the parts of a report.
//!
//! A generator adds its protocol, its arguments and the text of its report. Nothing here opens a socket.

pub(crate) mod arguments;
pub(crate) mod chart;
pub(crate) mod json;
pub(crate) mod latency;
pub(crate) mod limits;
mod outcome;
pub(crate) mod page;
mod schedule;
mod search;
mod tally;

use std::fs;
use std::path::Path;

use millrace_model::Result;

pub use outcome::{ErrorCount, Outcome, RequestTime, Second};
pub(crate) use schedule::Schedule;
pub use search::Judgement;
pub(crate) use search::{Measured, Step, search};
pub(crate) use tally::{End, Tally};

use crate::data::io_error;

/// Writes a report to a file.
pub(crate) fn write_report(file: &Path, text: &str) -> Result<()> {
    fs::write(file, text).map_err(|error| io_error(file, &error))
}
