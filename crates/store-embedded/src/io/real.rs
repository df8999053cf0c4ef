//! The machine as it is, on the standard library; free space by `rustix`.
//!
//! `sync_data` is `fdatasync`: it flushes the length too when it changed, but not the file's name.
//! That takes [`Disk::sync_folder`].

use std::fs::{self, File, OpenOptions, TryLockError};
use std::hash::{BuildHasher, RandomState};
use std::io;
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use rustix::io::Errno;

use crate::base::error::{Error, Result};
use crate::base::limits::ALLOCATE_SLICE_BYTES;
use crate::io::{Clock, Disk, DiskFile, DiskLock, Random, folder_of};

/// The file system of this machine.
#[derive(Debug, Default, Clone, Copy)]
pub struct RealDisk;

impl Disk for RealDisk {
    fn recycles_files(&self) -> bool {
        true
    }

    fn names_begin_at(&self) -> u64 {
        1
    }

    fn create_folder(&self, folder: &Path) -> Result<()> {
        let missing: Vec<&Path> =
            folder.ancestors().take_while(|f| !f.as_os_str().is_empty() && !f.exists()).collect();
        fs::create_dir_all(folder).map_err(|e| Error::io(folder, "create folder", e))?;
        missing.into_iter().try_for_each(|made| self.sync_folder(&folder_of(made)))
    }

    fn create(&self, path: &Path) -> Result<Arc<dyn DiskFile>> {
        let mut options = OpenOptions::new();
        open_with(options.read(true).write(true).create_new(true), path, "create")
    }

    fn open(&self, path: &Path) -> Result<Arc<dyn DiskFile>> {
        match open_with(OpenOptions::new().read(true).write(true), path, "open") {
            Err(error) if error.is_unwritable() => {
                open_with(OpenOptions::new().read(true), path, "open")
            }
            outcome => outcome,
        }
    }

    fn rename(&self, from: &Path, to: &Path) -> Result<()> {
        fs::rename(from, to).map_err(|e| Error::io(from, "rename", e))
    }

    fn remove(&self, path: &Path) -> Result<()> {
        fs::remove_file(path).map_err(|e| Error::io(path, "remove", e))
    }

    fn remove_folder(&self, folder: &Path) -> Result<()> {
        fs::remove_dir(folder).map_err(|e| Error::io(folder, "remove folder", e))
    }

    fn list(&self, folder: &Path) -> Result<Vec<String>> {
        let fail = |e| Error::io(folder, "list", e);
        let mut names = Vec::new();
        for entry in fs::read_dir(folder).map_err(fail)? {
            let entry = entry.map_err(fail)?;
            if entry.file_type().map_err(fail)?.is_file() {
                names.push(entry.file_name().to_string_lossy().into_owned());
            }
        }
        names.sort_unstable();
        Ok(names)
    }

    fn sync_folder(&self, folder: &Path) -> Result<()> {
        File::open(folder)
            .and_then(|handle| handle.sync_all())
            .map_err(|e| Error::io(folder, "sync folder", e))
    }

    fn owner_of(&self, folder: &Path) -> Option<u32> {
        fs::metadata(folder).ok().map(|found| found.uid())
    }

    fn free_space(&self, folder: &Path) -> Result<u64> {
        let room = rustix::fs::statvfs(folder)
            .map_err(|e| Error::io(folder, "ask for free space of", e.into()))?;
        Ok(room.f_bavail.saturating_mul(room.f_frsize))
    }

    fn lock(&self, path: &Path, holder: &str) -> Result<Box<dyn DiskLock>> {
        let mut options = OpenOptions::new();
        let file = options
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(|e| Error::io(path, "open", e))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(in_use_of_writer(path, &file)),
            Err(TryLockError::Error(e)) => return Err(Error::io(path, "lock", e)),
        }
        let left_by = fs::read_to_string(path).ok().filter(|note| !note.is_empty());
        // The note is a courtesy to the next process: the lock holds without it, on a full disk
        // too.
        let _noted = file.set_len(0).and_then(|()| file.write_all_at(holder.as_bytes(), 0));
        Ok(Box::new(RealLock { file, left_by, is_shared: false }))
    }

    fn lock_to_read(&self, path: &Path, _holder: &str) -> Result<Option<Box<dyn DiskLock>>> {
        let opened = match File::open(path) {
            Err(e) if e.kind() == io::ErrorKind::NotFound => {
                let mut options = OpenOptions::new();
                options.read(true).write(true).create(true).truncate(false).open(path)
            }
            opened => opened,
        };
        let file = match opened.map_err(|e| Error::io(path, "open", e)) {
            Ok(file) => file,
            // There is none, and no writer here can make one.
            Err(error) if error.is_unwritable() && !path.exists() => return Ok(None),
            Err(error) => return Err(error),
        };
        match file.try_lock_shared() {
            Ok(()) => Ok(Some(Box::new(RealLock { file, left_by: None, is_shared: true }))),
            Err(TryLockError::WouldBlock) => Err(in_use(path)),
            Err(TryLockError::Error(e)) if has_no_locks(&e) => Ok(None),
            Err(TryLockError::Error(e)) => Err(Error::io(path, "lock", e)),
        }
    }
}

/// Whether a file system has no locks at all: some mounts of NFS.
fn has_no_locks(error: &io::Error) -> bool {
    let code = error.raw_os_error();
    let without = [Errno::NOLCK, Errno::OPNOTSUPP, Errno::NOSYS];
    without.iter().any(|errno| code == Some(errno.raw_os_error()))
}

fn open_with(
    options: &OpenOptions,
    path: &Path,
    operation: &'static str,
) -> Result<Arc<dyn DiskFile>> {
    let file = options.open(path).map_err(|e| Error::io(path, operation, e))?;
    Ok(Arc::new(RealFile { file, path: path.to_path_buf() }))
}

/// The same for a writer, which learns whether only readers are in the way.
fn in_use_of_writer(path: &Path, file: &File) -> Error {
    match file.try_lock_shared() {
        Ok(()) => {
            let holder = Some("a process that only reads it".to_owned());
            Error::InUse { path: folder_of(path), holder }
        }
        Err(_) => in_use(path),
    }
}

fn in_use(path: &Path) -> Error {
    let holder = fs::read_to_string(path).ok().map(|note| note.trim().to_owned());
    Error::InUse { path: folder_of(path), holder: holder.filter(|note| !note.is_empty()) }
}

#[derive(Debug)]
struct RealFile {
    file: File,
    path: PathBuf,
}

impl RealFile {
    fn fail(&self, operation: &'static str) -> impl Fn(io::Error) -> Error + '_ {
        move |source| Error::io(&self.path, operation, source)
    }
}

impl DiskFile for RealFile {
    fn path(&self) -> &Path {
        &self.path
    }

    fn size(&self) -> Result<u64> {
        self.file.metadata().map(|m| m.len()).map_err(self.fail("ask for the size of"))
    }

    fn read_at(&self, offset: u64, bytes: &mut [u8]) -> Result<()> {
        self.file.read_exact_at(bytes, offset).map_err(self.fail("read"))
    }

    fn write_at(&self, offset: u64, bytes: &[u8]) -> Result<()> {
        self.file.write_all_at(bytes, offset).map_err(self.fail("write"))
    }

    fn sync_data(&self) -> Result<()> {
        self.file.sync_data().map_err(self.fail("sync"))
    }

    fn set_size(&self, bytes: u64) -> Result<()> {
        self.file.set_len(bytes).map_err(self.fail("resize"))
    }

    fn allocate(&self, bytes: u64) -> Result<()> {
        // Written, not `fallocate`d: a sync of a written range has no extents to convert.
        let zeros = vec![0; ALLOCATE_SLICE_BYTES];
        let mut offset = self.size()?;
        while offset < bytes {
            let length = (bytes - offset).min(ALLOCATE_SLICE_BYTES as u64);
            self.write_at(offset, &zeros[..length as usize])?;
            offset += length;
        }
        Ok(())
    }
}

struct RealLock {
    file: File,
    left_by: Option<String>,
    /// Whether others may have it, too.
    is_shared: bool,
}

impl DiskLock for RealLock {
    fn left_by(&self) -> Option<&str> {
        self.left_by.as_deref()
    }
}

impl Drop for RealLock {
    fn drop(&mut self) {
        if !self.is_shared {
            // The next process would take the note for that of one that was killed.
            let _stays = self.file.set_len(0);
        }
        // Closing the file is not enough: a child process has it, too, from its fork until it runs its program.
        let _closes = self.file.unlock();
    }
}

/// The machine's clocks.
#[derive(Debug)]
pub struct RealClock {
    start: Instant,
}

impl RealClock {
    /// A clock with monotonic time that begins now.
    pub fn new() -> Self {
        Self { start: Instant::now() }
    }
}

impl Default for RealClock {
    fn default() -> Self {
        Self::new()
    }
}

impl Clock for RealClock {
    fn monotonic_ns(&self) -> u64 {
        u64::try_from(self.start.elapsed().as_nanos()).unwrap_or(u64::MAX)
    }
}

/// Randomness from the keys that the standard library draws from the system for its hash maps.
#[derive(Debug, Default)]
pub struct RealRandom;

impl RealRandom {
    /// A source; there is nothing to seed.
    pub fn new() -> Self {
        Self
    }
}

impl Random for RealRandom {
    fn next_u64(&self) -> u64 {
        RandomState::new().hash_one(0_u8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_written_read_renamed_and_removed() {
        let folder = tempfile::tempdir().unwrap();
        let (deep, disk) = (folder.path().join("a/b"), RealDisk);
        disk.create_folder(&deep).unwrap();
        disk.create_folder(&deep).unwrap();
        let (one, two) = (deep.join("one"), deep.join("two"));
        let file = disk.create(&one).unwrap();
        file.write_at(10, b"hello").unwrap();
        file.sync_data().unwrap();
        file.allocate(3 << 20).unwrap();
        file.allocate(5).unwrap();
        assert_eq!(file.size().unwrap(), 3 << 20, "allocating never shortens");
        disk.rename(&one, &two).unwrap();
        disk.sync_folder(&deep).unwrap();
        assert_eq!(disk.list(&deep).unwrap(), ["two"]);
        let mut bytes = [1; 6];
        disk.open(&two).unwrap().read_at(9, &mut bytes).unwrap();
        assert_eq!(&bytes, b"\0hello");
        file.set_size(11).unwrap();
        assert!(file.read_at(10, &mut bytes).is_err(), "a read beyond the end is an error");
        disk.remove(&two).unwrap();
        assert!(disk.open(&two).err().is_some_and(|error| error.is_not_found()));
        assert!(0 < disk.free_space(&deep).unwrap());
    }

    #[test]
    fn an_error_names_the_path_and_the_operation() {
        let missing = Path::new("/nowhere/at-all");
        let error = RealDisk.open(missing).err().expect("nothing is there");
        assert!(error.to_string().starts_with("cannot open /nowhere/at-all: "), "{error}");
        let error = Error::io(missing, "write", io::ErrorKind::StorageFull.into());
        assert!(matches!(error, Error::DiskFull { .. }));
    }

    #[test]
    fn a_lock_is_held_once_and_names_its_holder() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("LOCK");
        let lock = RealDisk.lock(&path, "process 7").unwrap();
        let Err(Error::InUse { path: named, holder }) = RealDisk.lock(&path, "me") else {
            panic!("a second holder");
        };
        assert_eq!((named.as_path(), holder.as_deref()), (folder.path(), Some("process 7")));
        assert_eq!(lock.left_by(), None);
        drop(lock);
        fs::write(&path, "process 8").unwrap();
        let lock = RealDisk.lock(&path, "me").unwrap();
        assert_eq!(lock.left_by(), Some("process 8"), "it was killed");
        drop(lock);
        RealDisk.lock(&path, "me").unwrap();
    }

    #[test]
    fn a_lock_ends_though_another_descriptor_of_its_file_stays_open() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("LOCK");
        let file = File::options().read(true).write(true).create_new(true).open(&path).unwrap();
        file.try_lock().unwrap();
        // As a child process has it that was forked and does not run its program yet.
        let childs = file.try_clone().unwrap();
        drop(RealLock { file, left_by: None, is_shared: false });
        RealDisk.lock(&path, "me").unwrap();
        drop(childs);
    }

    #[test]
    fn readers_share_a_lock_and_keep_a_writer_out_and_write_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("LOCK");
        fs::write(&path, "process 8").unwrap();
        let first = RealDisk.lock_to_read(&path, "reader").unwrap().expect("there are locks");
        let second = RealDisk.lock_to_read(&path, "reader").unwrap().expect("it is shared");
        drop(first);
        let Err(Error::InUse { holder, .. }) = RealDisk.lock(&path, "writer") else {
            panic!("a writer beside a reader");
        };
        assert_eq!(holder.as_deref(), Some("a process that only reads it"));
        drop(second);
        assert_eq!(fs::read_to_string(&path).unwrap(), "process 8", "the next writer learns of it");
        let writer = RealDisk.lock(&path, "writer").unwrap();
        let Err(Error::InUse { holder, .. }) = RealDisk.lock_to_read(&path, "reader") else {
            panic!("a reader beside a writer");
        };
        assert_eq!(holder.as_deref(), Some("writer"));
        drop(writer);
    }

    #[test]
    fn time_goes_on_and_randomness_differs() {
        let machine = crate::io::Machine::real();
        assert!(machine.clock.monotonic_ns() <= machine.clock.monotonic_ns());
        assert_ne!(machine.random.next_u64(), machine.random.next_u64());
    }
}
