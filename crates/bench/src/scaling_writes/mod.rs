//! The experiment of an article on scaling a graph database's writes: a web app whose requests each make one node, in
//! five variants, over Millrace or any Neo4j.
//!
//! ```text
//!   users ──HTTP──> app (a process) ──HTTP──────────────────────> database
//!     │              │ accumulators      └──AMQP──> broker ──> consumer ──┘  (a Millrace is one itself)
//!     │              └── kill -9
//!     └── answered numbers ── compared with ── numbers in the database
//! ```
//!
//! Each node carries the number of its request, so that what an answer promised can be compared with what there is.
//! Rows and their table never enter here: this experiment has a report of its own.

mod app;
mod arguments;
mod database;
mod limits;
mod measure;
mod node;
mod outcome;
mod processes;
mod queue;
mod report;
mod stage;
mod thresholds;
mod users;
mod variant;

use millrace_model::Result;

pub(crate) use app::App;
pub use arguments::Arguments;
pub(crate) use queue::Consumer;
pub use variant::Variant;

use arguments::Settings;
use measure::Progress;
use outcome::{Experiment, Measurement};
use stage::Stage;

use crate::load::write_report;
use crate::machine::Machine;

/// Runs the experiment, prints its outcome, and writes the reports. True if every threshold that counts was met.
pub fn run(arguments: &Arguments) -> Result<bool> {
    let settings = Settings::of(arguments)?;
    let experiment = experiment(&settings, &mut |line| eprintln!("{line}"))?;
    print!("{}", report::text(&experiment));
    if let Some(file) = &arguments.json {
        write_report(file, &report::json(&experiment))?;
    }
    if let Some(file) = &arguments.html {
        write_report(file, &report::html(&experiment))?;
    }
    Ok(experiment.is_met())
}

fn experiment(settings: &Settings, progress: &mut Progress<'_>) -> Result<Experiment> {
    let stage = Stage::set(settings)?;
    let conditions = stage.conditions();
    let measured = variants(&stage, settings, progress);
    // Also after an error nothing is left behind.
    let struck = stage.strike();
    let (variants, mut notes) = measured?;
    struck?;
    if !settings.is_judged {
        notes.push(
            "thresholds are printed and not judged: that takes a Millrace started for it, and the article's load"
                .to_owned(),
        );
    }
    Ok(Experiment {
        machine: Machine::here(),
        conditions,
        judgements: thresholds::judge(&variants),
        variants,
        notes,
        is_judged: settings.is_judged,
    })
}

/// Measures the variants; with a note for each that is left out.
fn variants(
    stage: &Stage<'_>,
    settings: &Settings,
    progress: &mut Progress<'_>,
) -> Result<(Vec<Measurement>, Vec<String>)> {
    let (mut variants, mut notes) = (Vec::new(), Vec::new());
    for &variant in &settings.variants {
        if variant.is_evented() && settings.amqp.is_none() {
            notes.push(format!(
                "{} is left out: it needs a RabbitMQ, --amqp amqp://NAME:PASSWORD@HOST:5672/%2f",
                variant.name()
            ));
            continue;
        }
        variants.push(measure::measure(stage, settings, variant, progress)?);
    }
    Ok((variants, notes))
}
