//! The data folder: its lock, its file names, and the removal of unreferenced files.
//!
//! ```text
//!   NAMES                      a copy of names and definitions, for repairs (checkpoint/checkpoint/contents.rs)
//!   LOCK                       held while the folder is open; holds the holder's process id
//!   MANIFEST-%016x             the newest two                           (manifest.rs)
//!   log-%016x.mlog             log files, in order of their numbers     (log/)
//!   seg-%016x.mseg             segments
//!   spill-%016x.mspill           parts of out-of-line commits
//!   near-%016x.mnear           graphs of neighbours, which can be made anew
//!   ….tmp                      being written; goes at the next open
//! ```
//!
//! All kinds draw from one counter, which begins where the disk says ([`Disk::names_begin_at`]), and **a number is never used twice**, even after its file is
//! gone: the counter is in the manifest, and opening raises it above every number it sees. A file
//! with a number far above the manifest's counter is refused by name, so a stray file cannot use up
//! the numbers ([`Folder::check_numbers`]).
//!
//! The module also has the parts that every writer and reader of files shares: the memory of
//! sections, the pace of large writes, and the events of the folder. It knows no content: a
//! manifest is a payload with a checksum here.

pub mod manifest;
mod paced_file;
mod pacer;
mod section_memory;
mod watch;

use std::collections::HashSet;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use parking_lot::Mutex;

use crate::base::error::{Error, Result};
use crate::base::limits::{FILE_NUMBER_LEAP, FILE_NUMBERS_END};
use crate::io::{Disk, DiskLock};

pub(crate) use paced_file::PacedFile;
#[cfg(test)]
pub(crate) use pacer::TickingClock;
pub(crate) use pacer::{Pacer, Slice};
pub use section_memory::SectionMemory;
pub(crate) use section_memory::{Charge, Evict, EvictOutcome};
pub(crate) use watch::Watch;
pub use watch::{Event, Watcher};

pub use crate::io::{FileKind, FileName};

const LOCK: &str = "LOCK";
const TEMPORARY: &str = ".tmp";

/// A data folder that this process, and no other, has open.
pub struct Folder {
    path: PathBuf,
    disk: Arc<dyn Disk>,
    number_next: AtomicU64,
    memory: Arc<SectionMemory>,
    pacer: Pacer,
    segment_bytes_written: AtomicU64,
    /// The checksum of the names that were copied last; none is above 32 bits.
    names_sum: AtomicU64,
    /// None once the folder is closed.
    lock: Mutex<Option<Box<dyn DiskLock>>>,
}

/// The text that a process writes about itself in the lock's file.
fn holder() -> String {
    format!("process {}", std::process::id())
}

/// Refuses a folder that holds things, but none of ours: a mistyped path must not be filled with
/// files. Entries that a file system makes by itself do not count.
fn refuse_foreign(names: &[String], path: &Path) -> Result<()> {
    let is_ours = |name: &String| {
        name == LOCK || FileName::parse(name.strip_suffix(TEMPORARY).unwrap_or(name)).is_some()
    };
    let is_systems = |name: &&String| name.starts_with('.') || *name == "lost+found";
    match names.iter().find(|name| !is_systems(name)) {
        Some(found) if !names.iter().any(is_ours) => {
            Err(Error::Foreign { path: path.to_path_buf(), found: found.clone() })
        }
        Some(_) | None => Ok(()),
    }
}

impl Folder {
    /// Opens a data folder, making it if it is missing, and takes its lock.
    /// [`InUse`](crate::base::error::Error::InUse) if another process, or this one, has it open.
    pub fn open(disk: Arc<dyn Disk>, path: &Path) -> Result<Self> {
        let refused = |error: Error| error.of_opening(path, disk.owner_of(path), true);
        disk.create_folder(path).map_err(refused)?;
        Self::open_existing(disk, path)
    }

    /// Opens a data folder that is there, and takes its lock; makes nothing but the lock's file.
    pub fn open_existing(disk: Arc<dyn Disk>, path: &Path) -> Result<Self> {
        let refused = |error: Error| error.of_opening(path, disk.owner_of(path), true);
        refuse_foreign(&disk.list(path).map_err(refused)?, path)?;
        let lock = disk.lock(&path.join(LOCK), &holder()).map_err(refused)?;
        Self::of(disk, path, Some(lock))
    }

    /// Opens a data folder that is there to read it. The lock is shared with other readers, or there
    /// is none, as [`Disk::lock_to_read`] says.
    pub fn open_to_read(disk: Arc<dyn Disk>, path: &Path) -> Result<Self> {
        let refused = |error: Error| error.of_opening(path, disk.owner_of(path), false);
        refuse_foreign(&disk.list(path).map_err(refused)?, path)?;
        let lock = disk.lock_to_read(&path.join(LOCK), &holder()).map_err(refused)?;
        Self::of(disk, path, lock)
    }

    fn of(disk: Arc<dyn Disk>, path: &Path, lock: Option<Box<dyn DiskLock>>) -> Result<Self> {
        let folder = Self {
            path: path.to_path_buf(),
            number_next: AtomicU64::new(disk.names_begin_at()),
            disk,
            memory: SectionMemory::new(u64::MAX),
            pacer: Pacer::default(),
            segment_bytes_written: AtomicU64::new(0),
            names_sum: AtomicU64::new(u64::MAX),
            lock: Mutex::new(lock),
        };
        for text in folder.disk.list(path)? {
            if let Some(name) = FileName::parse(text.strip_suffix(TEMPORARY).unwrap_or(&text)) {
                folder.raise_number_above(name.number);
            }
        }
        Ok(folder)
    }

    /// Lets go of the lock, though handles of the folder may be about for a while.
    pub fn close(&self) {
        *self.lock.lock() = None;
    }

    /// Whether this process still has the folder.
    pub fn is_open(&self) -> bool {
        self.lock.lock().is_some()
    }

    /// Where the folder is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The disk it is on.
    pub fn disk(&self) -> &dyn Disk {
        &*self.disk
    }

    /// The memory of its segments' sections; without a bound until one is set.
    pub fn memory(&self) -> &Arc<SectionMemory> {
        &self.memory
    }

    /// The watch that is given its events.
    pub(crate) fn watch(&self) -> &Watch {
        self.memory.watch()
    }

    /// The text of the previous holder's lock, if that process ended without closing the folder.
    pub(crate) fn left_by(&self) -> Option<String> {
        self.lock.lock().as_ref()?.left_by().map(str::to_owned)
    }

    /// The pacer, which slows the writing of segments beside a busy log.
    pub fn pacer(&self) -> &Pacer {
        &self.pacer
    }

    /// Notes bytes written to a segment.
    pub fn note_segment_written(&self, bytes: u64) {
        self.segment_bytes_written.fetch_add(bytes, Ordering::Relaxed);
    }

    /// Whether names of this checksum were copied last.
    pub fn has_names(&self, sum: u32) -> bool {
        self.names_sum.load(Ordering::Relaxed) == u64::from(sum)
    }

    /// Notes that names of this checksum were copied.
    pub fn note_names(&self, sum: u32) {
        self.names_sum.store(u64::from(sum), Ordering::Relaxed);
    }

    /// Bytes written to segments since the folder was opened.
    pub fn segment_bytes_written(&self) -> u64 {
        self.segment_bytes_written.load(Ordering::Relaxed)
    }

    /// The path of the lock's file.
    pub fn lock_path(&self) -> PathBuf {
        self.path.join(LOCK)
    }

    /// The path of a file in it.
    pub fn path_of(&self, name: FileName) -> PathBuf {
        self.path.join(name.to_string())
    }

    /// The path a file is written under before it gets its name.
    pub fn temporary_path_of(&self, name: FileName) -> PathBuf {
        self.path.join(format!("{name}{TEMPORARY}"))
    }

    /// A name that no file has, had or will have.
    pub fn new_name(&self, kind: FileKind) -> FileName {
        FileName { kind, number: self.number_next.fetch_add(1, Ordering::Relaxed) }
    }

    /// The number the next new name gets, for the manifest.
    pub fn number_next(&self) -> u64 {
        self.number_next.load(Ordering::Relaxed)
    }

    /// Takes `number`, the manifest's counter, and all below it out of use.
    pub fn raise_number_above(&self, number: u64) {
        self.number_next.fetch_max(number.saturating_add(1), Ordering::Relaxed);
    }

    /// Refuses a file with a number that this folder cannot have given: `number_next` is the
    /// manifest's counter, and between two manifests fewer than [`FILE_NUMBER_LEAP`] files are made, from
    /// where the disk lets names begin.
    pub fn check_numbers(&self, number_next: u64) -> Result<()> {
        let begin = number_next.max(self.disk.names_begin_at());
        let end = begin.saturating_add(FILE_NUMBER_LEAP).min(FILE_NUMBERS_END);
        let is_stray = |text: &String| {
            let finished = text.strip_suffix(TEMPORARY).unwrap_or(text);
            FileName::parse(finished).is_some_and(|name| end <= name.number)
        };
        match self.disk.list(&self.path)?.iter().find(|text| is_stray(text)) {
            Some(stray) => Err(Error::StrayFile { path: self.path.join(stray), number_next }),
            None => Ok(()),
        }
    }

    /// The files of one kind, by number.
    pub fn names(&self, kind: FileKind) -> Result<Vec<FileName>> {
        let texts = self.disk.list(&self.path)?;
        let mut names: Vec<FileName> =
            texts.iter().filter_map(|text| FileName::parse(text)).collect();
        names.retain(|name| name.kind == kind);
        names.sort_unstable();
        Ok(names)
    }

    /// Makes durable the names given and taken in the folder so far.
    pub fn sync(&self) -> Result<()> {
        self.disk.sync_folder(&self.path)
    }

    /// Removes a file that nothing needs. It may be gone: the log can name it still, if an earlier
    /// process freed it and ended before it freed the log.
    pub fn remove_freed(&self, name: FileName) -> Result<()> {
        match self.disk.remove(&self.path_of(name)) {
            Err(Error::Io { source, .. }) if source.kind() == ErrorKind::NotFound => Ok(()),
            outcome => outcome,
        }
    }

    /// Removes files that were being written, or wait to be used again, when an earlier process
    /// ended.
    pub fn remove_temporaries(&self) -> Result<()> {
        let mut texts = self.disk.list(&self.path)?;
        texts.retain(|text| text.ends_with(TEMPORARY) && is_unreferenced(text, &HashSet::new()));
        texts.iter().try_for_each(|text| self.disk.remove(&self.path.join(text)))
    }

    /// Removes, at open, unreferenced files: temporaries, and segments and spill files that are not
    /// in `referenced`. Files of the log, manifests and graphs are left to their owners, and files that are
    /// not ours are left alone. Returns the names of the removed files.
    ///
    /// `referenced` holds the files that the manifest names *and* those that log records after it
    /// name.
    pub fn remove_unreferenced(&self, referenced: &HashSet<FileName>) -> Result<Vec<String>> {
        let mut texts = self.disk.list(&self.path)?;
        texts.retain(|text| is_unreferenced(text, referenced));
        for text in &texts {
            self.disk.remove(&self.path.join(text))?;
        }
        Ok(texts)
    }
}

fn is_unreferenced(text: &str, referenced: &HashSet<FileName>) -> bool {
    if let Some(finished) = text.strip_suffix(TEMPORARY) {
        return FileName::parse(finished).is_some();
    }
    FileName::parse(text).is_some_and(|name| match name.kind {
        FileKind::Segment | FileKind::Spill => !referenced.contains(&name),
        FileKind::Log | FileKind::Manifest | FileKind::Neighbours => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::error::Error;
    use crate::io::sim::SimDisk;

    fn touch(disk: &SimDisk, name: &str) {
        disk.create(&Path::new("/data").join(name)).unwrap();
    }

    fn open(disk: &SimDisk) -> Result<Folder> {
        Folder::open(Arc::new(disk.clone()), Path::new("/data"))
    }

    #[test]
    fn names_read_back_and_nothing_else_does() {
        for kind in FileKind::ALL {
            let name = FileName { kind, number: 0xab };
            assert_eq!(FileName::parse(&name.to_string()), Some(name));
        }
        for text in ["log-1.mlog", "log-00000000000000AB.mlog", "LOCK", "seg-00000000000000ab"] {
            assert_eq!(FileName::parse(text), None, "{text}");
        }
    }

    #[test]
    fn a_second_opener_is_told_who_has_the_folder() {
        let disk = SimDisk::new(1);
        let opened = open(&disk).unwrap();
        let Err(Error::InUse { path, holder }) = open(&disk) else { panic!("two openers") };
        assert_eq!(path, Path::new("/data"));
        assert_eq!(holder, Some(format!("process {}", std::process::id())));
        drop(opened);
        open(&disk).unwrap();
    }

    #[test]
    fn numbers_begin_above_every_number_seen_even_of_a_temporary() {
        let disk = SimDisk::new(1);
        touch(&disk, "seg-0000000000000007.mseg");
        touch(&disk, "MANIFEST-0000000000000009.tmp");
        let folder = open(&disk).unwrap();
        assert_eq!(folder.new_name(FileKind::Log).number, 10);
        folder.raise_number_above(20);
        assert_eq!(folder.new_name(FileKind::Log).number, 21);
    }

    #[test]
    fn a_file_far_above_the_next_number_is_refused_by_name_and_one_a_little_above_is_not() {
        let far = [u64::MAX, u64::MAX - 1, 1 << 63, 1 << 40, FILE_NUMBER_LEAP + 10];
        for (kind, number) in FileKind::ALL.into_iter().flat_map(|k| far.map(|n| (k, n))) {
            for end in ["", TEMPORARY] {
                let disk = SimDisk::new(1);
                let stray = format!("{}{end}", FileName { kind, number });
                touch(&disk, &stray);
                let refused = open(&disk).unwrap().check_numbers(10).unwrap_err();
                assert!(matches!(&refused, Error::StrayFile { .. }), "{refused}");
                assert!(refused.to_string().contains(&stray), "{refused}");
            }
        }
        let disk = SimDisk::new(1);
        touch(&disk, &FileName { kind: FileKind::Segment, number: 1_000_000 }.to_string());
        let folder = open(&disk).unwrap();
        folder.check_numbers(10).unwrap();
        assert_eq!(folder.new_name(FileKind::Log).number, 1_000_001);
    }

    /// What an owner before left is no stray file, however far above the last manifest it is.
    #[test]
    fn names_begin_where_the_disk_says_and_those_below_are_known() {
        let disk = SimDisk::new(1);
        disk.begin_names_at(3 << 40);
        let name = |number| FileName { kind: FileKind::Segment, number };
        touch(&disk, &name(2 << 40 | 7).to_string());
        let folder = open(&disk).unwrap();
        folder.check_numbers(1 << 40).unwrap();
        assert_eq!(folder.new_name(FileKind::Log).number, 3 << 40);
        touch(&disk, &name(4 << 40).to_string());
        let refused = folder.check_numbers(1 << 40).unwrap_err();
        assert!(matches!(&refused, Error::StrayFile { .. }), "{refused}");
    }

    #[test]
    fn only_unreferenced_files_of_ours_go() {
        let disk = SimDisk::new(1);
        let kept = FileName { kind: FileKind::Segment, number: 1 };
        touch(&disk, &kept.to_string());
        for name in ["seg-0000000000000002.mseg", "spill-0000000000000003.mspill"] {
            touch(&disk, name);
        }
        for name in ["log-0000000000000004.mlog", "log-0000000000000005.mlog.tmp", "notes.tmp"] {
            touch(&disk, name);
        }
        let gone = open(&disk).unwrap().remove_unreferenced(&HashSet::from([kept])).unwrap();
        assert_eq!(
            gone,
            [
                "log-0000000000000005.mlog.tmp",
                "seg-0000000000000002.mseg",
                "spill-0000000000000003.mspill"
            ]
        );
        let rest = disk.list(Path::new("/data")).unwrap();
        assert_eq!(rest, ["log-0000000000000004.mlog", "notes.tmp", "seg-0000000000000001.mseg"]);
    }
}
