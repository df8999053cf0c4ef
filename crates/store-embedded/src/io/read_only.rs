//! A disk that takes no change, whatever it is over: for folders that are open to be read only.
//!
//! Syncs go through. They change no byte, and what a reader is shown must be on disk.

use std::path::Path;
use std::sync::Arc;

use crate::base::error::{Error, Result};
use crate::io::{Bug, Disk, DiskFile, DiskLock};

/// A view of a disk.
pub(crate) struct ReadOnlyDisk {
    disk: Arc<dyn Disk>,
}

impl ReadOnlyDisk {
    /// A view of this disk.
    pub(crate) fn over(disk: Arc<dyn Disk>) -> Self {
        Self { disk }
    }
}

fn refuse<T>(path: &Path, operation: &'static str) -> Result<T> {
    Err(Error::ReadOnly { path: path.to_path_buf(), operation })
}

/// Where the file system itself takes no change, nothing waits to be synced.
fn unless_unwritable(synced: Result<()>) -> Result<()> {
    match synced {
        Err(error) if error.is_unwritable() || error.is_unsupported() => Ok(()),
        outcome => outcome,
    }
}

impl Disk for ReadOnlyDisk {
    fn create_folder(&self, folder: &Path) -> Result<()> {
        refuse(folder, "create folder")
    }

    fn create(&self, path: &Path) -> Result<Arc<dyn DiskFile>> {
        refuse(path, "create")
    }

    fn open(&self, path: &Path) -> Result<Arc<dyn DiskFile>> {
        Ok(Arc::new(ReadOnlyFile { file: self.disk.open(path)? }))
    }

    fn rename(&self, from: &Path, _to: &Path) -> Result<()> {
        refuse(from, "rename")
    }

    fn remove(&self, path: &Path) -> Result<()> {
        refuse(path, "remove")
    }

    fn remove_folder(&self, folder: &Path) -> Result<()> {
        refuse(folder, "remove folder")
    }

    fn list(&self, folder: &Path) -> Result<Vec<String>> {
        self.disk.list(folder)
    }

    fn sync_folder(&self, folder: &Path) -> Result<()> {
        unless_unwritable(self.disk.sync_folder(folder))
    }

    fn owner_of(&self, folder: &Path) -> Option<u32> {
        self.disk.owner_of(folder)
    }

    fn free_space(&self, folder: &Path) -> Result<u64> {
        self.disk.free_space(folder)
    }

    fn lock(&self, path: &Path, _holder: &str) -> Result<Box<dyn DiskLock>> {
        refuse(path, "lock")
    }

    fn lock_to_read(&self, path: &Path, holder: &str) -> Result<Option<Box<dyn DiskLock>>> {
        self.disk.lock_to_read(path, holder)
    }

    fn recycles_files(&self) -> bool {
        false
    }

    fn names_begin_at(&self) -> u64 {
        self.disk.names_begin_at()
    }

    fn injected(&self) -> Option<Bug> {
        self.disk.injected()
    }
}

struct ReadOnlyFile {
    file: Arc<dyn DiskFile>,
}

impl DiskFile for ReadOnlyFile {
    fn path(&self) -> &Path {
        self.file.path()
    }

    fn size(&self) -> Result<u64> {
        self.file.size()
    }

    fn read_at(&self, offset: u64, bytes: &mut [u8]) -> Result<()> {
        self.file.read_at(offset, bytes)
    }

    fn write_at(&self, _offset: u64, _bytes: &[u8]) -> Result<()> {
        refuse(self.path(), "write")
    }

    fn sync_data(&self) -> Result<()> {
        unless_unwritable(self.file.sync_data())
    }

    fn set_size(&self, _bytes: u64) -> Result<()> {
        refuse(self.path(), "resize")
    }

    fn allocate(&self, _bytes: u64) -> Result<()> {
        refuse(self.path(), "resize")
    }
}
