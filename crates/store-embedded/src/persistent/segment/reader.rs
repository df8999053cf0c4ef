//! Opens a segment file and finds its sections.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry::{Occupied, Vacant};
use std::path::Path;
use std::sync::Arc;

use super::layout::{
    ENTRY_BYTES, Entry, FilePositions, HEADER_BYTES, SectionKey, Subject, TRAILER_BYTES, Trailer,
    decode_header,
};
use crate::base::bytes::{checksum, u32_at};
use crate::base::error::{Error, Result};
use crate::folder::{Folder, SectionMemory};
use crate::io::{DiskFile, FileKind, FileName};
use crate::persistent::image::{Extent, Section, SectionBody};

/// A segment file with its header and directory read and verified.
pub struct SegmentFile {
    /// Its name.
    pub name: FileName,
    /// The partition or shard that it holds.
    pub subject: Subject,
    /// Up to where it holds that.
    pub positions: FilePositions,
    /// Its length in bytes.
    pub length: u64,
    /// A checksum over all its checksums: another file has another.
    pub fingerprint: u32,
    file: Arc<dyn DiskFile>,
    /// Older files with sections of it.
    older: BTreeMap<u64, Arc<dyn DiskFile>>,
    memory: Arc<SectionMemory>,
    entries: BTreeMap<SectionKey, Entry>,
}

impl SegmentFile {
    /// Opens a file of the folder.
    pub fn open(folder: &Folder, name: FileName) -> Result<SegmentFile> {
        let mut file = SegmentFile::open_alone(folder, name)?;
        file.older = open_older(folder, file.path(), &file.entries)?;
        Ok(file)
    }

    /// Opens a file without the older ones that it names.
    fn open_alone(folder: &Folder, name: FileName) -> Result<SegmentFile> {
        let file = folder.disk().open(&folder.path_of(name))?;
        let path = file.path().to_path_buf();
        let length = file.size()?;
        if length < (HEADER_BYTES + TRAILER_BYTES) as u64 {
            return Err(Error::corrupt(&path, length, "it ends before a segment file can"));
        }
        let header = read(&*file, 0, HEADER_BYTES)?;
        let (subject, positions) = decode_header(&path, &header)?;
        let trailer_offset = length - TRAILER_BYTES as u64;
        let trailer_bytes = read(&*file, trailer_offset, TRAILER_BYTES)?;
        let trailer = Trailer::decode(&trailer_bytes)
            .filter(|trailer| trailer.file_length == length)
            .filter(|trailer| trailer.header_checksum == u32_at(&header, 60))
            .ok_or_else(|| Error::corrupt(&path, trailer_offset, "the end of the file is wrong"))?;
        let entries = read_directory(&*file, &trailer, trailer_offset)?;
        let older = BTreeMap::new();
        let fingerprint = u32_at(&trailer_bytes, 28);
        let memory = Arc::clone(folder.memory());
        Ok(SegmentFile {
            name,
            subject,
            positions,
            length,
            fingerprint,
            file,
            older,
            memory,
            entries,
        })
    }

    /// The sections there are.
    pub fn keys(&self) -> impl Iterator<Item = SectionKey> + '_ {
        self.entries.keys().copied()
    }

    /// Where a section is.
    pub fn extent(&self, key: SectionKey) -> Result<Extent> {
        let entry = self.entries.get(&key).ok_or_else(|| {
            Error::corrupt(self.path(), self.length, format!("it has no section {key:?}"))
        })?;
        let Entry { checksum, offset, length, file: number, .. } = *entry;
        let file = self.older.get(&number).unwrap_or(&self.file).clone();
        let segment = if number == 0 { self.name.number } else { number };
        let memory = Arc::clone(&self.memory);
        Ok(Extent { file, segment, offset, length, checksum, memory })
    }

    /// The older files that it needs.
    pub fn older(&self) -> Vec<FileName> {
        let name = |number: &u64| FileName { kind: FileKind::Segment, number: *number };
        self.older.keys().map(name).collect()
    }

    /// The changes since its base, as the bytes of a commit, if it is a delta layer.
    pub fn delta(&self) -> Result<Option<Vec<u8>>> {
        if !self.entries.contains_key(&SectionKey::Delta) {
            return Ok(None);
        }
        self.extent(SectionKey::Delta)?.read().map(Some)
    }

    /// A handle that reads a section on first access.
    pub fn section<T: SectionBody>(&self, key: SectionKey) -> Result<Section<T>> {
        self.extent(key).map(Section::stored)
    }

    /// Where the file is.
    pub fn path(&self) -> &Path {
        self.file.path()
    }

    /// The error of a file that is sound, and about something else than was asked for.
    pub(super) fn stranger(&self, wanted: Subject) -> Error {
        let detail = format!("it is about {:?}, and {wanted:?} was looked for", self.subject);
        Error::corrupt(self.path(), 0, detail)
    }
}

/// Reads every section that lies in a file and checks it, for scrubbing and after copying. Those it
/// names in older files are checked with these.
pub fn verify(file: &SegmentFile) -> Result<()> {
    let own = file.entries.values().filter(|entry| entry.file == 0);
    own.map(|entry| entry.key).try_for_each(|key| file.extent(key)?.read().map(drop))
}

/// The same of a file by itself: one that others keep for some of its sections may name files that
/// are no longer needed.
pub fn verify_alone(folder: &Folder, name: FileName) -> Result<()> {
    verify(&SegmentFile::open_alone(folder, name)?)
}

/// Opens the older files of a directory, and requires its sections to lie in them.
fn open_older(
    folder: &Folder,
    path: &Path,
    entries: &BTreeMap<SectionKey, Entry>,
) -> Result<BTreeMap<u64, Arc<dyn DiskFile>>> {
    let mut older: BTreeMap<u64, Arc<dyn DiskFile>> = BTreeMap::new();
    for entry in entries.values().filter(|entry| entry.file != 0) {
        let name = FileName { kind: FileKind::Segment, number: entry.file };
        let file = match older.entry(entry.file) {
            Occupied(known) => known.into_mut(),
            Vacant(place) => place.insert(folder.disk().open(&folder.path_of(name))?),
        };
        if entry.offset.checked_add(entry.length).is_none_or(|end| file.size().ok() < Some(end)) {
            let detail = format!("the section {:?} lies outside of {name}", entry.key);
            return Err(Error::corrupt(path, entry.offset, detail));
        }
    }
    Ok(older)
}

fn read(file: &dyn DiskFile, offset: u64, length: usize) -> Result<Vec<u8>> {
    let mut bytes = vec![0; length];
    file.read_at(offset, &mut bytes)?;
    Ok(bytes)
}

fn read_directory(
    file: &dyn DiskFile,
    trailer: &Trailer,
    end: u64,
) -> Result<BTreeMap<SectionKey, Entry>> {
    let offset = trailer.directory_offset;
    let damaged = |detail: &str| Error::corrupt(file.path(), offset, detail);
    let length = trailer.entries as usize * ENTRY_BYTES;
    if offset.checked_add(length as u64) != Some(end) {
        return Err(damaged("the directory is not where the file's end says"));
    }
    let bytes = read(file, offset, length)?;
    if checksum(&bytes) != trailer.directory_checksum {
        return Err(damaged("the checksum of the directory is wrong"));
    }
    let mut entries = BTreeMap::new();
    for entry in bytes.chunks_exact(ENTRY_BYTES) {
        let entry = Entry::decode(entry)
            .ok_or_else(|| damaged("the directory names a section this program does not know"))?;
        let ends_outside = entry.offset.checked_add(entry.length).is_none_or(|end| end > offset);
        if entry.file == 0 && ends_outside {
            return Err(damaged("a section lies outside the file"));
        }
        entries.insert(entry.key, entry);
    }
    Ok(entries)
}
