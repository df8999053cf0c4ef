//! The experiment of an article on Dgraph's throughput: the films of an actor and the genres of a director's films, drawn
//! at random, while connections, processors and servers vary. It drives servers of its own, or any that answer DQL.
//!
//! ```text
//!   generator ──> lists of ids ──> questions ──┐   closed model    ┌──> turns ──> medians ──> table, JSON, HTML
//!             └─> quads ──> facts ──> check ───┴──> connections ───┘
//!                                       │                └──round robin──> endpoints of each target
//!                                       └── before anything is measured, on each endpoint
//! ```
//!
//! What is compared runs in turn, and beside each query runs what the server answers without a query, so that ratios mean
//! the same on a machine that is busy otherwise. Rows of other experiments, and their bars, never enter here.

mod arguments;
mod check;
mod clients;
mod facts;
mod ids;
mod limits;
mod measure;
mod outcome;
mod own;
mod plan;
mod queries;
mod report;
mod settings;
mod target;

use millrace_model::Result;

pub use arguments::{Arguments, Predicates};
pub use queries::{By, Query};
pub use target::Protocol;

use crate::load::write_report;
use settings::Settings;

/// Runs the experiment, prints its outcome, and writes the reports.
pub fn run(arguments: &Arguments) -> Result<()> {
    let settings = Settings::of(arguments)?;
    let experiment = measure::experiment(&settings, &mut |line| eprintln!("{line}"))?;
    print!("{}", report::text(&experiment));
    if let Some(file) = &arguments.json {
        write_report(file, &report::json(&experiment))?;
    }
    if let Some(file) = &arguments.html {
        write_report(file, &report::html(&experiment))?;
    }
    Ok(())
}
