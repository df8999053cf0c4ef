//! Backups: a data folder at one position, copied while writers go on, and put back.
//!
//! ```text
//!   open folder ──┐                                          ┌─> archive (a tar), piece by piece
//!                 ├─ backup: manifest, log up to here, segments ─┤
//!   closed folder ┘                                          └─> another folder, ready to open
//!   archive ──────────────────────────────────────────────────> another folder
//! ```
//!
//! The order is that of a checkpoint: the manifest is read first, then the end of the log, which is
//! therefore not behind it; every file that either names is kept back from removal until it is
//! copied. So a backup holds a prefix of the commits, with everything that was acknowledged before
//! it began. It ends with a list of all files and their checksums; without that list it is
//! truncated.
//!
//! Of the log's files only the part up to the last batch that counts is copied, so a file of it may
//! be shorter than it was made. In the newest file, the part after the backup's position, read at
//! another time, would look like a hole in the log.

mod archive;
mod backup_set;
mod restore;

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

pub use archive::{ArchiveReader, ArchiveWriter, can_be_archive};
pub use restore::FolderWriter;

use crate::base::error::{Error, Result};
use crate::base::limits::COPY_BYTES;
use crate::checkpoint::OpenFolder;
use crate::folder::Folder;
use crate::io::Machine;
use crate::recovery;
use backup_set::{BackupSet, Content};

/// The totals of a backup.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// The last commit in it.
    pub position: u64,
    /// Files.
    pub files: u64,
    /// Their bytes.
    pub bytes: u64,
}

/// Takes the files of a backup one after the other.
pub trait Sink {
    /// A file begins, of this many bytes.
    fn begin(&mut self, name: &str, bytes: u64) -> Result<()>;

    /// The next part of it.
    fn put(&mut self, part: &[u8]) -> Result<()>;

    /// All files were given; `list` has their names and checksums.
    fn finish(&mut self, list: &List) -> Result<()>;
}

/// The files of a backup, in its order, with the checksum of each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct List {
    /// The last commit in it.
    pub position: u64,
    /// Name, bytes, checksum.
    pub files: Vec<(String, u64, u32)>,
}

/// Told how many bytes were copied, and of how many; may stop.
pub type Watch<'a> = &'a mut dyn FnMut(u64, u64) -> ControlFlow<()>;

/// Backs up a folder that no process has open.
pub fn backup_folder(
    machine: &Machine,
    path: &Path,
    sink: &mut dyn Sink,
    watch: Watch<'_>,
) -> millrace_model::Result<Summary> {
    let folder = Arc::new(Folder::open_to_read(Arc::clone(&machine.disk), path)?);
    let read = recovery::read(&folder)?;
    let set = BackupSet::of_closed(&folder, &read)?;
    Ok(copy(&folder, &set, sink, watch)?)
}

/// Backs up an open folder while it is written to. Every checksum of the copied files is verified;
/// `Corrupt` with the place if one is wrong.
pub(crate) fn backup_open(
    open: &OpenFolder,
    sink: &mut dyn Sink,
    watch: Watch<'_>,
) -> millrace_model::Result<Summary> {
    let (set, pinned) = BackupSet::of_open(open)?;
    let copied = copy(&open.folder, &set, sink, watch);
    drop(pinned);
    Ok(copied?)
}

/// Unpacks an archive into a sink, everything verified.
pub fn unpack(
    archive: &mut ArchiveReader<'_>,
    sink: &mut dyn Sink,
    watch: Watch<'_>,
) -> Result<Summary> {
    let mut counter = Counter::new(watch, 0);
    while let Some((name, bytes)) = archive.next_file()? {
        sink.begin(&name, bytes)?;
        let mut sum = crc32fast::Hasher::new();
        while let Some(part) = archive.part()? {
            sum.update(part);
            sink.put(part)?;
            counter.add(part.len() as u64)?;
        }
        counter.list.files.push((name, bytes, sum.finalize()));
    }
    let list = archive.list()?;
    if list.files != counter.list.files {
        return Err(Error::corrupt(archive.path(), 0, "its files are not those of its list"));
    }
    sink.finish(&list)?;
    Ok(counter.summary(list.position))
}

fn copy(
    folder: &Folder,
    set: &BackupSet,
    sink: &mut dyn Sink,
    watch: Watch<'_>,
) -> Result<Summary> {
    let total = set.files.iter().map(|file| file.bytes).sum();
    let mut counter = Counter::new(watch, total);
    counter.list.position = set.position;
    let mut buffer = vec![0; COPY_BYTES];
    for part in &set.files {
        // A damaged file is not copied as if it were sound: a backup is needed when nothing else is
        // left.
        part.verify(folder)?;
        sink.begin(&part.name.to_string(), part.bytes)?;
        let mut sum = crc32fast::Hasher::new();
        let file = match &part.content {
            Content::Bytes(bytes) => {
                sum.update(bytes);
                sink.put(bytes)?;
                counter.add(bytes.len() as u64)?;
                None
            }
            Content::Log(file, _) => Some(Arc::clone(file)),
            Content::Path => Some(folder.disk().open(&folder.path_of(part.name))?),
        };
        let mut offset = 0;
        while let Some(file) = file.as_ref().filter(|_| offset < part.bytes) {
            let length = (part.bytes - offset).min(COPY_BYTES as u64) as usize;
            file.read_at(offset, &mut buffer[..length])?;
            sum.update(&buffer[..length]);
            sink.put(&buffer[..length])?;
            counter.add(length as u64)?;
            offset += length as u64;
        }
        counter.list.files.push((part.name.to_string(), part.bytes, sum.finalize()));
    }
    sink.finish(&counter.list)?;
    Ok(counter.summary(set.position))
}

/// Counts the copied bytes, and asks whether to go on.
struct Counter<'a> {
    watch: Watch<'a>,
    done: u64,
    total: u64,
    list: List,
}

impl<'a> Counter<'a> {
    fn new(watch: Watch<'a>, total: u64) -> Self {
        Self { watch, done: 0, total, list: List::default() }
    }

    fn add(&mut self, bytes: u64) -> Result<()> {
        self.done += bytes;
        match (self.watch)(self.done, self.total.max(self.done)) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(Error::Stopped { what: "the backup" }),
        }
    }

    fn summary(self, position: u64) -> Summary {
        Summary { position, files: self.list.files.len() as u64, bytes: self.done }
    }
}
