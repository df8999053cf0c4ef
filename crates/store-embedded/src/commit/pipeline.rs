//! The steps between the sequencer and visibility: the log writes and syncs, the applier applies.
//!
//! Both take everything that waits, so what arrived during the last sync goes to disk with the
//! next, and a wake-up costs nothing for each commit.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use millrace_model::{Error, ErrorKind, Phase, Result};
use parking_lot::Mutex;

use super::apply::apply;
use super::conflict::{ConflictTable, Footprint};
use super::frame::Record;
use super::limits::NEXT_FILE_ASK_BYTES;
use super::readers::Readers;
use super::sequencer::{Sequenced, Sequencer, Submission};
use super::watermark::Progress;
use crate::error::Error as StoreError;
use crate::graph::Graphs;
use crate::log::{FrameRef, LogWriter, ReleasedFiles};
use crate::options::{Durability, Options};

/// Everything between a commit and its visibility.
pub(crate) struct Pipeline {
    pub(crate) sequencer: Sequencer,
    pub(crate) progress: Arc<Progress>,
    pub(crate) readers: Readers,
    log: Mutex<LogSide>,
    /// Held while records are applied: whoever has it sees a state between two records.
    applying: Mutex<()>,
    graphs: Arc<Graphs>,
    log_bytes: AtomicU64,
    written_bytes: AtomicU64,
    sync_count: AtomicU64,
    asked_at_bytes: AtomicU64,
}

struct LogSide {
    writer: LogWriter,
    /// Given positions, not yet in the log: the disk was full.
    waiting: VecDeque<Sequenced>,
}

/// What a step did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stepped {
    /// There was something to do.
    Worked,
    /// There was nothing to do.
    Idle,
    /// There is something to do, and no room on the disk for it.
    Full,
}

impl Pipeline {
    /// A pipeline that goes on after `position`.
    pub(crate) fn new(
        writer: LogWriter,
        graphs: Arc<Graphs>,
        (durability, options): (Durability, &Options),
        position: u64,
    ) -> Self {
        let log_bytes = writer.bytes();
        Self {
            sequencer: Sequencer::new(ConflictTable::new(options.conflict_bits), position),
            progress: Arc::new(Progress::new(durability, position)),
            readers: Readers::default(),
            log: Mutex::new(LogSide { writer, waiting: VecDeque::new() }),
            applying: Mutex::new(()),
            graphs,
            log_bytes: AtomicU64::new(log_bytes),
            written_bytes: AtomicU64::new(0),
            sync_count: AtomicU64::new(0),
            asked_at_bytes: AtomicU64::new(0),
        }
    }

    /// Orders a record that conflicts with nothing.
    pub(crate) fn sequence_freely(&self, record: Record) -> Result<u64> {
        let footprint = Footprint::default();
        self.sequencer.sequence(Submission { record, footprint, snapshot: u64::MAX })
    }

    /// Writes and syncs everything that waits. An error is the end of writing.
    pub(crate) fn log_step(&self) -> Result<Stepped> {
        let mut side = self.log.lock();
        side.waiting.extend(self.sequencer.take_for_log());
        if side.waiting.is_empty() {
            return Ok(Stepped::Idle);
        }
        let LogSide { writer, waiting } = &mut *side;
        let frames: Vec<FrameRef<'_>> = waiting.iter().map(frame_ref).collect();
        let outcome = writer.append(&frames);
        let bytes: usize = frames.iter().map(|frame| frame.payload.len()).sum();
        drop(frames);
        self.log_bytes.store(writer.bytes(), Ordering::Relaxed);
        self.sync_count.fetch_add(1, Ordering::Relaxed);
        match outcome {
            Ok(durable) => {
                self.written_bytes.fetch_add(bytes as u64, Ordering::Relaxed);
                let done = waiting.partition_point(|entry| entry.position <= durable);
                waiting.drain(..done);
                let full = !waiting.is_empty();
                drop(side);
                self.progress.publish_durable(durable);
                Ok(if full { Stepped::Full } else { Stepped::Worked })
            }
            Err(StoreError::DiskFull { .. }) if !writer.is_poisoned() => Ok(Stepped::Full),
            Err(error) => Err(self.end_writing(&error.into())),
        }
    }

    /// Writes the empty batch that vouches for the last one, if it is due.
    pub(crate) fn idle_step(&self) -> Result<Stepped> {
        let mut side = self.log.lock();
        if !side.waiting.is_empty() || side.writer.is_poisoned() {
            return Ok(Stepped::Idle);
        }
        match side.writer.append_idle() {
            Ok(true) => Ok(Stepped::Worked),
            Ok(false) | Err(StoreError::DiskFull { .. }) => Ok(Stepped::Idle),
            Err(error) => Err(self.end_writing(&error.into())),
        }
    }

    /// Whether enough was written since the last time to ask for the next file.
    pub(crate) fn next_file_due(&self) -> bool {
        let written = self.written_bytes();
        let asked = self.asked_at_bytes.load(Ordering::Relaxed);
        let due = asked + NEXT_FILE_ASK_BYTES <= written;
        if due {
            self.asked_at_bytes.store(written, Ordering::Relaxed);
        }
        due
    }

    /// Makes the next file of the log, if one is needed soon.
    pub(crate) fn next_file_step(&self) -> Result<Stepped> {
        let Some(next) = self.log.lock().writer.next_file() else { return Ok(Stepped::Idle) };
        let prepared = next.prepare()?;
        let mut side = self.log.lock();
        side.writer.install_next(prepared);
        self.log_bytes.store(side.writer.bytes(), Ordering::Relaxed);
        Ok(Stepped::Worked)
    }

    /// Applies everything that waits. An error is the end of writing: what could not be applied
    /// never becomes visible, nor anything after it.
    pub(crate) fn apply_step(&self) -> Result<Stepped> {
        let _applying = self.applying.lock();
        if self.progress.failure().is_some() {
            return Ok(Stepped::Idle);
        }
        let taken = self.sequencer.take_for_apply();
        let Some(last) = taken.last() else { return Ok(Stepped::Idle) };
        let held = self.readers.held(&self.progress);
        self.graphs.all().iter().for_each(|graph| graph.partitions.hold(held.clone()));
        apply(&self.graphs, &taken).map_err(|error| self.end_writing(&error))?;
        self.progress.publish_applied(last.position);
        Ok(Stepped::Worked)
    }

    /// Calls `see` between two records, with the position of the last one applied.
    pub(crate) fn between_records<T>(&self, see: impl FnOnce(u64) -> T) -> T {
        let _applying = self.applying.lock();
        see(self.progress.applied())
    }

    /// Gives up the log below a position that no shard needs any more.
    pub(crate) fn release_log(&self, oldest_needed: u64) -> ReleasedFiles {
        let mut side = self.log.lock();
        let released = side.writer.release(oldest_needed);
        self.log_bytes.store(side.writer.bytes(), Ordering::Relaxed);
        released
    }

    /// The size of the log's files.
    pub(crate) fn log_bytes(&self) -> u64 {
        self.log_bytes.load(Ordering::Relaxed)
    }

    /// Bytes of records written since the folder was opened.
    pub(crate) fn written_bytes(&self) -> u64 {
        self.written_bytes.load(Ordering::Relaxed)
    }

    /// Syncs of the log since the folder was opened.
    pub(crate) fn sync_count(&self) -> u64 {
        self.sync_count.load(Ordering::Relaxed)
    }

    /// After a failed write or sync nothing is tried again: waiters learn that nobody knows, new
    /// commits are refused, reads go on.
    fn end_writing(&self, error: &Error) -> Error {
        let detail = format!("writing has stopped: {}", error.detail);
        let refusal = Error::new(ErrorKind::ReadOnly, detail)
            .with_help("open the data folder again; reads go on meanwhile")
            .in_phase(Phase::Commit);
        self.sequencer.refuse(Some(refusal));
        self.progress.fail(error);
        error.clone()
    }
}

fn frame_ref(entry: &Sequenced) -> FrameRef<'_> {
    FrameRef {
        position: entry.position,
        graph: entry.record.graph.id.0,
        kind: entry.record.kind,
        checksum: entry.record.checksum,
        payload: &entry.record.payload,
    }
}
