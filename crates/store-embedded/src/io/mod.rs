//! The seam to the machine: disk, time and randomness, as traits.
//!
//! Nothing else in this crate may use `std::fs`, a clock or a random source. So one seeded program
//! can be the machine, and tear, drop, reorder, corrupt and refuse at will.
//!
//! ```text
//!   log  segments  manifest  folder lock
//!     └──────┴────┬─────┴────────┘
//!        Disk · Clock · Random          (this file)
//!          ┌──────┴───────┐
//!        real            sim            (the machine, the simulated machine)
//! ```
//!
//! **A write that returned is not on disk, nor is a new name.** Bytes are there after
//! [`DiskFile::sync_data`] of their file, names after [`Disk::sync_folder`] of their folder;
//! syncing a file says nothing about its name.

mod file_name;
mod injected;
mod read_only;
mod real;
pub mod sim;

use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use file_name::{FileKind, FileName};
pub use injected::Bug;
pub(crate) use injected::is_injected;
pub(crate) use read_only::ReadOnlyDisk;
pub use real::{RealClock, RealDisk, RealRandom};

use crate::base::error::Result;

/// The machine a store runs on: cheap to clone, handed down at open.
#[derive(Clone)]
pub struct Machine {
    /// Files and folders.
    pub disk: Arc<dyn Disk>,
    /// Time.
    pub clock: Arc<dyn Clock>,
    /// Randomness.
    pub random: Arc<dyn Random>,
}

impl Machine {
    /// The machine this process runs on.
    pub fn real() -> Self {
        Self {
            disk: Arc::new(RealDisk),
            clock: Arc::new(RealClock::new()),
            random: Arc::new(RealRandom::new()),
        }
    }
}

/// Files and folders. Every error names the path and the operation.
pub trait Disk: Send + Sync {
    /// Makes a folder and its missing parents, and syncs their names; it may exist already.
    fn create_folder(&self, folder: &Path) -> Result<()>;

    /// Makes a new, empty file for reading and writing; fails if the name is taken.
    fn create(&self, path: &Path) -> Result<Arc<dyn DiskFile>>;

    /// Opens a file that exists, for reading and writing; for reading where it cannot be written.
    fn open(&self, path: &Path) -> Result<Arc<dyn DiskFile>>;

    /// Gives a file another name in the same folder, replacing a file of that name, in one step.
    fn rename(&self, from: &Path, to: &Path) -> Result<()>;

    /// Removes a file. Open handles keep working.
    fn remove(&self, path: &Path) -> Result<()>;

    /// Removes an empty folder.
    fn remove_folder(&self, folder: &Path) -> Result<()>;

    /// The names of the files in a folder, sorted; folders are left out.
    fn list(&self, folder: &Path) -> Result<Vec<String>>;

    /// Makes durable every create, rename and remove in a folder that has returned.
    fn sync_folder(&self, folder: &Path) -> Result<()>;

    /// The number of the user that a folder belongs to, where there are users.
    fn owner_of(&self, _folder: &Path) -> Option<u32> {
        None
    }

    /// Bytes this process may still write on the disk that holds the folder.
    fn free_space(&self, folder: &Path) -> Result<u64>;

    /// Takes the lock that the file `path` stands for (made if missing), and writes `holder` in it
    /// for the next caller that tries. [`InUse`](crate::base::error::Error::InUse), naming the
    /// folder of `path`, if the lock is taken. Ends when dropped, or with the process.
    fn lock(&self, path: &Path, holder: &str) -> Result<Box<dyn DiskLock>>;

    /// The same to read only: shared with other readers, and nothing is written in the file. A
    /// missing file is made. `None` where none can be made, and where the file system has no locks:
    /// then nothing keeps a writer out.
    fn lock_to_read(&self, path: &Path, holder: &str) -> Result<Option<Box<dyn DiskLock>>> {
        self.lock(path, holder).map(Some)
    }

    /// Whether a file that is not needed any more may be written over under another name. Where it
    /// may not, since what was once under a name stays what it was for those who read it, such
    /// files are removed.
    fn recycles_files(&self) -> bool;

    /// The least number that a new name has: 1 where all names of a folder were given by processes
    /// that could list them. A disk that several owners write to, one after the other, gives each a
    /// range of its own above those before, so that two never give one name.
    fn names_begin_at(&self) -> u64;

    /// Which bug the store is to have, for a test of tests. A real disk has none.
    fn injected(&self) -> Option<Bug> {
        None
    }
}

/// An open file. Methods take `&self`: reads and writes are positioned, so threads share a handle.
pub trait DiskFile: Send + Sync {
    /// The path it was opened by; a rename since then does not show.
    fn path(&self) -> &Path;

    /// Its length in bytes.
    fn size(&self) -> Result<u64>;

    /// Fills `bytes` from `offset`; an error if the file ends before.
    fn read_at(&self, offset: u64, bytes: &mut [u8]) -> Result<()>;

    /// Writes all of `bytes` at `offset`, making the file longer if need be. After an error any
    /// part may have been written.
    fn write_at(&self, offset: u64, bytes: &[u8]) -> Result<()>;

    /// Makes durable every write that has returned, and the length. After an error nothing is
    /// known about them, and trying again proves nothing: the system may have forgotten them.
    fn sync_data(&self) -> Result<()>;

    /// Truncates the file, or extends it with zeros that take no room yet.
    fn set_size(&self, bytes: u64) -> Result<()>;

    /// Extends the file to `bytes` with zeros that are written out, so that later writes and syncs
    /// in that range neither need room nor change the file's layout. Never shortens.
    fn allocate(&self, bytes: u64) -> Result<()>;
}

/// A lock that is held; dropping it ends it.
pub trait DiskLock: Send + Sync {
    /// The text of the previous holder, if it ended without letting go: it was killed.
    fn left_by(&self) -> Option<&str> {
        None
    }
}

/// Time.
pub trait Clock: Send + Sync {
    /// Nanoseconds since some fixed moment of this run; never goes back.
    fn monotonic_ns(&self) -> u64;

    /// Gives way to the holder of the resource that this thread waits for.
    fn give_way(&self) {
        std::thread::yield_now();
    }
}

/// Randomness that a writer of data can't foresee; not for secrets.
pub trait Random: Send + Sync {
    /// The next 64 bits.
    fn next_u64(&self) -> u64;
}

/// The folder a path is in; the current one for a bare name.
pub(crate) fn folder_of(path: &Path) -> PathBuf {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent.to_path_buf(),
        Some(_) | None => PathBuf::from("."),
    }
}
