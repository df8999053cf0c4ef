//! How fast files become a durable graph. The clock runs from opening the files until the load is
//! visible, in a new data folder.

use std::ops::ControlFlow;
use std::path::Path;
use std::time::Instant;

use millrace_db::ingest::generate::Films;
use millrace_db::ingest::load::{self, LoadOptions, Summary};
use millrace_db::model::Result;
use millrace_db::{Database, Settings};

use crate::Arguments;
use crate::data;
use crate::limit;
use crate::report::{Bar, Row, Unit};

use super::likes;

/// Thousands of films of the full data set: about a million quads.
const THOUSAND_FILMS: f64 = 21.0;

/// Relationships a second from CSV; the limit makes arrays of the same tables in memory, on one
/// thread, and keeps nothing.
pub(super) fn csv(arguments: &Arguments) -> Result<Row> {
    let files = data::likes_files(&arguments.data, &likes::size(arguments))?;
    let (seconds, summary) = load_anew(&arguments.data, &files.paths())?;
    let began = Instant::now();
    let arrays = limit::load_tables(&files.people, &files.items, &files.likes);
    std::hint::black_box(arrays.map_err(|error| data::io_error(&files.likes, &error))?);
    let limit_seconds = began.elapsed().as_secs_f64();
    Ok(Row {
        name: "load.csv".into(),
        value: summary.edges as f64 / seconds,
        unit: Unit::PerSecond,
        reference: Some(summary.edges as f64 / limit_seconds),
        bar: Some(Bar::AtLeast(1e6)),
    })
}

/// Quads a second from gzipped N-Quads.
pub(super) fn quads(arguments: &Arguments) -> Result<Row> {
    let scale = (THOUSAND_FILMS * arguments.scale).ceil() as u32;
    let films = Films { scale, ..Films::default() };
    let file = data::films_file(&arguments.data, &films)?;
    let (seconds, summary) = load_anew(&arguments.data, &[&file])?;
    Ok(Row {
        name: "load.quads".into(),
        value: summary.rows as f64 / seconds,
        unit: Unit::PerSecond,
        reference: None,
        bar: Some(Bar::AtLeast(3e5)),
    })
}

/// Seconds of a load into a new database, and what it loaded.
fn load_anew(folder: &Path, files: &[&Path]) -> Result<(f64, Summary)> {
    let target = folder.join("load.partial");
    data::empty_folder(&target)?;
    let database = Database::open(&target, Settings::default())?;
    let graph = database.create_graph("load")?;
    let began = Instant::now();
    let input = load::input_of_files(files, None)?;
    let summary = graph.load(input, LoadOptions::default(), &mut |_| ControlFlow::Continue(()))?;
    let seconds = began.elapsed().as_secs_f64();
    database.close();
    drop((graph, database));
    data::empty_folder(&target)?;
    Ok((seconds, summary))
}
