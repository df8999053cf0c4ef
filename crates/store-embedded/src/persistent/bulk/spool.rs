//! One temporary file for everything a load cannot hold in memory.
//!
//! It is never synced and never outlives the load: its name goes when the spool is dropped, and
//! extents that are still pinned keep reading from the open file.

use std::path::PathBuf;
use std::sync::Arc;

use crate::base::bytes::checksum;
use crate::base::error::Result;
use crate::base::limits::SEGMENT_WRITE_BYTES;
use crate::folder::Folder;
use crate::io::{DiskFile, FileKind};
use crate::persistent::image::{Extent, Section, SectionBody};

/// A temporary file that only grows.
pub(super) struct Spool {
    folder: Arc<Folder>,
    path: PathBuf,
    file: Arc<dyn DiskFile>,
    length: u64,
    bytes: Vec<u8>,
}

impl Spool {
    pub(super) fn begin(folder: Arc<Folder>) -> Result<Spool> {
        let path = folder.temporary_path_of(folder.new_name(FileKind::Spill));
        let file = folder.disk().create(&path)?;
        Ok(Spool { folder, path, file, length: 0, bytes: Vec::new() })
    }

    /// Writes a body and says where it is.
    pub(super) fn store<T: SectionBody>(&mut self, body: &T) -> Result<Extent> {
        self.bytes.clear();
        body.encode(&mut self.bytes)?;
        let offset = self.length;
        for slice in self.bytes.chunks(SEGMENT_WRITE_BYTES) {
            self.file.write_at(self.length, slice)?;
            self.length += slice.len() as u64;
        }
        let length = self.bytes.len() as u64;
        let (file, memory) = (self.file.clone(), Arc::clone(self.folder.memory()));
        let checksum = checksum(&self.bytes);
        Ok(Extent { file, segment: 0, offset, length, checksum, memory })
    }

    /// Moves a section out of memory.
    pub(super) fn store_section<T: SectionBody>(&mut self, section: &mut Section<T>) -> Result<()> {
        if section.extent().is_none() {
            *section = Section::stored(self.store(&*section.get()?)?);
        }
        Ok(())
    }
}

impl Drop for Spool {
    fn drop(&mut self) {
        // A name that stays is a temporary's, and goes when the folder opens.
        let _ = self.folder.disk().remove(&self.path);
    }
}
