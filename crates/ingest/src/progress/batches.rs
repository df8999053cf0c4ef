//! Batches of a load: lines are gathered from files, made a transaction by the format, and committed
//! with the journal that says so.

use super::journal::Place;
use super::{Counts, DatatypeCounts, Journal, Meter, Phase, Summary};
use crate::error::{BadRow, LoadError};
use crate::graph::Sink;
use crate::limits::BATCH_ATTEMPTS_MAX;
use crate::source::{Block, BlockReader, parsed_bytes};
use millrace_model::{Error, ErrorKind, LogPosition};
use millrace_store::{Changes, Snapshot, Store};
use std::sync::Arc;

/// A batch, ready to be committed.
pub(crate) struct Batch<'a> {
    pub(crate) sink: Sink<'a>,
    /// The snapshot that it was read at.
    pub(crate) snapshot: Arc<dyn Snapshot>,
    pub(crate) counts: Counts,
    pub(crate) bad: Vec<BadRow>,
    pub(crate) has_blanks: bool,
    /// Literals of types that are not known.
    pub(crate) unknown_types: DatatypeCounts,
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
    unknown_types: DatatypeCounts,
}

impl<'a, 'p> Batches<'a, 'p> {
    pub(crate) fn new(store: &'a dyn Store, rows: u64, journal: Journal, meter: Meter<'p>) -> Self {
        Self { store, rows, journal, meter, unknown_types: DatatypeCounts::default() }
    }

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
        self.unknown_types.add_all(&unknown_types);
        self.meter.go_on(counts, bad);
        self.meter.report()
    }

    /// Says in the journal that this is the end. `forget_blanks` takes the names of blank nodes away,
    /// if there are any.
    pub(crate) fn finish(
        mut self,
        forget_blanks: impl FnOnce(&str, &dyn Store) -> Result<(), LoadError>,
    ) -> Result<Summary, LoadError> {
        self.meter.enter(Phase::Finishing)?;
        self.meter.note_unknown_types(&self.unknown_types);
        if self.journal.has_blanks {
            forget_blanks(&self.journal_blanks(), self.store)?;
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
