//! `millrace load`: files into a data folder, into a running server, or only read.
//!
//! A load into a folder is one commit: when it is killed, the folder is unchanged and there is nothing
//! to resume. Only a server takes batches.

use std::fs::File;
use std::io::Read;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use millrace_db::dql::DqlSchema;
use millrace_db::ingest::csv::{CsvOptions, Dialect, NamedTable};
use millrace_db::ingest::error::LoadError;
use millrace_db::ingest::load::{Format, LoadOptions, LoadPath, Summary, UnknownTypes};
use millrace_db::ingest::reading::{Reading, input_of_files, matching_files};
use millrace_db::ingest::source::plain;
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
    let made = match &result {
        Ok(summary) if !arguments.dry_run => define(&database, &graph, &inputs, summary)
            .and_then(|notes| make_indexes(&database, &graph, &arguments.index).map(|()| notes)),
        _ => Ok(Vec::new()),
    };
    database.close();
    let mut summary = result?;
    if let Ok(left_out) = &made {
        summary.notes.extend(left_out.iter().cloned());
    }
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

/// Keeps the schema of a load with its graph, and makes its indexes; what of it is left out, a line each.
fn define(
    database: &Database,
    graph: &str,
    inputs: &Inputs,
    summary: &Summary,
) -> Result<Vec<String>> {
    let Some(schema) = &inputs.schema else { return Ok(Vec::new()) };
    let limits = RequestLimits::within(u64::MAX, database.settings());
    let graph = database.ensure_graph(graph)?;
    graph.define_dql(&schema.schema, &summary.undeclared, &limits).map_err(behind_load)
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
    /// The schema, if the load has one.
    pub(crate) schema: Option<SchemaFile>,
}

/// A schema of DQL, and its text.
pub(crate) struct SchemaFile {
    pub(crate) text: String,
    pub(crate) schema: DqlSchema,
}

impl SchemaFile {
    fn read(path: &Path) -> Result<SchemaFile> {
        let failed =
            |source| Error::from(LoadError::File { file: path.to_string_lossy().into(), source });
        let mut text = String::new();
        let file = File::open(path).map_err(failed)?;
        plain(file).and_then(|mut file| file.read_to_string(&mut text)).map_err(failed)?;
        let schema = DqlSchema::parse(&text).map_err(|mut error| {
            error.detail = format!("{}: {}", path.display(), error.detail);
            error
        })?;
        Ok(SchemaFile { text, schema })
    }
}

/// Whether a file is the GraphQL schema of an export.
fn is_graphql_schema(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.strip_suffix(".gz").unwrap_or(&name).ends_with(".gql_schema")
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
        let schema = arguments.schema.as_deref().map(SchemaFile::read).transpose()?;
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
            declared: schema.as_ref().map(|own| own.schema.declared()),
        };
        let mut paths = Vec::new();
        for file in &arguments.files {
            paths.extend(matching_files(file)?);
        }
        if schema.is_some() {
            for path in paths.extract_if(.., |path| is_graphql_schema(path)) {
                let name = path.display();
                eprintln!(
                    "note: {name} is left out: it is the schema of GraphQL, and DQL has its own"
                );
            }
        }
        paths.extend(reading.tables.iter().flat_map(|table| &table.files).map(PathBuf::from));
        let format =
            reading.format_of_files(&paths.iter().map(PathBuf::as_path).collect::<Vec<_>>())?;
        reading.format = Some(format);
        Ok(Inputs { paths, format, reading, schema })
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
