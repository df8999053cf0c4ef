//! The load driver: files in, one commit out, with progress and rejects on the way.
//!
//! Nothing is visible, and nothing remains of a load that failed, was cancelled or killed, until
//! [`load`] has returned its [`Summary`]. (Names and the unique index of the external name are declared
//! before, and stay.)

mod batches;
mod journal;
mod progress;

pub(crate) use batches::{Batch, Batches};
pub use batches::{BatchOptions, load_in_batches};
pub(crate) use progress::Meter;
pub use progress::{Counts, OnProgress, Phase, Progress, Summary};

use crate::csv::{self, CsvOptions, TableFiles};
use crate::error::LoadError;
use crate::graphml;
use crate::graphson;
use crate::memory::Parsing;
use crate::nquads;
use crate::pipeline;
use crate::reading::looks;
use crate::source::{BlockReader, LineEnds, Source};
use millrace_model::MemoryBudget;
use millrace_store::Store;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

/// The input of a load.
pub enum Input {
    /// N-Quads and N-Triples.
    NQuads(Vec<Source>),
    /// Tables with neo4j-admin headers.
    Csv(Vec<TableFiles>, CsvOptions),
    /// GraphSON 3, a vertex a line, and the JSON lines of APOC.
    GraphSon(Vec<Source>),
    /// GraphML.
    GraphMl(Vec<Source>),
}

/// A kind of file, known by its name or named by the user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// `.rdf`, `.nq`, `.nt`.
    NQuads,
    /// `.csv`.
    Csv,
    /// `.graphson`, `.json`, `.jsonl`.
    GraphSon,
    /// `.graphml`.
    GraphMl,
}

impl Format {
    /// The format of a word, as `--format` takes it.
    pub fn from_word(word: &str) -> Option<Self> {
        match word {
            "nquads" | "rdf" | "nq" | "nt" | "ntriples" => Some(Self::NQuads),
            "csv" => Some(Self::Csv),
            "graphson" | "json" | "jsonl" | "ndjson" | "apoc" => Some(Self::GraphSon),
            "graphml" => Some(Self::GraphMl),
            _ => None,
        }
    }

    /// The name for messages.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::NQuads => "N-Quads",
            Self::Csv => "CSV",
            Self::GraphSon => "GraphSON or JSON lines of APOC",
            Self::GraphMl => "GraphML",
        }
    }

    /// Its word, as [`Format::parse`] takes it.
    pub fn word(self) -> &'static str {
        match self {
            Self::NQuads => "nquads",
            Self::Csv => "csv",
            Self::GraphSon => "graphson",
            Self::GraphMl => "graphml",
        }
    }

    /// Parses the word for a format; the error lists the words.
    pub fn parse(word: &str) -> Result<Self, LoadError> {
        Self::from_word(word).ok_or_else(|| {
            let detail = "there is no format of this name: nquads, csv, graphson (JSON lines of APOC too) or graphml";
            LoadError::Input(format!("{word}: {detail}"))
        })
    }

    /// The format of a file by the end of its name, `.gz` left aside.
    pub fn of_path(path: &Path) -> Option<Self> {
        let name = path.file_name()?.to_str()?;
        let name = name.strip_suffix(".gz").unwrap_or(name);
        Self::from_word(name.rsplit_once('.')?.1)
    }
}

/// How a load behaves.
#[derive(Clone, Copy, Debug, Default)]
pub struct LoadOptions {
    /// Rows that may be bad before the load stops. 0: the first bad row stops it.
    pub bad_rows_max: u64,
    /// Which way the graph goes into the store.
    pub path: LoadPath,
    /// Whether an N-Quads literal of an unknown datatype is loaded as it is written, instead of
    /// being a bad row.
    pub unknown_types_as_text: bool,
}

/// Ways into a store. Each makes the whole load visible at once, or nothing of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LoadPath {
    /// The store's bulk load; N-Quads that name a vertex of the graph take the other one.
    #[default]
    Bulk,
    /// One transaction of any size, validated against the commits of others like any write.
    Transaction,
}

/// Loads all of `input` into a graph as one commit.
pub fn load(
    store: &dyn Store,
    input: Input,
    options: LoadOptions,
    on_progress: OnProgress<'_>,
) -> Result<Summary, LoadError> {
    let meter = Meter::new(options, on_progress).sharing(&store.memory());
    match input {
        Input::NQuads(sources) => load_nquads(store, sources, meter),
        Input::Csv(tables, csv_options) => csv::load(store, tables, csv_options, meter),
        Input::GraphSon(sources) => graphson::load(store, sources, meter),
        Input::GraphMl(sources) => graphml::load(store, sources, meter),
    }
}

fn load_nquads(
    store: &dyn Store,
    sources: Vec<Source>,
    mut meter: Meter<'_>,
) -> Result<Summary, LoadError> {
    let mut readers = open_all(sources, Format::NQuads, LineEnds::All, &mut meter)?;
    let mut graph = nquads::QuadGraph::default();
    let (as_text, mut unknown_types) = (meter.unknown_types_as_text(), 0);
    pipeline::run(
        &mut readers,
        &Parsing::of(&store.memory()),
        |block| nquads::parse_block(&block, as_text),
        |mut block| {
            unknown_types += block.unknown_types;
            meter.rows(block.quads, std::mem::take(&mut block.bad))?;
            graph.add(block);
            meter.hold(graph.byte_size())?;
            meter.found(graph.vertex_count() as u64, graph.edge_count() as u64)
        },
    )?;
    meter.note_unknown_types(unknown_types);
    meter.enter(Phase::Storing)?;
    let path = meter.path();
    let mut on_part = |vertices, edges| meter.stored(vertices, edges);
    let emitted = nquads::emit(graph, store, path, &mut on_part)?;
    if emitted.replaced != 0 {
        let count = emitted.replaced;
        meter.note(format!("{count} values of nodes replaced others that the graph had"));
    }
    meter.enter(Phase::Finishing)?;
    let position = emitted.sink.finish()?;
    meter.finish(position, emitted.vertices, emitted.edges)
}

/// Reads N-Quads without storing them, for their number and their faults.
pub fn check_nquads(sources: Vec<Source>, on_progress: OnProgress<'_>) -> Result<u64, LoadError> {
    let mut meter = Meter::new(LoadOptions::default(), on_progress);
    let mut readers = open_all(sources, Format::NQuads, LineEnds::All, &mut meter)?;
    let mut quads = 0;
    pipeline::run(
        &mut readers,
        &Parsing::of(&MemoryBudget::unbounded()),
        |block| nquads::parse_block(&block, false),
        |block| {
            quads += block.quads;
            meter.rows(block.quads, block.bad)
        },
    )?;
    Ok(quads)
}

/// Opens the files of a load.
pub(crate) fn open_all(
    sources: Vec<Source>,
    format: Format,
    line_ends: LineEnds,
    meter: &mut Meter<'_>,
) -> Result<Vec<BlockReader>, LoadError> {
    meter.expect_bytes(sources.iter().map(|source| source.bytes));
    let numbered = sources.into_iter().enumerate();
    numbered.map(|(at, source)| open(source, at, format, line_ends, meter)).collect()
}

/// Opens a file of a load (the `at`-th of its table), unless its first bytes are those of another format.
pub(crate) fn open(
    source: Source,
    at: usize,
    format: Format,
    line_ends: LineEnds,
    meter: &Meter<'_>,
) -> Result<BlockReader, LoadError> {
    let mut reader = BlockReader::open(source, at, line_ends, meter.packed_bytes())?;
    match (format, at) {
        (Format::Csv, 1..) => looks::check_part(&mut reader)?,
        _ => looks::check(&mut reader, format)?,
    }
    Ok(reader)
}

/// A progress callback that lets the load run on.
pub fn quiet(_: &Progress) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// The counter of bytes read, shared with the reading thread.
pub(crate) type PackedBytes = Arc<std::sync::atomic::AtomicU64>;
