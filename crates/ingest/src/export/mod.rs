//! Exports a graph at one snapshot to files that a load reads back as the same graph.
//!
//! ```text
//!   snapshot ──some thousand elements at once──> text ──> a temporary name ──at the end──> its name
//! ```
//!
//! A value that a format has no word for is refused by its name before the file appears: an export never
//! writes a graph other than the one that is there. GraphML and CSV read the graph twice, first for the
//! types of keys, which stand before the elements. Nothing here changes a graph.

mod csv;
mod graphml;
mod graphson;
mod output;
mod rdf;
mod scan;
mod text;

use crate::limits::LINE_BYTES_MAX;
use millrace_model::{Error, ErrorKind, Result};
use millrace_store::Snapshot;
use output::{Output, Target};
pub use rdf::Definition;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::Path;

/// The format of an export.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExportFormat {
    /// One file: labels as TinkerPop writes them, several of them and lists as APOC does.
    GraphMl,
    /// One file: GraphSON 3, a vertex a line.
    GraphSon,
    /// A folder: a file for each set of labels and each type, with neo4j-admin's headers.
    Csv,
    /// One file: N-Quads as Dgraph exports them.
    Rdf,
    /// One file: the schema of DQL that belongs to them.
    RdfSchema,
}

impl ExportFormat {
    /// Parses the word for a format; the error lists the words.
    pub fn parse(word: &str) -> Result<Self> {
        match word {
            "graphml" => Ok(Self::GraphMl),
            "graphson" | "json" => Ok(Self::GraphSon),
            "csv" => Ok(Self::Csv),
            "rdf" => Ok(Self::Rdf),
            "rdf-schema" => Ok(Self::RdfSchema),
            _ => {
                let detail = format!("{word}: an export has no such format");
                Err(refused(detail).with_help("name graphml, graphson, csv, rdf or rdf-schema"))
            }
        }
    }

    /// The format that a file's name says, `.gz` left aside.
    pub fn of_path(path: &Path) -> Option<Self> {
        let name = path.file_name()?.to_str()?;
        let name = name.strip_suffix(".gz").unwrap_or(name);
        match name.rsplit_once('.')?.1 {
            "graphml" => Some(Self::GraphMl),
            "graphson" | "json" => Some(Self::GraphSon),
            "rdf" => Some(Self::Rdf),
            _ => None,
        }
    }
}

/// How an export behaves.
#[derive(Clone, Copy, Debug)]
pub struct ExportOptions<'a> {
    /// The format.
    pub format: ExportFormat,
    /// The delimiter of list elements and of labels in CSV.
    pub array_delimiter: char,
    /// Whether GraphML has values of types that it has no words for as text, with a note.
    pub unsupported_as_text: bool,
    /// What the schema of DQL knows, for `Rdf` and `RdfSchema`.
    pub definition: Option<&'a Definition>,
}

impl ExportOptions<'_> {
    /// A format with the options that are usual.
    pub fn of(format: ExportFormat) -> Self {
        Self { format, array_delimiter: ';', unsupported_as_text: false, definition: None }
    }

    fn check(self) -> Result<()> {
        if self.unsupported_as_text && self.format != ExportFormat::GraphMl {
            let detail =
                "--unsupported-types text is an option of GraphML: it changes no other format";
            return Err(refused(detail.to_owned()).with_help("leave it out, or export as GraphML"));
        }
        Ok(())
    }
}

/// The size of an export, and its omissions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExportSummary {
    /// Vertices.
    pub vertices: u64,
    /// Edges.
    pub edges: u64,
    /// Parts of the graph that are not in the files, and options that a load of them needs; a line each.
    pub notes: Vec<String>,
}

/// Progress callback after each batch: the phase, elements written, and of how many; may stop
/// the export.
pub type OnExport<'a> = &'a mut dyn FnMut(&str, u64, u64) -> ControlFlow<()>;

/// Writes a graph to a file, or to a folder for CSV. Nothing of that name may be there before.
pub fn export(
    snapshot: &dyn Snapshot,
    to: &Path,
    options: ExportOptions<'_>,
    on_export: OnExport<'_>,
) -> Result<ExportSummary> {
    options.check()?;
    let target = Target::new(to)?;
    let mut watch = Watch::of(snapshot, options.format, on_export)?;
    let summary = match options.format {
        ExportFormat::GraphMl => {
            graphml::write(snapshot, target.file()?, options.unsupported_as_text, &mut watch)
        }
        ExportFormat::GraphSon => graphson::write(snapshot, target.file()?, &mut watch),
        ExportFormat::Csv => {
            return csv::write(snapshot, target, options.array_delimiter, &mut watch);
        }
        ExportFormat::Rdf => rdf::write(snapshot, target.file()?, options.definition, &mut watch),
        ExportFormat::RdfSchema => rdf::write_schema(options.definition, target.file()?),
    }?;
    target.finish()?;
    Ok(summary)
}

/// Writes a graph to a stream, in a format of one file. After an error the output is to be discarded.
pub fn export_to(
    snapshot: &dyn Snapshot,
    out: &mut dyn Write,
    options: ExportOptions<'_>,
    on_export: OnExport<'_>,
) -> Result<ExportSummary> {
    check_one_file(options)?;
    let mut watch = Watch::of(snapshot, options.format, on_export)?;
    match options.format {
        ExportFormat::GraphMl => {
            graphml::write(snapshot, Output::stream(out), options.unsupported_as_text, &mut watch)
        }
        ExportFormat::GraphSon => graphson::write(snapshot, Output::stream(out), &mut watch),
        ExportFormat::Csv => Err(not_one_file()),
        ExportFormat::Rdf => {
            rdf::write(snapshot, Output::stream(out), options.definition, &mut watch)
        }
        ExportFormat::RdfSchema => rdf::write_schema(options.definition, Output::stream(out)),
    }
}

/// Refuses a format that is a folder where one file is wanted, and options that are not of the format.
pub fn check_one_file(options: ExportOptions<'_>) -> Result<()> {
    options.check()?;
    match options.format {
        ExportFormat::GraphMl
        | ExportFormat::GraphSon
        | ExportFormat::Rdf
        | ExportFormat::RdfSchema => Ok(()),
        ExportFormat::Csv => Err(not_one_file()),
    }
}

fn not_one_file() -> Error {
    let detail = "an export as csv is a folder of files, and this takes one file";
    Error::new(ErrorKind::Unsupported, detail).with_help(
        "export as graphson or graphml, or take a backup and run `millrace export --format csv` on it",
    )
}

/// Shows how far an export is.
struct Watch<'a> {
    on_export: OnExport<'a>,
    done: u64,
    total: u64,
}

impl<'a> Watch<'a> {
    fn of(
        snapshot: &dyn Snapshot,
        format: ExportFormat,
        on_export: OnExport<'a>,
    ) -> Result<Watch<'a>> {
        let passes = match format {
            ExportFormat::GraphSon | ExportFormat::Rdf | ExportFormat::RdfSchema => 1,
            ExportFormat::GraphMl | ExportFormat::Csv => 2,
        };
        let elements = snapshot.count_vertices(None)? + snapshot.count_edges(None)?;
        Ok(Watch { on_export, done: 0, total: elements * passes })
    }

    fn step(&mut self, doing: &str, elements: usize) -> Result<()> {
        self.done += elements as u64;
        match (self.on_export)(doing, self.done, self.total) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => {
                Err(Error::new(ErrorKind::Cancelled, "the export was stopped: no file was written"))
            }
        }
    }
}

/// A value or name that the format cannot hold.
fn refused(detail: String) -> Error {
    Error::new(ErrorKind::BadInput, detail)
}

/// A line must be one that a load reads.
fn check_line(bytes: usize, what: impl FnOnce() -> String) -> Result<()> {
    match bytes <= LINE_BYTES_MAX {
        true => Ok(()),
        false => {
            let detail = format!(
                "{} takes {bytes} bytes of text, and a load reads {LINE_BYTES_MAX} at most",
                what()
            );
            Err(refused(detail)
                .with_help("export as CSV or GraphML, where each edge stands by itself"))
        }
    }
}
