//! The files of the log: made ahead of need, and freed when told.
//!
//! A file is prepared (zeros written, header, sync, folder sync) before it holds a batch, so a file
//! without a whole header never held one. Files are removed oldest first, each removal made durable
//! before the next, so what a crash leaves is always a tail of the log, without a hole.

use std::path::Path;
use std::sync::Arc;

use crate::error::Result;
use crate::folder::{FileKind, FileName, Folder};
use crate::io::DiskFile;
use crate::limits::{
    LOG_BATCH_BYTES_MAX, LOG_FILE_BYTES, LOG_FILE_BYTES_MAX, LOG_FIRST_FILE_BYTES,
};
use crate::log::format::{BLOCK, FileHeader, FileId};

/// The sizes of a log; tests make them small.
#[derive(Debug, Clone, Copy)]
pub struct LogOptions {
    /// The size of a file that is prepared ahead of need.
    pub file_bytes: u64,
    /// The room for new batches in a file that is made while somebody waits.
    pub first_file_bytes: u64,
    /// The largest batch.
    pub batch_bytes_max: usize,
}

impl Default for LogOptions {
    fn default() -> Self {
        Self {
            file_bytes: LOG_FILE_BYTES,
            first_file_bytes: LOG_FIRST_FILE_BYTES,
            batch_bytes_max: LOG_BATCH_BYTES_MAX,
        }
    }
}

impl LogOptions {
    pub(super) fn assert_in_bounds(&self) {
        assert!(self.file_bytes <= LOG_FILE_BYTES_MAX, "a log file is at most 4 GiB");
        assert!(self.batch_bytes_max <= LOG_BATCH_BYTES_MAX, "readers refuse a larger batch");
    }
}

/// A file of the log that takes no more batches.
#[derive(Debug, Clone, Copy)]
pub(super) struct OldFile {
    pub(super) name: FileName,
    pub(super) bytes: u64,
    /// At least the last position in it; 0 if it has none.
    pub(super) position_last: u64,
    /// Its last batch; 0 if it has none.
    pub(super) batch_last: u64,
}

/// A file that should be made: [`NextFile::prepare`] does, without any lock.
pub struct NextFile {
    pub(super) folder: Arc<Folder>,
    pub(super) id: FileId,
    pub(super) bytes: u64,
}

/// A file that is ready for batches, durably there and full of zeros.
pub struct PreparedFile {
    pub(super) file: Arc<dyn DiskFile>,
    pub(super) id: FileId,
    pub(super) bytes: u64,
}

impl NextFile {
    pub(super) fn new(folder: &Arc<Folder>, salt: u64, bytes: u64) -> Self {
        let number = folder.new_name(FileKind::Log).number;
        Self { folder: Arc::clone(folder), id: FileId { number, salt }, bytes }
    }

    /// Makes the file. Slow: it writes the whole file and syncs it and the folder. After an error
    /// nothing is left, if the disk lets us, and
    /// [`LogWriter::next_file`](super::LogWriter::next_file) may be asked again.
    pub fn prepare(self) -> Result<PreparedFile> {
        let path = self.folder.path_of(log_name(self.id.number));
        let prepared = self.make(&path);
        if prepared.is_err() {
            // Best effort: it may not exist, and what stays is found at the next open.
            let _ = self.folder.disk().remove(&path);
        }
        prepared
    }

    fn make(&self, path: &Path) -> Result<PreparedFile> {
        let file = self.folder.disk().create(path)?;
        file.write_at(0, &FileHeader { id: self.id, first_batch: 0 }.encode())?;
        file.allocate(self.bytes)?;
        file.sync_data()?;
        self.folder.sync()?;
        Ok(PreparedFile { file, id: self.id, bytes: self.bytes })
    }
}

impl PreparedFile {
    pub(super) fn as_old_file(&self) -> OldFile {
        let name = log_name(self.id.number);
        OldFile { name, bytes: self.bytes, position_last: 0, batch_last: 0 }
    }

    /// Whether a batch of this size fits behind the header.
    pub(super) fn fits(&self, batch_bytes: u64) -> bool {
        BLOCK + batch_bytes <= self.bytes
    }
}

/// Files that hold nothing that is needed: [`ReleasedFiles::remove`] frees them, without any lock.
#[must_use]
pub struct ReleasedFiles {
    pub(super) folder: Arc<Folder>,
    pub(super) files: Vec<OldFile>,
}

impl ReleasedFiles {
    /// Whether there is nothing to remove.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Bytes that removing them gives back.
    pub fn bytes(&self) -> u64 {
        self.files.iter().map(|file| file.bytes).sum()
    }

    /// Removes the files, oldest first. What an error leaves behind is found at the next open.
    pub fn remove(self) -> Result<()> {
        self.files.iter().try_for_each(|file| {
            self.folder.disk().remove(&self.folder.path_of(file.name))?;
            self.folder.sync()
        })
    }
}

pub(super) fn log_name(number: u64) -> FileName {
    FileName { kind: FileKind::Log, number }
}
