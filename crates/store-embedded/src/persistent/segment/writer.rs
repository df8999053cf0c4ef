//! Writes a segment file: under a temporary name, synced, renamed, its folder synced.
//!
//! The file does not exist before [`SegmentWriter::finish`] returns. If the writer is dropped
//! earlier, the temporary is removed; after a crash, the next open removes it.

use std::path::PathBuf;

use super::layout::{Entry, FilePositions, SectionKey, Subject, Trailer, encode_header};
use super::reader::SegmentFile;
use crate::base::bytes::checksum;
use crate::base::error::Result;
use crate::folder::{Folder, PacedFile};
use crate::io::{FileKind, FileName};
use crate::persistent::image::{Extent, SectionBody};

/// A segment file that is being written.
pub struct SegmentWriter<'a> {
    folder: &'a Folder,
    name: FileName,
    temporary: PathBuf,
    file: PacedFile<'a>,
    header_checksum: u32,
    entries: Vec<Entry>,
    /// Kept between sections: they are of similar size.
    bytes: Vec<u8>,
}

impl<'a> SegmentWriter<'a> {
    /// Begins a segment.
    pub fn begin(folder: &'a Folder, subject: Subject, positions: FilePositions) -> Result<Self> {
        SegmentWriter::begin_as(folder, FileKind::Segment, subject, positions)
    }

    /// Begins a file of this form that has the name of another kind.
    pub fn begin_as(
        folder: &'a Folder,
        kind: FileKind,
        subject: Subject,
        positions: FilePositions,
    ) -> Result<Self> {
        let name = folder.new_name(kind);
        let temporary = folder.temporary_path_of(name);
        let file = folder.disk().create(&temporary)?;
        let header = encode_header(subject, positions);
        let header_checksum = checksum(&header[..60]);
        let mut writer = Self {
            folder,
            name,
            temporary,
            file: PacedFile::begin(folder, file),
            header_checksum,
            entries: Vec::new(),
            bytes: Vec::new(),
        };
        writer.append(&header)?;
        Ok(writer)
    }

    /// Appends a section.
    pub fn add<T: SectionBody>(&mut self, key: SectionKey, body: &T) -> Result<()> {
        let mut bytes = std::mem::take(&mut self.bytes);
        bytes.clear();
        // As a rule no more than in memory. A vector that grows by itself is copied and touches as
        // much memory again.
        let room = body.byte_size();
        if bytes.capacity() < room {
            bytes = Vec::with_capacity(room);
        }
        body.encode(&mut bytes)?;
        self.add_bytes(key, &bytes)?;
        self.bytes = bytes;
        Ok(())
    }

    /// Appends a section that is encoded already.
    pub(super) fn add_bytes(&mut self, key: SectionKey, bytes: &[u8]) -> Result<()> {
        let (offset, length) = (self.file.length(), bytes.len() as u64);
        self.append(bytes)?;
        self.entries.push(Entry { key, checksum: checksum(bytes), offset, length, file: 0 });
        Ok(())
    }

    /// Takes a section over from an older file, where it stays.
    pub(super) fn refer(&mut self, key: SectionKey, extent: &Extent) {
        let Extent { segment: file, offset, length, checksum, .. } = *extent;
        self.entries.push(Entry { key, checksum, offset, length, file });
    }

    /// Makes the file durable under its name, and opens it.
    pub fn finish(self) -> Result<SegmentFile> {
        let folder = self.folder;
        let file = self.finish_content()?;
        folder.sync()?;
        Ok(file)
    }

    /// Makes what is in the file durable, and opens it. Its name is durable once the folder is synced, for many files at
    /// once.
    pub fn finish_content(mut self) -> Result<SegmentFile> {
        let directory: Vec<u8> = self.entries.iter().flat_map(Entry::encode).collect();
        let trailer = Trailer {
            directory_offset: self.file.length(),
            file_length: self.file.length()
                + (directory.len() + super::layout::TRAILER_BYTES) as u64,
            entries: u32::try_from(self.entries.len()).expect("sections are counted by names"),
            directory_checksum: checksum(&directory),
            header_checksum: self.header_checksum,
        };
        self.append(&directory)?;
        self.append(&trailer.encode())?;
        debug_assert_eq!(self.file.length(), trailer.file_length);
        self.file.sync()?;
        self.folder.disk().rename(&self.temporary, &self.folder.path_of(self.name))?;
        SegmentFile::open(self.folder, self.name)
    }

    fn append(&mut self, bytes: &[u8]) -> Result<()> {
        self.file.append(bytes)?;
        self.folder.note_segment_written(bytes.len() as u64);
        Ok(())
    }
}

impl Drop for SegmentWriter<'_> {
    fn drop(&mut self) {
        // After `finish_content` the name is gone and this fails; after a failure, a file left behind is
        // removed when the folder opens.
        let _ = self.folder.disk().remove(&self.temporary);
    }
}
