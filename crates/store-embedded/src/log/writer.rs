//! The writer: batches at the end of the newest file, one write each.
//!
//! After a write or a sync failed nothing is written again: the state on disk is unknown, and only
//! recovery finds out. `durable` stays where it was.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::Arc;

use crate::base::bytes::checksum;
use crate::base::error::{Error, Result};
use crate::base::limits::LOG_FILE_GROWTH;
use crate::base::options::LogOptions;
use crate::folder::Folder;
use crate::io::{Bug, DiskFile, FileName, Random, is_injected};
use crate::log::files::{NextFile, OldFile, PreparedFile, ReleasedFiles, Spares, log_name};
use crate::log::format::{
    BATCH_HEADER_BYTES, BLOCK, BatchHeader, FrameRef, Mark, begin_batch, padded,
};

/// Writes the log. One thread has it; see the table in [the module](super).
pub struct LogWriter {
    pub(super) folder: Arc<Folder>,
    pub(super) random: Arc<dyn Random>,
    pub(super) options: LogOptions,
    pub(super) spares: Spares,
    pub(super) current: PreparedFile,
    /// Where the next batch goes in the current file.
    pub(super) end: u64,
    /// Bytes that batches took since the log was opened.
    pub(super) appended: u64,
    pub(super) next: Option<PreparedFile>,
    /// Oldest first.
    pub(super) older: VecDeque<OldFile>,
    pub(super) written: Mark,
    pub(super) durable: Mark,
    /// Whether the last batch holds frames, so that something should come to vouch for it.
    pub(super) idle_due: bool,
    pub(super) poisoned: Option<PathBuf>,
    pub(super) buffer: Vec<u8>,
}

/// The extents of a log's files at one time.
pub struct LogExtents {
    /// The last position in them.
    pub position_last: u64,
    /// Oldest first.
    pub files: Vec<LogExtent>,
}

/// The extent of one file of a log.
pub struct LogExtent {
    /// Its name.
    pub name: FileName,
    /// A handle of it.
    pub file: Arc<dyn DiskFile>,
    /// Bytes from the start that are written.
    pub bytes: u64,
    /// The last batch that counts in it; 0 if there is none.
    pub batch_last: u64,
}

impl LogWriter {
    /// The extents of the files now. Handles stay good when a file is removed; of the newest only
    /// the written bytes count, since the rest changes under its reader. Refused after a failure:
    /// the state on disk is unknown then.
    pub fn extents(&self) -> Result<LogExtents> {
        self.check_not_poisoned()?;
        let mut files = Vec::with_capacity(self.older.len() + 1);
        for old in self.older.iter().filter(|file| file.batch_last != 0) {
            let file = self.folder.disk().open(&self.folder.path_of(old.name))?;
            let OldFile { name, end: bytes, batch_last, .. } = *old;
            files.push(LogExtent { name, file, bytes, batch_last });
        }
        let name = log_name(self.current.id.number);
        let batch_last = if BLOCK < self.end { self.written.batch } else { 0 };
        let (file, bytes) = (Arc::clone(&self.current.file), self.end);
        files.push(LogExtent { name, file, bytes, batch_last });
        Ok(LogExtents { position_last: self.written.position, files })
    }

    /// Writes the frames, in as many batches as they need, syncs once, and returns the durable
    /// position. The frames up to it are done; the rest, if any (the disk filled up between two
    /// batches), can be given again. Positions must be above all earlier ones and never fall.
    ///
    /// After an error either the log is poisoned (a write or sync of a batch failed, and the
    /// outcome of these frames is unknown), or nothing of them was written and they can be given
    /// again: [`Error::DiskFull`] while a new file is made, [`Error::TooLarge`].
    pub fn append(&mut self, frames: &[FrameRef<'_>]) -> Result<u64> {
        let mut taken = self.write(frames)?;
        while taken < frames.len() {
            match self.write(&frames[taken..]) {
                Ok(more) => taken += more,
                // The written batches are synced; the caller meets the error again with the rest.
                Err(_) if !self.is_poisoned() => break,
                Err(error) => return Err(error),
            }
        }
        self.sync()
    }

    /// Writes one empty batch if the last one has frames and nothing vouches for it yet. To be
    /// called when there is nothing to append. Returns whether one was written.
    pub fn append_idle(&mut self) -> Result<bool> {
        self.check_not_poisoned()?;
        if !self.idle_due || self.written != self.durable {
            return Ok(false);
        }
        self.write_batch(&[])?;
        self.sync()?;
        Ok(true)
    }

    /// Writes one batch: as many of the frames as fit, but never a part of a position. Returns how
    /// many. They count only after [`LogWriter::sync`].
    pub fn write(&mut self, frames: &[FrameRef<'_>]) -> Result<usize> {
        self.check_not_poisoned()?;
        if frames.is_empty() {
            return Ok(0);
        }
        let count = self.fitting(frames)?;
        self.write_batch(&frames[..count])?;
        Ok(count)
    }

    /// Makes durable every batch that was written, and returns the durable position.
    pub fn sync(&mut self) -> Result<u64> {
        self.check_not_poisoned()?;
        if self.written != self.durable {
            let synced = self.current.file.sync_data();
            self.poison_on_error(synced)?;
            self.durable = self.written;
        }
        Ok(self.durable.position)
    }

    /// The position up to which everything is on disk, whatever happens next.
    pub fn durable(&self) -> u64 {
        self.durable.position
    }

    /// The folder it is in.
    pub fn folder(&self) -> &Arc<Folder> {
        &self.folder
    }

    /// Whether an earlier failure ended this log.
    pub fn is_poisoned(&self) -> bool {
        self.poisoned.is_some()
    }

    /// The size of all files, with the one prepared.
    pub fn bytes(&self) -> u64 {
        let next = self.next.as_ref().map_or(0, |file| file.bytes);
        self.older.iter().map(|file| file.bytes).sum::<u64>() + self.current.bytes + next
    }

    /// Bytes that batches took since the log was opened, with the padding of their last blocks.
    pub fn appended_bytes(&self) -> u64 {
        self.appended
    }

    /// Bytes that batches may still take of the files that are there.
    pub fn room(&self) -> u64 {
        let next = self.next.as_ref().map_or(0, |file| file.bytes.saturating_sub(BLOCK));
        self.current.bytes.saturating_sub(self.end) + next
    }

    /// The file to prepare now, if one is needed soon and none is ready. Quick.
    pub fn next_file(&self) -> Option<NextFile> {
        let bytes = self.options.file_bytes.min(self.current.bytes * LOG_FILE_GROWTH);
        self.full_soon().map(|_| {
            let next = NextFile::new(&self.folder, self.random.next_u64(), bytes);
            next.or_spare(&self.spares)
        })
    }

    /// The number of the current file, if it is half full and no other is ready.
    pub fn full_soon(&self) -> Option<u64> {
        let half_full = self.current.bytes / 2 < self.end;
        (half_full && self.next.is_none()).then_some(self.current.id.number)
    }

    /// A file to prepare that takes so many bytes of batches. Quick.
    pub fn file_for(&self, bytes: u64) -> NextFile {
        NextFile::new(&self.folder, self.random.next_u64(), BLOCK + bytes)
    }

    /// Takes a prepared file for the next rotation, in the place of a smaller one. Quick.
    pub fn install_next(&mut self, prepared: PreparedFile) {
        // The log may have helped itself meanwhile; a file must not come before the current one.
        let follows = self.current.id.number < prepared.id.number;
        let is_largest = self.next.as_ref().is_none_or(|next| next.bytes < prepared.bytes);
        let unused =
            if follows && is_largest { self.next.replace(prepared) } else { Some(prepared) };
        self.older.extend(unused.map(|file| file.as_old_file()));
    }

    /// Gives up the files with all positions below `oldest_needed`. Quick; the files go by
    /// [`ReleasedFiles::remove`]. The newest durable batch is always kept: it carries the chain.
    pub fn release(&mut self, oldest_needed: u64) -> ReleasedFiles {
        let durable_batch = self.durable.batch;
        let free = |file: &OldFile| {
            file.position_last < oldest_needed && file.batch_last < durable_batch.max(1)
        };
        let count = self.older.iter().take_while(|file| free(file)).count();
        let files = self.older.drain(..count).collect();
        ReleasedFiles { folder: Arc::clone(&self.folder), files, spares: self.spares.clone() }
    }

    /// Gives back all room that no batch took, as the last thing of an orderly close: the next
    /// opening begins a file of its own.
    pub fn trim(&mut self) -> Result<()> {
        self.check_not_poisoned()?;
        self.spares.remove_all(&self.folder)?;
        if let Some(next) = self.next.take() {
            self.folder.disk().remove(next.file.path())?;
        }
        if self.end < self.current.bytes {
            self.current.file.set_size(self.end)?;
            self.current.bytes = self.end;
        }
        self.folder.sync()
    }

    /// Goes on in a small file that vouches for all before it, so that the files before may be
    /// released whatever they hold. To be called when nothing waits.
    pub fn begin_small_file(&mut self) -> Result<()> {
        self.check_not_poisoned()?;
        // The file that was prepared is a large one.
        self.older.extend(self.next.take().map(|file| file.as_old_file()));
        self.next = Some(self.file_for(BLOCK).prepare(&|| 0)?);
        self.rotate(BLOCK)?;
        self.write_batch(&[])?;
        self.sync()?;
        Ok(())
    }

    /// Bytes that batches take in files that were not released.
    pub fn used_bytes(&self) -> u64 {
        self.older.iter().map(|file| file.end).sum::<u64>() + self.end
    }

    /// How many of the frames go in the next batch.
    fn fitting(&self, frames: &[FrameRef<'_>]) -> Result<usize> {
        let mut bytes = BATCH_HEADER_BYTES;
        let mut count = 0;
        let mut last = self.written.position;
        for commit in frames.chunk_by(|a, b| a.position == b.position) {
            assert!(last < commit[0].position, "positions rise: {last}, then {commit:?}");
            last = commit[0].position;
            bytes += commit.iter().map(FrameRef::encoded_bytes).sum::<usize>();
            if self.options.batch_bytes_max < bytes {
                break;
            }
            count += commit.len();
        }
        if count == 0 {
            let bytes_max = self.options.batch_bytes_max as u64;
            let what = "one commit in the log";
            return Err(Error::TooLarge { what, bytes: bytes as u64, bytes_max });
        }
        Ok(count)
    }

    fn write_batch(&mut self, frames: &[FrameRef<'_>]) -> Result<()> {
        let payload: usize = frames.iter().map(FrameRef::encoded_bytes).sum();
        let batch_bytes = padded(BATCH_HEADER_BYTES + payload) as u64;
        if self.current.bytes < self.end + batch_bytes {
            self.rotate(batch_bytes)?;
        }
        let written = self.encode(frames);
        let put = self.current.file.write_at(self.end, &self.buffer);
        self.poison_on_error(put)?;
        self.end += batch_bytes;
        self.appended += batch_bytes;
        self.written = written;
        self.idle_due = !frames.is_empty();
        Ok(())
    }

    /// Fills the buffer with the whole padded batch; returns the mark it will have reached.
    fn encode(&mut self, frames: &[FrameRef<'_>]) -> Mark {
        begin_batch(&mut self.buffer);
        frames.iter().for_each(|frame| frame.encode(&mut self.buffer));
        let payload = &self.buffer[BATCH_HEADER_BYTES..];
        let vouches = !is_injected(self.folder.disk(), Bug::VouchingDropped);
        let durable = if vouches { self.durable } else { Mark::default() };
        let header = BatchHeader {
            file: self.current.id,
            sequence: self.written.batch + 1,
            durable_batch: durable.batch,
            durable_before: durable.position,
            first_position: frames.first().map_or(self.written.position + 1, |f| f.position),
            frame_count: frames.len() as u32,
            payload_bytes: payload.len() as u32,
            payload_checksum: checksum(payload),
            previous_checksum: self.written.checksum,
        };
        let checksum = header.finish_batch(&mut self.buffer);
        let position = frames.last().map_or(self.written.position, |frame| frame.position);
        Mark { batch: header.sequence, checksum, position }
    }

    /// Goes on in the prepared file, or makes a small one while all writers wait.
    fn rotate(&mut self, batch_bytes: u64) -> Result<()> {
        // One file at a time has unsynced batches, so one sync always covers them all.
        self.sync()?;
        let next = match self.next.take() {
            Some(next) if next.fits(batch_bytes) => next,
            unfit => {
                self.older.extend(unfit.map(|file| file.as_old_file()));
                // No room: there are no pauses while all writers wait.
                let bytes = self.options.first_file_bytes.max(batch_bytes);
                self.file_for(bytes).prepare(&|| 0)?
            }
        };
        let full = std::mem::replace(&mut self.current, next);
        self.older.push_back(OldFile {
            name: log_name(full.id.number),
            bytes: full.bytes,
            end: self.end,
            position_last: self.written.position,
            batch_last: self.written.batch,
        });
        self.end = BLOCK;
        Ok(())
    }

    fn check_not_poisoned(&self) -> Result<()> {
        match &self.poisoned {
            Some(path) => Err(Error::Poisoned { path: path.clone() }),
            None => Ok(()),
        }
    }

    fn poison_on_error(&mut self, result: Result<()>) -> Result<()> {
        if result.is_err() {
            self.poisoned = Some(self.current.file.path().to_path_buf());
        }
        result
    }
}
