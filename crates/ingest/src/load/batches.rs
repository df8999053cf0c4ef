//! A load in batches. Each batch is a transaction of its own and commits the journal's next line with
//! its rows, so a committed batch stays loaded, and an interrupted load continues behind it.
//!
//! ```text
//!   lines ──> as many as a batch holds ──> one transaction: rows and journal ──┐
//!     ^                                             write conflict: once more  │
//!     └──────────────── the journal's line, after a crash <────────────────────┘
//! ```
//!
//! Between batches the graph holds a part of the files, and readers see it. A client that needs all or
//! nothing loads as one commit.

use super::Input;
use crate::csv;
use crate::error::LoadError;
use crate::graph::Sink;
use crate::limits::{BATCH_ROWS_MAX, REJECTS_RETAINED_MAX};
use crate::nquads;
use crate::progress::{
    Batches, Counts, Journal, LoadOptions, LoadPath, Meter, OnProgress, Summary, UnknownTypes,
};
use millrace_store::{Changes, Store};

/// How a load in batches behaves.
#[derive(Clone, Debug)]
pub struct BatchOptions {
    /// Lines of a batch.
    pub rows: u64,
    /// Rows that may be bad before the load stops; at most [`REJECTS_RETAINED_MAX`].
    pub bad_rows_max: u64,
    /// The name of its journal: that of the same files is the same.
    pub journal: String,
    /// Whether to go on with a load of that name that was cut off.
    pub resume: bool,
    /// What becomes of an N-Quads literal of an unknown datatype.
    pub unknown_types: UnknownTypes,
}

/// Loads all of `input` in batches. The summary is of the whole load, with the batches before an interruption.
pub fn load_in_batches(
    store: &dyn Store,
    input: Input,
    options: &BatchOptions,
    on_progress: OnProgress<'_>,
) -> Result<Summary, LoadError> {
    check(options)?;
    if let Input::GraphSon(_) | Input::GraphMl(_) | Input::Lists(..) | Input::Declared(..) = input {
        return Err(edges_before_ends(&input));
    }
    let load = LoadOptions {
        bad_rows_max: options.bad_rows_max,
        path: LoadPath::Transaction,
        unknown_types: options.unknown_types,
    };
    let mut meter = Meter::new(load, on_progress).sharing(&store.memory());
    let journal = begin(store, &input, options)?;
    let rejects = journal.rejects(&store.snapshot()?.catalog());
    meter.go_on(journal.counts, rejects);
    if journal.is_done {
        let Counts { vertices, edges, .. } = journal.counts;
        return meter.finish(store.snapshot()?.position(), vertices, edges);
    }
    let mut batches = Batches::new(store, options.rows, journal, meter);
    match input {
        Input::NQuads(sources) => nquads::load_batches(&mut batches, sources)?,
        Input::Csv(tables, options) => csv::load_batches(&mut batches, tables, options)?,
        Input::GraphSon(_) | Input::GraphMl(_) | Input::Lists(..) | Input::Declared(..) => {
            return Err(edges_before_ends(&input));
        }
    }
    batches.finish(nquads::forget_blank_names)
}

fn edges_before_ends(input: &Input) -> LoadError {
    let detail = match input {
        Input::Lists(..) => {
            "lists of edges can't be loaded in batches, since their nodes have no lines: load the files as one commit"
        }
        Input::Declared(..) => {
            "a load under a schema can't be in batches, since a node without a uid could get one that a later line \
             names: load the files as one commit"
        }
        _ => {
            "GraphSON and GraphML can't be loaded in batches, since edges stand before their targets: load the \
             files as one commit"
        }
    };
    LoadError::Input(detail.into())
}

fn check(options: &BatchOptions) -> Result<(), LoadError> {
    let refuse = |detail: String| Err(LoadError::Input(detail));
    if !(1..=BATCH_ROWS_MAX).contains(&options.rows) {
        return refuse(format!("a batch has 1 to {BATCH_ROWS_MAX} rows, not {}", options.rows));
    }
    if REJECTS_RETAINED_MAX as u64 <= options.bad_rows_max {
        return refuse(format!(
            "in batches at most {} rows may be bad, not {}: each is kept until the load ends",
            REJECTS_RETAINED_MAX - 1,
            options.bad_rows_max
        ));
    }
    let fits = |letter: char| letter.is_alphanumeric() || "._-~".contains(letter);
    if options.journal.is_empty() || !options.journal.chars().all(fits) {
        let name = &options.journal;
        return refuse(format!(
            "'{name}' is not a valid name of a journal: letters, digits, '.', \
                               '_', '-'"
        ));
    }
    Ok(())
}

/// The journal to go on with, or a new one, which is in the graph before the first batch.
fn begin(store: &dyn Store, input: &Input, options: &BatchOptions) -> Result<Journal, LoadError> {
    let snapshot = store.snapshot()?;
    let identity = identity(input);
    let known = Journal::find(&snapshot.catalog(), &options.journal);
    // A journal that is done serves only a client that resumes because it missed the answer.
    let of_use = |own: &Journal| !own.is_done || options.resume && own.input() == identity;
    match known.filter(of_use) {
        Some(journal) if journal.input() != identity => Err(LoadError::Input(format!(
            "the interrupted load was of {}, this one is of {identity}",
            journal.input()
        ))),
        Some(journal) if options.resume => Ok(journal),
        Some(journal) => Err(LoadError::Input(format!(
            "a load of these files was interrupted after {} rows: continue it (--resume)",
            journal.counts.rows + journal.counts.bad_rows
        ))),
        None => {
            let journal = Journal::new(&options.journal, &identity);
            let mut catalog = Journal::removal_of_done(&snapshot.catalog());
            catalog.push(journal.note());
            let mut sink = Sink::transaction(store, Some(snapshot));
            sink.push(Changes { catalog, ..Changes::default() })?;
            sink.claim(journal.claim());
            sink.finish()?;
            Ok(journal)
        }
    }
}

/// The files of a load, by name and size.
fn identity(input: &Input) -> String {
    let file = |source: &crate::source::Source| {
        let bytes = source.bytes.map_or_else(String::new, |bytes| bytes.to_string());
        format!("{}:{bytes}", source.name.replace(['\n', '\r'], " "))
    };
    let files: Vec<String> = match input {
        Input::NQuads(sources)
        | Input::GraphSon(sources)
        | Input::GraphMl(sources)
        | Input::Declared(_, sources, _)
        | Input::Lists(_, sources, _) => sources.iter().map(file).collect(),
        Input::Csv(tables, _) => tables.iter().flat_map(|table| &table.sources).map(file).collect(),
    };
    files.join(",")
}
