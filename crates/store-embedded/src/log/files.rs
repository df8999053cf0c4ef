//! The files of the log: made ahead of need, and freed on request.
//!
//! A file is prepared (zeros written or a released file taken as it is, header, sync, folder sync)
//! before it holds a batch, so a file without a whole header never held one. A released file is
//! taken again only where the disk lets it ([`Disk::recycles_files`](crate::io::Disk)). Files are removed
//! oldest first, each removal made durable before the next, so a crash always leaves a tail of the
//! log, without a hole.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use parking_lot::Mutex;

use crate::base::error::Result;
use crate::base::limits::{ALLOCATE_SLICE_BYTES, LOG_SPARE_FILES_MAX};
use crate::folder::Folder;
use crate::io::{Disk, DiskFile, FileKind, FileName};
use crate::log::format::{BLOCK, FileHeader, FileId};

/// A file of the log that takes no more batches.
#[derive(Debug, Clone, Copy)]
pub(super) struct OldFile {
    pub(super) name: FileName,
    pub(super) bytes: u64,
    /// Where its last batch ends: what follows is room that was never used.
    pub(super) end: u64,
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
    /// A file that was released, to be used again as it is.
    spare: Option<PathBuf>,
}

/// Released files that wait to be used again, under temporary names: an open finds them there and
/// removes them.
#[derive(Clone, Default)]
pub(super) struct Spares {
    /// The size they all have.
    bytes: u64,
    paths: Arc<Mutex<Vec<PathBuf>>>,
}

/// A file that is ready for batches, durably there; its old content was never a batch of this file.
pub struct PreparedFile {
    pub(super) file: Arc<dyn DiskFile>,
    pub(super) id: FileId,
    pub(super) bytes: u64,
}

impl NextFile {
    pub(super) fn new(folder: &Arc<Folder>, salt: u64, bytes: u64) -> Self {
        let number = folder.new_name(FileKind::Log).number;
        Self { folder: Arc::clone(folder), id: FileId { number, salt }, bytes, spare: None }
    }

    /// The same out of a spare file, if there is one of that size.
    pub(super) fn or_spare(mut self, spares: &Spares) -> Self {
        self.spare = (self.bytes == spares.bytes).then(|| spares.paths.lock().pop()).flatten();
        self
    }

    /// Whether it uses a released file again.
    pub fn is_reused(&self) -> bool {
        self.spare.is_some()
    }

    /// Makes the file. Slow: it writes the whole file, unless it has a spare one, and syncs it and
    /// the folder; in slices, between which the log has the disk, as long as it has `room` enough
    /// in the file before. After an error nothing is left, if the disk lets us, and
    /// [`LogWriter::next_file`](super::LogWriter::next_file) may be asked again.
    pub fn prepare(self, room: &dyn Fn() -> u64) -> Result<PreparedFile> {
        let path = self.folder.path_of(log_name(self.id.number));
        let prepared = match &self.spare {
            Some(spare) => self.reuse(spare, &path),
            None => self.make(&path, room),
        };
        if prepared.is_err() {
            // Best effort: it may not exist, and a file left behind is found at the next open.
            for path in self.spare.iter().chain([&path]) {
                let _ = self.folder.disk().remove(path);
            }
        }
        prepared
    }

    /// Not zeroed: the batches it holds have another file's number and salt. Its new header is
    /// durable before its new name, so the name is never found without the header.
    fn reuse(&self, spare: &Path, path: &Path) -> Result<PreparedFile> {
        let disk = self.folder.disk();
        let file = disk.open(spare)?;
        file.write_at(0, &FileHeader { id: self.id, first_batch: 0 }.encode())?;
        file.sync_data()?;
        disk.rename(spare, path)?;
        self.folder.sync()?;
        // Opened again, so that errors name the path it has now.
        Ok(PreparedFile { file: disk.open(path)?, id: self.id, bytes: self.bytes })
    }

    fn make(&self, path: &Path, room: &dyn Fn() -> u64) -> Result<PreparedFile> {
        let file = self.folder.disk().create(path)?;
        file.write_at(0, &FileHeader { id: self.id, first_batch: 0 }.encode())?;
        let (pacer, room_at_first) = (self.folder.pacer(), room());
        let (mut made, mut left) = (0, room_at_first);
        while made < self.bytes {
            let slice = pacer.begin();
            let slice_bytes = match left {
                // Writers wait for this file, so it gives way to nothing.
                0 => ALLOCATE_SLICE_BYTES as u64,
                _ => slice.bytes().min(ALLOCATE_SLICE_BYTES) as u64,
            };
            made = self.bytes.min(made + slice_bytes);
            file.allocate(made)?;
            file.sync_data()?;
            left = room();
            if is_ahead(made, self.bytes, room_at_first.saturating_sub(left), room_at_first) {
                pacer.end(&slice);
            }
        }
        self.folder.sync()?;
        Ok(PreparedFile { file, id: self.id, bytes: self.bytes })
    }
}

/// Whether more of the file is made than of the room before it is used: else the log would wait for
/// it.
fn is_ahead(made: u64, bytes: u64, used: u64, room: u64) -> bool {
    u128::from(used) * u128::from(bytes) < u128::from(made) * u128::from(room)
}

impl Spares {
    /// None yet; they will have this size, or there will be none on a disk that recycles no files.
    pub(super) fn of_size(bytes: u64, disk: &dyn Disk) -> Spares {
        let bytes = if disk.recycles_files() { bytes } else { 0 };
        Spares { bytes, ..Spares::default() }
    }

    /// Keeps a released file, if it is of the right size and one is wanted. Its name is gone for
    /// good, as if it were removed, once the folder is synced.
    fn keep(&self, folder: &Folder, file: &OldFile) -> Result<bool> {
        if file.bytes != self.bytes || LOG_SPARE_FILES_MAX <= self.paths.lock().len() {
            return Ok(false);
        }
        // Without the lock: the log asks for a spare while it writes.
        let spare = folder.temporary_path_of(file.name);
        folder.disk().rename(&folder.path_of(file.name), &spare)?;
        folder.sync()?;
        self.paths.lock().push(spare);
        Ok(true)
    }

    /// Removes those that wait. Files that an error leaves behind are found at the next open.
    pub(super) fn remove_all(&self, folder: &Folder) -> Result<()> {
        let paths = std::mem::take(&mut *self.paths.lock());
        paths.iter().try_for_each(|path| folder.disk().remove(path))
    }
}

impl PreparedFile {
    pub(super) fn as_old_file(&self) -> OldFile {
        let name = log_name(self.id.number);
        OldFile { name, bytes: self.bytes, end: BLOCK, position_last: 0, batch_last: 0 }
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
    pub(super) spares: Spares,
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

    /// The same, but none is used again: a reader holds handles to them since before.
    pub fn for_good(mut self) -> Self {
        self.spares = Spares::default();
        self
    }

    /// Removes the files, and those that were put aside before: on a full disk none waits.
    pub fn remove_all(self) -> Result<()> {
        self.spares.remove_all(&self.folder)?;
        self.for_good().remove()
    }

    /// Removes the files, oldest first, or puts them aside to be used again. Files that an error
    /// leaves behind are found at the next open.
    pub fn remove(self) -> Result<()> {
        self.files.iter().try_for_each(|file| {
            if self.spares.keep(&self.folder, file)? {
                return Ok(());
            }
            self.folder.disk().remove(&self.folder.path_of(file.name))?;
            self.folder.sync()
        })
    }
}

pub(super) fn log_name(number: u64) -> FileName {
    FileName { kind: FileKind::Log, number }
}
