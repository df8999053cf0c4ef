//! The steps between the sequencer and visibility: the log writes and syncs, the applier applies.
//!
//! Both take everything that waits, so records that arrived during the last sync go to disk with
//! the next, and a wake-up costs nothing for each commit.

use std::sync::Arc;
use std::time::Duration;

use millrace_model::{Error, ErrorKind, Phase, Result};
use millrace_store::non_blocking;

use crate::base::error::Error as StoreError;
use crate::base::options::{Durability, GroupCommitOptions, Options};
use crate::commit::apply::Applier;
use crate::commit::apply_queue::ApplyQueue;
use crate::commit::conflict::ConflictTable;
use crate::commit::frame::Record;
use crate::commit::log_room::{LogRoom, Purpose};
use crate::commit::readers::Readers;
use crate::commit::sequencer::{Sequenced, Sequencer, Submission};
use crate::commit::watermark::Progress;
use crate::commit::write_times::WriteTimes;
use crate::graph::Graphs;
use crate::io::Bug;
use crate::log::{
    FrameBuffer, FrameRef, LogExtents, LogWriter, NextFile, PreparedFile, ReleasedFiles,
};
use crate::sync::Mutex;
use crate::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Everything between a commit and its visibility.
pub(crate) struct Pipeline {
    pub(crate) sequencer: Sequencer,
    pub(crate) progress: Arc<Progress>,
    pub(crate) readers: Readers,
    log: Mutex<LogState>,
    /// Held by the thread that makes a file because the log has no room.
    making_room: Mutex<()>,
    /// Why no file of the log could be made the last time, unless one was made since.
    no_file: Mutex<Option<Error>>,
    /// Held while records are applied: its holder sees a state between two records.
    applying: Mutex<ApplyState>,
    graphs: Arc<Graphs>,
    log_bytes: AtomicU64,
    appended_bytes: AtomicU64,
    written_bytes: AtomicU64,
    sync_count: AtomicU64,
    pub(crate) write_times: WriteTimes,
    /// The newest log file that was half full with none behind it, and the one a next was asked
    /// for.
    full_soon: AtomicU64,
    asked_for: AtomicU64,
    group_commit: GroupCommitOptions,
    /// Whether what the log took is to be applied by the thread that took it.
    left_to_apply: AtomicBool,
}

struct LogState {
    writer: LogWriter,
    /// Given positions, not yet in the log.
    waiting: FrameBuffer,
}

struct ApplyState {
    applier: Applier,
    /// Empty between two steps.
    queue: ApplyQueue,
}

/// The result of a step.
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
        let room = LogRoom::new(&options.log, writer.room());
        let table = ConflictTable::on(writer.folder().disk(), options.conflict_bits);
        let applier = Applier::new(writer.folder());
        let applying = ApplyState { applier, queue: ApplyQueue::default() };
        Self {
            sequencer: Sequencer::new(table, room, position),
            progress: Arc::new(Progress::new(durability, position)),
            readers: Readers::default(),
            log: Mutex::new(LogState { writer, waiting: FrameBuffer::default() }),
            making_room: Mutex::new(()),
            no_file: Mutex::new(None),
            applying: Mutex::new(applying),
            graphs,
            log_bytes: AtomicU64::new(log_bytes),
            appended_bytes: AtomicU64::new(0),
            written_bytes: AtomicU64::new(0),
            sync_count: AtomicU64::new(0),
            write_times: WriteTimes::default(),
            full_soon: AtomicU64::new(0),
            asked_for: AtomicU64::new(0),
            group_commit: options.group_commit,
            left_to_apply: AtomicBool::new(false),
        }
    }

    /// Orders a submission. If the log has no room for it, a file is made first, after `check` has
    /// let it.
    pub(crate) fn sequence(
        &self,
        submission: Submission,
        purpose: Purpose,
        check: &dyn Fn() -> Result<()>,
    ) -> Result<u64> {
        self.sequencer.room.check_size(submission.record.frame_bytes())?;
        let sequence = |submission| self.sequencer.sequence(submission, purpose);
        self.sequence_by(sequence, submission, purpose, check)
    }

    /// Orders records that conflict with nothing, one behind the other, and gives the position of
    /// the last.
    pub(crate) fn sequence_together(
        &self,
        records: Vec<Record>,
        purpose: Purpose,
        check: &dyn Fn() -> Result<()>,
    ) -> Result<u64> {
        let check_size = |record: &Record| self.sequencer.room.check_size(record.frame_bytes());
        records.iter().try_for_each(check_size)?;
        let sequence = |records| self.sequencer.sequence_together(records, purpose);
        self.sequence_by(sequence, records, purpose, check)
    }

    /// Orders the record of a new owner.
    pub(crate) fn sequence_owner(
        &self,
        record: Record,
        check: &dyn Fn() -> Result<()>,
    ) -> Result<u64> {
        let purpose = Purpose::Change;
        self.sequencer.room.check_size(record.frame_bytes())?;
        let sequence = |record| self.sequencer.sequence_owner(record, purpose);
        self.sequence_by(sequence, record, purpose, check)
    }

    fn sequence_by<T>(
        &self,
        sequence: impl Fn(T) -> Result<Sequenced<T>>,
        mut wanted: T,
        purpose: Purpose,
        check: &dyn Fn() -> Result<()>,
    ) -> Result<u64> {
        loop {
            match sequence(wanted)? {
                Sequenced::At(position) => return Ok(position),
                Sequenced::NoRoom(back, bytes) => {
                    self.make_room(bytes, purpose, check)?;
                    wanted = back;
                }
            }
        }
    }

    /// Makes a file of the log that has room for a record, unless another thread has meanwhile.
    fn make_room(
        &self,
        bytes: u64,
        purpose: Purpose,
        check: &dyn Fn() -> Result<()>,
    ) -> Result<()> {
        non_blocking::would_block()?;
        let _one_file = self.making_room.lock();
        let room = &self.sequencer.room;
        if room.fits(bytes, purpose) {
            return Ok(());
        }
        check()?;
        let next = self.log.lock().writer.file_for(room.file_for(bytes, purpose));
        let prepared = match self.prepared(next, &|| 0) {
            Ok(prepared) => prepared,
            Err(error) => {
                // By now it may be known why.
                check()?;
                return Err(error);
            }
        };
        let mut state = self.log.lock();
        state.writer.install_next(prepared);
        self.note_log(&state.writer, 0);
        Ok(())
    }

    /// Makes a file of the log, and notes why it could not be made.
    fn prepared(&self, next: NextFile, room: &dyn Fn() -> u64) -> Result<PreparedFile> {
        let prepared = next.prepare(room).map_err(Error::from);
        *self.no_file.lock() = prepared.as_ref().err().cloned();
        prepared
    }

    /// Why a commit would be refused: the log has no room for it, and no file could be made. Cheap.
    pub(crate) fn no_room_because(&self) -> Option<Error> {
        let is_full = !self.sequencer.room.fits(1, Purpose::Change);
        if is_full { self.no_file.lock().clone() } else { None }
    }

    /// Tries again to make the file without which commits are refused.
    pub(crate) fn retry_room(&self, check: &dyn Fn() -> Result<()>) {
        if self.no_room_because().is_some() {
            // The error is kept for the next writer, which asks for it.
            let _ = self.make_room(1, Purpose::Change, check);
        }
    }

    /// Writes and syncs everything that waits. An error is the end of writing.
    pub(crate) fn log_step(&self) -> Result<Stepped> {
        let mut state = self.log.lock();
        let LogState { writer, waiting } = &mut *state;
        if waiting.is_empty() {
            let is_left = self.sequencer.take_for_log(waiting, self.progress.waits_for_disk());
            self.left_to_apply.store(is_left, Ordering::Relaxed);
        }
        if waiting.is_empty() {
            return Ok(Stepped::Idle);
        }
        let frames: Vec<FrameRef<'_>> = waiting.frames().collect();
        let outcome = writer.append(&frames);
        drop(frames);
        self.sync_count.fetch_add(1, Ordering::Relaxed);
        match outcome {
            Ok(durable) => {
                let (bytes, payload_bytes) = (waiting.bytes(), waiting.payload_bytes());
                waiting.remove_through(durable);
                let full = !waiting.is_empty();
                self.note_log(writer, (bytes - waiting.bytes()) as u64);
                let written = payload_bytes - waiting.payload_bytes();
                self.written_bytes.fetch_add(written, Ordering::Relaxed);
                // Before the lock is released: a thread that finds nothing left to write sees the
                // durable position.
                self.progress.publish_durable(durable);
                drop(state);
                if self.sequencer.table.is_injected(Bug::AppliedEarly) {
                    self.progress.publish_applied(durable);
                }
                Ok(if full { Stepped::Full } else { Stepped::Worked })
            }
            Err(StoreError::DiskFull { .. }) if !writer.is_poisoned() => Ok(Stepped::Full),
            Err(error) => Err(self.end_writing(&error.into())),
        }
    }

    /// Writes the empty batch that vouches for the last one, if it is due.
    pub(crate) fn idle_step(&self) -> Result<Stepped> {
        let mut state = self.log.lock();
        if !state.waiting.is_empty() || state.writer.is_poisoned() {
            return Ok(Stepped::Idle);
        }
        match state.writer.append_idle() {
            Ok(true) => {
                self.note_log(&state.writer, 0);
                Ok(Stepped::Worked)
            }
            Ok(false) | Err(StoreError::DiskFull { .. }) => Ok(Stepped::Idle),
            Err(error) => Err(self.end_writing(&error.into())),
        }
    }

    /// Whether to ask for the next file: once for each that will be full soon. By how full it is,
    /// not by bytes of commits: a batch of few commits takes a whole block.
    pub(crate) fn next_file_due(&self) -> bool {
        let full_soon = self.full_soon.load(Ordering::Relaxed);
        let due = self.asked_for.load(Ordering::Relaxed) < full_soon;
        self.asked_for.store(full_soon, Ordering::Relaxed);
        due
    }

    /// Makes the next file of the log, if one is needed soon.
    pub(crate) fn next_file_step(&self) -> Result<Stepped> {
        let Some(next) = self.log.lock().writer.next_file() else { return Ok(Stepped::Idle) };
        let prepared = self.prepared(next, &|| self.sequencer.room.left())?;
        let mut state = self.log.lock();
        state.writer.install_next(prepared);
        self.note_log(&state.writer, 0);
        Ok(Stepped::Worked)
    }

    /// Applies the commits that the log step before left: they are few, and to wake a thread for
    /// them and to wait for a processor would take longer. Called behind each such step.
    pub(crate) fn apply_left(&self) {
        if !self.left_to_apply.swap(false, Ordering::Relaxed) {
            return;
        }
        let free =
            self.sequencer.may_apply_on_log_thread().then(|| self.applying.try_lock()).flatten();
        match free {
            // An error is known to all by then.
            Some(mut state) => _ = self.apply_all(&mut state),
            // The thread that applies may have looked before these came.
            None => self.sequencer.apply_wakeup.notify(),
        }
    }

    /// Applies everything that waits. An error is the end of writing: a commit that could not be
    /// applied never becomes visible, nor do later ones.
    pub(crate) fn apply_step(&self) -> Result<Stepped> {
        self.apply_all(&mut self.applying.lock())
    }

    /// The same for a waiting thread, if no other applies. An error is known to all by then.
    pub(crate) fn help_apply(&self) {
        if let Some(mut state) = self.applying.try_lock() {
            let _ = self.apply_all(&mut state);
        }
    }

    fn apply_all(&self, state: &mut ApplyState) -> Result<Stepped> {
        if self.progress.failure().is_some() {
            return Ok(Stepped::Idle);
        }
        let ApplyState { applier, queue } = state;
        self.sequencer.take_for_apply(queue);
        if queue.is_empty() {
            return Ok(Stepped::Idle);
        }
        let pinned = self.readers.pinned(&self.progress);
        let applied = |position| self.progress.publish_applied(position);
        let done = applier.apply(&self.graphs, queue, Some(&pinned), applied);
        done.map_err(|error| self.end_writing(&error))?;
        Ok(Stepped::Worked)
    }

    /// Calls `see` between two records, with the position of the last one applied.
    pub(crate) fn between_records<T>(&self, see: impl FnOnce(u64) -> T) -> T {
        let _applying = self.applying.lock();
        see(self.progress.applied())
    }

    /// Gives up the log below a position that no shard needs any more.
    pub(crate) fn release_log(&self, oldest_needed: u64) -> ReleasedFiles {
        let mut state = self.log.lock();
        let released = state.writer.release(oldest_needed);
        self.note_log(&state.writer, 0);
        released
    }

    /// Bytes of the log's files that were used since the folder was opened: a batch of few commits
    /// takes a whole block, so these may be many more than the commits have.
    pub(crate) fn appended_bytes(&self) -> u64 {
        self.appended_bytes.load(Ordering::Relaxed)
    }

    /// Notes how the log is now, and how many bytes of frames were written.
    fn note_log(&self, writer: &LogWriter, written: u64) {
        self.log_bytes.store(writer.bytes(), Ordering::Relaxed);
        self.sequencer.room.note_log(writer.room(), written);
        self.appended_bytes.store(writer.appended_bytes(), Ordering::Relaxed);
        if let Some(number) = writer.full_soon() {
            self.full_soon.store(number, Ordering::Relaxed);
        }
    }

    /// Gives back the room of the log that no batch took, as the last thing of an orderly close.
    pub(crate) fn trim_log(&self) -> Result<()> {
        let mut state = self.log.lock();
        state.writer.trim()?;
        self.note_log(&state.writer, 0);
        Ok(())
    }

    /// Makes the log go on in a small file, so that a manifest may release all files before it.
    pub(crate) fn begin_small_log_file(&self) -> Result<()> {
        let mut state = self.log.lock();
        if state.waiting.is_empty() {
            let begun = state.writer.begin_small_file();
            self.note_log(&state.writer, 0);
            begun?;
        }
        Ok(())
    }

    /// Bytes that the batches of the log take, of those that were not released.
    pub(crate) fn log_used_bytes(&self) -> u64 {
        self.log.lock().writer.used_bytes()
    }

    /// The extents of the log's files now, for a backup.
    pub(crate) fn log_extents(&self) -> Result<LogExtents> {
        Ok(self.log.lock().writer.extents()?)
    }

    /// The size of the log's files.
    pub(crate) fn log_bytes(&self) -> u64 {
        self.log_bytes.load(Ordering::Relaxed)
    }

    /// Bytes of records written since the folder was opened.
    pub(crate) fn written_bytes(&self) -> u64 {
        self.written_bytes.load(Ordering::Relaxed)
    }

    /// How long the log thread waits before its next sync, for commits that may share it: not at
    /// all unless that is set, clients wait for the disk, and as many commits as are asked for wait
    /// beside the one that the sync is for.
    pub(crate) fn group_commit_delay(&self) -> Option<Duration> {
        let GroupCommitOptions { delay_us, siblings } = self.group_commit;
        let is_on = delay_us != 0 && self.progress.waits_for_disk();
        (is_on && siblings < self.sequencer.waiting_for_log())
            .then(|| Duration::from_micros(delay_us))
    }

    /// Syncs of the log since the folder was opened.
    pub(crate) fn sync_count(&self) -> u64 {
        self.sync_count.load(Ordering::Relaxed)
    }

    /// After a failed write or sync nothing is tried again: waiters learn that the outcome is
    /// unknown, new commits are refused, reads go on.
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
