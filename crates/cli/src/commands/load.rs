//! `millrace load`: files into a data folder, into a running server, or only read.
//!
//! A load into a folder is one commit: when it is killed, the folder is unchanged and there is nothing
//! to resume. Only a server takes batches.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use millrace_db::ingest::csv::{CsvOptions, Dialect, NamedTable};
use millrace_db::ingest::load::{Format, LoadOptions, LoadPath, Summary, UnknownTypes};
use millrace_db::ingest::reading::{Reading, input_of_files, matching_files};
use millrace_db::settings::DeclaredIndex;
use millrace_db::small_pages::SmallPages;
use millrace_db::{Database, RequestLimits};
use millrace_model::{Error, Result};

use crate::arguments::{Load, ProgressKind};
use crate::commands::{foreign, load_online, rejects::RejectFiles};
use crate::config;
use crate::exit::Failure;
use crate::log::{self, Usual};
use crate::progress::{Shower, summary_line};
use crate::say;

/// Bad rows that are named at the end; the rest is counted.
pub(crate) const BAD_ROWS_SHOWN_MAX: usize = 20;

pub(crate) fn run(arguments: &Load) -> std::result::Result<(), Failure> {
    let inputs = Inputs::of(arguments)?;
    let rejects = RejectFiles::of(arguments, &inputs)?;
    if let Some(url) = arguments.url.as_ref().filter(|_| !arguments.dry_run) {
        return load_online::run(url, arguments, &inputs, &rejects);
    }
    let resolved = config::read(&arguments.settings)?;
    log::start(&resolved, Usual::Warnings);
    let settings = resolved.settings;
    let _small = SmallPages::begin();
    let database = match &arguments.data {
        Some(data) if !arguments.dry_run => Database::open(data, settings)?,
        _ => Database::in_memory(settings)?,
    };
    let wanted = Wanted {
        reading: &inputs.reading,
        bad_rows_max: arguments.max_bad,
        unknown_types: arguments.unknown_types,
        progress: arguments.progress,
        // A signal ends the process; the rows loaded until then are not in the graph.
        is_stopped: &|| false,
    };
    let graph = database.settings().graph_named(&arguments.graph).unwrap_or(&arguments.graph);
    let graph = graph.to_owned();
    let result = load_files(&database, &graph, &inputs.paths, &wanted);
    let made =
        result.as_ref().map_or(Ok(()), |_| make_indexes(&database, &graph, &arguments.index));
    database.close();
    let summary = result?;
    for row in summary.rejects.iter().take(BAD_ROWS_SHOWN_MAX) {
        eprintln!("left out: {row}");
    }
    summary.notes.iter().for_each(|note| eprintln!("note: {note}"));
    rejects.write(&summary.rejects, &summary.more_rejects)?;
    say!("{}", summary_line(&graph, &summary));
    made?;
    if arguments.dry_run {
        say!("dry run: no row was stored; the files were checked as for an empty graph");
    }
    Ok(())
}

/// Makes indexes of a loaded graph, each as a commit.
fn make_indexes(database: &Database, graph: &str, indexes: &[DeclaredIndex]) -> Result<()> {
    if indexes.is_empty() {
        return Ok(());
    }
    let graph = database.ensure_graph(graph)?;
    let limits = RequestLimits::within(u64::MAX, database.settings());
    graph.make_indexes(indexes, &limits).map_err(behind_load)
}

/// The error of an index that could not be made.
pub(crate) fn behind_load(mut error: Error) -> Error {
    error.detail = format!("all is loaded, but not {}", error.detail);
    error
}

/// The files of a load: those that stand alone, then those of tables, in the order of these.
pub(crate) struct Inputs {
    pub(crate) paths: Vec<PathBuf>,
    pub(crate) format: Format,
    pub(crate) reading: Reading,
}

impl Inputs {
    fn of(arguments: &Load) -> Result<Inputs> {
        let csv = &arguments.csv;
        foreign::check(&csv.foreign)?;
        let dialect = Dialect {
            delimiter: csv.delimiter,
            array_delimiter: csv.array_delimiter,
            multiline: csv.multiline_fields,
            quote: csv.quote,
            comment: csv.comment,
            null: csv.null,
            ignore_empty_strings: csv.ignore_empty_strings,
        };
        let mut reading = Reading {
            format: arguments.format.as_deref().map(Format::parse).transpose()?,
            csv: CsvOptions { dialect, create_ends: csv.create_ends },
            tables: csv
                .nodes
                .iter()
                .chain(&csv.relationships)
                .map(with_files)
                .collect::<Result<_>>()?,
            plain: csv.columns.columns()?,
        };
        let mut paths = Vec::new();
        for file in &arguments.files {
            paths.extend(matching_files(file)?);
        }
        paths.extend(reading.tables.iter().flat_map(|table| &table.files).map(PathBuf::from));
        let format =
            reading.format_of_files(&paths.iter().map(PathBuf::as_path).collect::<Vec<_>>())?;
        reading.format = Some(format);
        Ok(Inputs { paths, format, reading })
    }
}

/// A table with the files that its patterns mean.
fn with_files(table: &NamedTable) -> Result<NamedTable> {
    let mut files = Vec::new();
    for file in &table.files {
        let paths = matching_files(Path::new(file))?;
        files.extend(paths.iter().map(|path| path.to_string_lossy().into_owned()));
    }
    Ok(NamedTable { kind: table.kind.clone(), files })
}

/// How files are loaded.
pub(crate) struct Wanted<'a> {
    pub(crate) reading: &'a Reading,
    pub(crate) bad_rows_max: u64,
    pub(crate) unknown_types: UnknownTypes,
    pub(crate) progress: ProgressKind,
    pub(crate) is_stopped: &'a dyn Fn() -> bool,
}

/// Loads files as one commit into a graph that is made if it is not there.
pub(crate) fn load_files(
    database: &Database,
    graph: &str,
    paths: &[PathBuf],
    wanted: &Wanted<'_>,
) -> Result<Summary> {
    let paths: Vec<&Path> = paths.iter().map(PathBuf::as_path).collect();
    let input = input_of_files(&paths, wanted.reading)?;
    let options = LoadOptions {
        bad_rows_max: wanted.bad_rows_max,
        path: LoadPath::Bulk,
        unknown_types: wanted.unknown_types,
    };
    let is_new = database.find_graph(graph)?.is_none();
    let graph = database.ensure_graph(graph)?;
    let mut shower = Shower::new(graph.name(), wanted.progress);
    let result = graph.load(input, options, &mut |progress| {
        shower.show(progress);
        match (wanted.is_stopped)() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    });
    shower.finish(result.as_ref().ok());
    if result.is_err() && is_new {
        // The load's own error is the one to report; an empty graph left behind would do no harm.
        let _left = database.drop_graph(graph.name());
    }
    result
}
