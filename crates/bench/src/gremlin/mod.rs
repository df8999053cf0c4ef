//! A load generator for Gremlin servers over WebSocket: any of them, JanusGraph too.
//!
//! ```text
//!   Schedule (open) ─┐                       one thread each
//!   slots (closed) ──┴─> a sender for each connection ──> WebSocket ──> server
//!                             │ requests under way, by id                 │
//!                        Tally <── a receiver for each connection <───────┘
//!                          └──> Outcome ──> thresholds, table, JSON, HTML
//! ```
//!
//! In the open model a request is timed from the moment it was *due*, so every request that waits for a
//! stalled server shows the stall, also a request that could not be sent. Results are not examined: an
//! answer counts by its status code. The parts that do not know Gremlin are in `load`, and stay there.

mod arguments;
mod client;
mod find_max;
mod limits;
mod preset;
mod report;
mod run;
mod server_time;
mod settings;
mod slots;
mod thresholds;
mod under_way;
mod workload;

use millrace_model::Result;

pub use arguments::{Arguments, Serializer};
pub use preset::Preset;
pub use workload::{End, Script};

pub use crate::load::{ErrorCount, Judgement, Outcome, RequestTime, Second};

use settings::Settings;

use crate::load::write_report;

/// Runs the load, prints its outcome, and writes the reports. True if every threshold was met.
pub fn run(arguments: &Arguments) -> Result<bool> {
    let settings = Settings::of(arguments)?;
    let measured = match settings.finds_max {
        true => find_max::find_max(&settings, &mut |step| println!("{}", step.line()))?,
        false => find_max::once(&settings)?,
    };
    print!("{}", report::text(&settings, &measured));
    if let Some(file) = &arguments.json {
        write_report(file, &report::json(&settings, &measured))?;
    }
    if let Some(file) = &arguments.html {
        write_report(file, &report::html(&settings, &measured))?;
    }
    Ok(measured.judgements.iter().all(|judgement| judgement.met))
}

/// Runs once, and returns the outcome.
pub fn measure(arguments: &Arguments) -> Result<(Outcome, Vec<Judgement>)> {
    let settings = Settings::of(arguments)?;
    let measured = find_max::once(&settings)?;
    Ok((measured.outcome, measured.judgements))
}
