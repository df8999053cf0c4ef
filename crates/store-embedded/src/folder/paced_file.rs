//! A large file that is written beside a busy log: in slices, each synced, at the `Pacer`'s pace.
//!
//! When the log is synced, many file systems also write the other dirty pages in the system's
//! memory. Only whole slices are synced on the way; the rest is synced by `PacedFile::sync`.

use std::sync::Arc;

use crate::base::error::Result;
use crate::folder::{Folder, Slice};
use crate::io::DiskFile;

/// A file that grows at its end.
pub(crate) struct PacedFile<'a> {
    folder: &'a Folder,
    file: Arc<dyn DiskFile>,
    length: u64,
    /// Since the last sync.
    unsynced_bytes: usize,
    slice: Slice,
}

impl<'a> PacedFile<'a> {
    /// Begins to write an empty file.
    pub(crate) fn begin(folder: &'a Folder, file: Arc<dyn DiskFile>) -> PacedFile<'a> {
        PacedFile { folder, file, length: 0, unsynced_bytes: 0, slice: folder.pacer().begin() }
    }

    /// Bytes so far.
    pub(crate) fn length(&self) -> u64 {
        self.length
    }

    /// Appends bytes.
    pub(crate) fn append(&mut self, mut bytes: &[u8]) -> Result<()> {
        while !bytes.is_empty() {
            let left = self.slice.bytes() - self.unsynced_bytes;
            let (part, rest) = bytes.split_at(bytes.len().min(left));
            self.file.write_at(self.length, part)?;
            self.length += part.len() as u64;
            self.unsynced_bytes += part.len();
            if self.slice.bytes() <= self.unsynced_bytes {
                self.sync()?;
            }
            bytes = rest;
        }
        Ok(())
    }

    /// Makes the written bytes durable.
    pub(crate) fn sync(&mut self) -> Result<()> {
        self.file.sync_data()?;
        self.unsynced_bytes = 0;
        let pacer = self.folder.pacer();
        pacer.end(&self.slice);
        self.slice = pacer.begin();
        Ok(())
    }
}
