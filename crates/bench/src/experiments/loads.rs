//! How fast files become a durable graph. The clock runs from opening the files until the load is
//! visible, in a new data folder.

use std::ops::ControlFlow;
use std::path::Path;
use std::time::Instant;

use millrace_db::Database;
use millrace_db::ingest::generate::{Films, Likes};
use millrace_db::ingest::load::{LoadOptions, Summary};
use millrace_db::ingest::reading::{Reading, input_of_files};
use millrace_db::small_pages::SmallPages;
use millrace_model::{Error, ErrorKind, Result};

use super::measurement::{Conditions, settings};
use crate::data::{self, Scratch};
use crate::limit;
use crate::process::Meter;
use crate::report::{Row, Unit};

/// Thousands of films of the full data set: about ten million quads.
const THOUSAND_FILMS: f64 = 210.0;

/// Relationships a second from CSV; the limit makes arrays of the same tables in memory, on one
/// thread, and keeps nothing.
pub(super) fn csv(conditions: &Conditions) -> Result<Row> {
    let full = Likes::default();
    let likes = Likes { people: (f64::from(full.people) * conditions.scale) as u32, ..full };
    let files = data::likes_files(&conditions.data, &likes)?;
    let (seconds, summary, row) = load_anew(&conditions.data, "load.csv", &files.paths())?;
    let nodes = u64::from(likes.people) + u64::from(likes.items);
    if (summary.vertices, summary.edges) != (nodes, likes.edge_count()) {
        return Err(Error::new(ErrorKind::Bug, format!("the tables hold more than {summary:?}")));
    }
    let began = Instant::now();
    let arrays = limit::load_tables(&files.people, &files.items, &files.likes);
    std::hint::black_box(arrays.map_err(|error| data::io_error(&files.likes, &error))?);
    let limit_seconds = began.elapsed().as_secs_f64();
    let rate = |seconds: f64| summary.edges as f64 / seconds;
    Ok(Row { value: rate(seconds), ..row }.beside(rate(limit_seconds)))
}

/// Quads a second from gzipped N-Quads.
pub(super) fn quads(conditions: &Conditions) -> Result<Row> {
    let scale = (THOUSAND_FILMS * conditions.scale).ceil() as u32;
    let file = data::films_file(&conditions.data, &Films { scale, ..Films::default() })?;
    quads_of(conditions, "load.quads", &file)
}

/// The same for film data from elsewhere.
pub(super) fn films(conditions: &Conditions) -> Result<Row> {
    let none = || Error::new(ErrorKind::BadInput, "load.films wants --films FILE");
    quads_of(conditions, "load.films", conditions.films.as_deref().ok_or_else(none)?)
}

/// Why [`films`] can't be measured.
pub(super) fn films_left_out(conditions: &Conditions) -> Option<&'static str> {
    conditions.films.is_none().then_some("--films FILE names the film data")
}

fn quads_of(conditions: &Conditions, name: &str, file: &Path) -> Result<Row> {
    let (seconds, summary, row) = load_anew(&conditions.data, name, &[file])?;
    Ok(Row { value: summary.rows as f64 / seconds, ..row })
}

/// Loads into a new database. Returns the seconds, the load's summary, and a row with the resources used.
fn load_anew(data: &Path, name: &str, files: &[&Path]) -> Result<(f64, Summary, Row)> {
    let folder = Scratch::empty(data, name)?;
    // As `millrace load` does.
    let _small = SmallPages::begin();
    let meter = Meter::start();
    let database = Database::open(folder.path(), settings())?;
    let graph = database.create_graph("load")?;
    let began = Instant::now();
    let input = input_of_files(files, &Reading::default())?;
    let summary = graph.load(input, LoadOptions::default(), &mut |_| ControlFlow::Continue(()))?;
    let seconds = began.elapsed().as_secs_f64();
    let processor = meter.processor_seconds().unwrap_or(f64::NAN);
    let row = Row::new(0.0, Unit::PerSecond)
        .with_figures(meter.figures())
        .with("rows", summary.rows as f64, Unit::Count)
        .with("nodes", summary.vertices as f64, Unit::Count)
        .with("relationships", summary.edges as f64, Unit::Count)
        .with("time", seconds, Unit::Seconds)
        .with("processor_time", processor, Unit::Seconds);
    let size = database.graph_size("load")?;
    if (size.vertices, size.edges) != (summary.vertices, summary.edges) {
        return Err(Error::new(ErrorKind::Bug, format!("{size:?} after loading {summary:?}")));
    }
    database.close();
    Ok((seconds, summary, row))
}
