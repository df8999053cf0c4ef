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

use super::journal::{Journal, Place};
use super::{Counts, Input, LoadOptions, LoadPath, Meter, OnProgress, Phase, Summary};
use crate::csv;
use crate::error::{BadRow, LoadError};
use crate::graph::Sink;
use crate::limits::{BATCH_ATTEMPTS_MAX, BATCH_ROWS_MAX, REJECTS_RETAINED_MAX};
use crate::memory::parsed_bytes;
use crate::nquads;
use crate::source::{Block, BlockReader};
use millrace_model::{Error, ErrorKind, LogPosition};
use millrace_store::{Changes, Snapshot, Store};
use std::sync::Arc;

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
    /// Whether an N-Quads literal of an unknown datatype is loaded as it is written.
    pub unknown_types_as_text: bool,
}

/// Loads all of `input` in batches. The summary is of the whole load, with the batches before an interruption.
pub fn load_in_batches(
    store: &dyn Store,
    input: Input,
    options: &BatchOptions,
    on_progress: OnProgress<'_>,
) -> Result<Summary, LoadError> {
    check(options)?;
    if let Input::GraphSon(_) | Input::GraphMl(_) = input {
        return Err(edges_before_ends());
    }
    let load = LoadOptions {
        bad_rows_max: options.bad_rows_max,
        path: LoadPath::Transaction,
        unknown_types_as_text: options.unknown_types_as_text,
    };
    let mut meter = Meter::new(load, on_progress).sharing(&store.memory());
    let journal = begin(store, &input, options)?;
    let rejects = journal.rejects(&store.snapshot()?.catalog());
    meter.go_on(journal.counts, rejects);
    if journal.is_done {
        let Counts { vertices, edges, .. } = journal.counts;
        return meter.finish(store.snapshot()?.position(), vertices, edges);
    }
    let mut batches = Batches { store, rows: options.rows, journal, meter, unknown_types: 0 };
    match input {
        Input::NQuads(sources) => nquads::load_batches(&mut batches, sources)?,
        Input::Csv(tables, options) => csv::load_batches(&mut batches, tables, options)?,
        Input::GraphSon(_) | Input::GraphMl(_) => return Err(edges_before_ends()),
    }
    batches.finish()
}

fn edges_before_ends() -> LoadError {
    let detail = "GraphSON and GraphML can't be loaded in batches, since edges stand before their \
                  targets: load the files as one commit";
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
        Input::NQuads(sources) | Input::GraphSon(sources) | Input::GraphMl(sources) => {
            sources.iter().map(file).collect()
        }
        Input::Csv(tables, _) => tables.iter().flat_map(|table| &table.sources).map(file).collect(),
    };
    files.join(",")
}

/// A batch, ready to be committed.
pub(crate) struct Batch<'a> {
    pub(crate) sink: Sink<'a>,
    /// The snapshot that it was read at.
    pub(crate) snapshot: Arc<dyn Snapshot>,
    pub(crate) counts: Counts,
    pub(crate) bad: Vec<BadRow>,
    pub(crate) has_blanks: bool,
    /// Literals of types that are not known.
    pub(crate) unknown_types: u64,
}

/// Makes a batch of lines. May be asked again for the same ones.
pub(crate) type MakeBatch<'a, 'm> =
    &'m mut dyn FnMut(&'a dyn Store, &[Block]) -> Result<Batch<'a>, LoadError>;

/// A load in batches under way.
pub(crate) struct Batches<'a, 'p> {
    pub(crate) store: &'a dyn Store,
    rows: u64,
    pub(crate) journal: Journal,
    pub(crate) meter: Meter<'p>,
    /// Literals of types that are not known, since this process goes on with the load.
    unknown_types: u64,
}

impl<'a> Batches<'a, '_> {
    /// Reads the files of a table and commits them, from where the journal is.
    pub(crate) fn table(
        &mut self,
        table: usize,
        readers: Vec<BlockReader>,
        make: MakeBatch<'a, '_>,
    ) -> Result<(), LoadError> {
        for (source, mut reader) in readers.into_iter().enumerate() {
            let begins = Place { table, source, line: 0 };
            let ends = Place { source: source + 1, ..begins };
            if ends <= self.journal.next {
                continue;
            }
            let from = if self.journal.next < begins { 0 } else { self.journal.next.line };
            let (mut waiting, mut lines, mut bytes) = (Vec::new(), 0, 0);
            while let Some(block) = reader.next_block()? {
                let mut rest = from_line(block, from);
                while let Some(block) = rest {
                    let (piece, count, after) = cut(block, self.rows - lines);
                    (rest, lines) = (after, lines + count);
                    let line = piece.first_line + count;
                    // Its text, its values, and the graph that these become.
                    bytes += 2 * parsed_bytes(&piece);
                    self.meter.hold(bytes)?;
                    waiting.push(piece);
                    if lines == self.rows {
                        self.commit(&waiting, Place { line, ..begins }, make)?;
                        waiting.clear();
                        (lines, bytes) = (0, 0);
                    }
                }
            }
            if !waiting.is_empty() {
                self.commit(&waiting, ends, make)?;
            }
        }
        Ok(())
    }

    fn commit(
        &mut self,
        lines: &[Block],
        next: Place,
        make: MakeBatch<'a, '_>,
    ) -> Result<(), LoadError> {
        let mut attempts = 1;
        loop {
            match self.try_commit(lines, next, make) {
                Err(LoadError::Store(error))
                    if error.kind == ErrorKind::Conflict && attempts < BATCH_ATTEMPTS_MAX =>
                {
                    attempts += 1;
                }
                done => return done,
            }
        }
    }

    fn try_commit(
        &mut self,
        lines: &[Block],
        next: Place,
        make: MakeBatch<'a, '_>,
    ) -> Result<(), LoadError> {
        let Batch { mut sink, snapshot, counts, bad, has_blanks, unknown_types } =
            make(self.store, lines)?;
        if !self.journal.is_in(&snapshot.catalog()) {
            // Perhaps the server still has the last rows of a client that was killed.
            let detail =
                "another process continues this load, or has finished it: no row was loaded twice";
            let error = Error::new(ErrorKind::Unavailable, detail);
            return Err(LoadError::Store(error.with_help("try again later, with --resume")));
        }
        self.meter.check_bad(&bad)?;
        let counts = self.journal.counts.plus(counts);
        let has_blanks = self.journal.has_blanks || has_blanks;
        let mut journal = self.journal.clone();
        (journal.next, journal.counts, journal.has_blanks) = (next, counts, has_blanks);
        let mut catalog = vec![journal.note()];
        if !bad.is_empty() {
            catalog.push(journal.rejects_note(&bad));
        }
        sink.push(Changes { catalog, ..Changes::default() })?;
        sink.claim(journal.claim());
        sink.finish()?;
        self.journal = journal;
        self.unknown_types += unknown_types;
        self.meter.go_on(counts, bad);
        self.meter.report()
    }

    /// Says in the journal that this is the end.
    fn finish(mut self) -> Result<Summary, LoadError> {
        self.meter.enter(Phase::Finishing)?;
        self.meter.note_unknown_types(self.unknown_types);
        if self.journal.has_blanks {
            nquads::forget_blank_names(&self.journal_blanks(), self.store)?;
        }
        let snapshot = self.store.snapshot()?;
        self.journal.is_done = true;
        let catalog = vec![self.journal.note()];
        let mut sink = Sink::transaction(self.store, Some(snapshot));
        sink.push(Changes { catalog, ..Changes::default() })?;
        sink.claim(self.journal.claim());
        let position: LogPosition = sink.finish()?;
        let Counts { vertices, edges, .. } = self.journal.counts;
        self.meter.finish(position, vertices, edges)
    }

    /// The prefix of the names of blank nodes while this load is under way.
    pub(crate) fn journal_blanks(&self) -> Arc<str> {
        format!("_:{:016x}:", self.journal.claim()).into()
    }
}

/// A block without the lines before one; none if nothing is left.
fn from_line(block: Block, line: u64) -> Option<Block> {
    match line.checked_sub(block.first_line) {
        None | Some(0) => Some(block),
        Some(count) => cut(block, count).2,
    }
}

/// The first lines of a block, how many they are, and the rest.
fn cut(block: Block, lines_max: u64) -> (Block, u64, Option<Block>) {
    let mut count = 0;
    let mut end = block.bytes.len();
    for at in memchr::memchr_iter(b'\n', &block.bytes) {
        count += 1;
        if count == lines_max {
            end = at + 1;
            break;
        }
    }
    if end == block.bytes.len() {
        // The last line of a file may have no end.
        let open = u64::from(!block.bytes.is_empty() && !block.bytes.ends_with(b"\n"));
        return (block, count + open, None);
    }
    let Block { file, source, first_line, mut bytes } = block;
    let rest = bytes.split_off(end);
    let after =
        Block { file: Arc::clone(&file), source, first_line: first_line + count, bytes: rest };
    (Block { file, source, first_line, bytes }, count, Some(after))
}
