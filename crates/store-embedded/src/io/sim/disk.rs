//! The I/O traits on the simulated machine: each operation asks first which fault is due.

use std::io::{Error as IoError, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::names::InodeId;
use super::trace::Operation;
use super::{CrashMoment, Faults, Inode, Refused, SimDisk, SimState, coroutine};
use crate::base::error::{Error, Result};
use crate::io::{Bug, Disk, DiskFile, DiskLock, FileKind, folder_of};

/// The error of a system without free descriptors.
const EMFILE: i32 = 24;

impl Disk for SimDisk {
    fn recycles_files(&self) -> bool {
        self.lock_state().names_begin_at == 1
    }

    fn names_begin_at(&self) -> u64 {
        self.lock_state().names_begin_at
    }

    fn create_folder(&self, folder: &Path) -> Result<()> {
        self.change(folder, "create folder", |_| Ok(()))
    }

    fn create(&self, path: &Path) -> Result<Arc<dyn DiskFile>> {
        let inode = self.change(path, "create", |state| {
            if state.faults.refused == Some(Refused::NewFiles) {
                return Err(Error::io(path, "create", IoError::from_raw_os_error(EMFILE)));
            }
            if state.names.get(path).is_some() {
                return Err(Error::io(path, "create", ErrorKind::AlreadyExists.into()));
            }
            state.inodes.push(Inode::new(state.sector_bytes));
            let inode = state.inodes.len() - 1;
            state.names.create(path, inode);
            Ok(inode)
        })?;
        Ok(self.handle(&self.lock_state(), path, inode))
    }

    fn open(&self, path: &Path) -> Result<Arc<dyn DiskFile>> {
        let state = self.lock_state();
        let inode = state.must_get(path, "open")?;
        Ok(self.handle(&state, path, inode))
    }

    fn rename(&self, from: &Path, to: &Path) -> Result<()> {
        self.change(from, "rename", |state| {
            let inode = state.must_get(from, "rename")?;
            state.names.rename(from, to, inode);
            Ok(())
        })
    }

    fn remove(&self, path: &Path) -> Result<()> {
        self.change(path, "remove", |state| {
            state.must_get(path, "remove")?;
            state.names.remove(path);
            Ok(())
        })
    }

    fn remove_folder(&self, folder: &Path) -> Result<()> {
        self.change(folder, "remove folder", |_| Ok(()))
    }

    fn list(&self, folder: &Path) -> Result<Vec<String>> {
        Ok(self.lock_state().names.list(folder))
    }

    fn sync_folder(&self, folder: &Path) -> Result<()> {
        self.change(folder, "sync folder", |state| {
            if state.faults.injected != Some(Bug::FolderUnsynced) {
                state.names.sync(folder);
            }
            Ok(())
        })
    }

    fn free_space(&self, _folder: &Path) -> Result<u64> {
        let state = self.lock_state();
        Ok(if state.faults.full_after == Some(0) { 0 } else { state.free_bytes })
    }

    fn lock(&self, path: &Path, holder: &str) -> Result<Box<dyn DiskLock>> {
        let mut state = self.lock_state();
        state.check_writable(path, "open")?;
        if let Some((_, holder_name)) = state.locked.iter().find(|(locked, _)| locked == path) {
            let holder = Some(holder_name.clone());
            return Err(Error::InUse { path: folder_of(path), holder });
        }
        state.locked.push((path.to_path_buf(), holder.to_owned()));
        let process = state.process;
        Ok(Box::new(SimLock { disk: self.clone(), path: path.to_path_buf(), process }))
    }

    fn lock_to_read(&self, path: &Path, holder: &str) -> Result<Option<Box<dyn DiskLock>>> {
        match self.lock_state().faults.refused {
            Some(Refused::Changes) => return Ok(None),
            Some(Refused::NewFiles) | None => {}
        }
        self.lock(path, holder).map(Some)
    }

    fn injected(&self) -> Option<Bug> {
        self.lock_state().faults.injected
    }
}

impl SimDisk {
    fn handle(&self, state: &SimState, path: &Path, inode: InodeId) -> Arc<dyn DiskFile> {
        let (disk, path) = (self.clone(), path.to_path_buf());
        Arc::new(SimFile { disk, path, inode, process: state.process })
    }

    /// Does a changing operation, unless the crash is due: before it, or as soon as it is done.
    fn change<T>(
        &self,
        path: &Path,
        does: &'static str,
        change: impl FnOnce(&mut SimState) -> Result<T>,
    ) -> Result<T> {
        let operation = Operation::new(does, path);
        let last = self.lock_state().trace.last();
        if !operation.is_of_log(last) {
            coroutine::suspension_point();
        }
        let mut state = self.lock_state();
        state.operation_count += 1;
        if state.faults.crashed {
            return Err(gone(path, does));
        }
        let moment = state.faults.crash_due();
        if moment == Some(CrashMoment::Before) {
            state.crash(Some(operation));
            return Err(gone(path, does));
        }
        state.check_writable(path, does)?;
        let done = change(&mut state)?;
        state.trace.note(operation);
        if moment == Some(CrashMoment::After) {
            state.crash(None);
            return Err(gone(path, does));
        }
        Ok(done)
    }
}

impl SimState {
    fn must_get(&self, path: &Path, operation: &'static str) -> Result<InodeId> {
        let missing = || Error::io(path, operation, ErrorKind::NotFound.into());
        self.names.get(path).ok_or_else(missing)
    }

    fn check_writable(&self, path: &Path, does: &'static str) -> Result<()> {
        match self.faults.refused {
            Some(Refused::Changes) => {
                Err(Error::io(path, does, ErrorKind::ReadOnlyFilesystem.into()))
            }
            Some(Refused::NewFiles) | None => Ok(()),
        }
    }

    fn crash(&mut self, undone: Option<Operation>) {
        self.faults.crashed = true;
        self.trace.crash(undone);
    }

    /// Some bytes from the front of a write that did not finish.
    fn half_write(&mut self, inode: InodeId, offset: u64, bytes: &[u8]) {
        let done = self.random.below(bytes.len() as u64 + 1) as usize;
        self.inodes[inode].write(offset as usize, &bytes[..done]);
    }
}

impl Faults {
    /// Counts an operation; once, when the crash is due, how it comes.
    fn crash_due(&mut self) -> Option<CrashMoment> {
        let (left, moment) = self.crash_after.as_mut()?;
        let moment = *moment;
        if *left == 0 {
            self.crash_after = None;
            return Some(moment);
        }
        *left -= 1;
        None
    }
}

/// Counts down; true once, when it was at 0.
fn due(countdown: &mut Option<u64>) -> bool {
    match countdown {
        Some(0) => {
            *countdown = None;
            true
        }
        Some(left) => {
            *left -= 1;
            false
        }
        None => false,
    }
}

fn gone(path: &Path, operation: &'static str) -> Error {
    Error::io(path, operation, IoError::other("the simulated process has ended"))
}

struct SimFile {
    disk: SimDisk,
    path: PathBuf,
    inode: InodeId,
    process: u64,
}

impl SimFile {
    /// Runs `change` unless this handle is dead or the crash is due.
    fn change<T>(
        &self,
        does: &'static str,
        change: impl FnOnce(&mut SimState) -> Result<T>,
    ) -> Result<T> {
        self.check_alive(&self.disk.lock_state(), does)?;
        self.disk.change(&self.path, does, change)
    }

    /// Whether the injected bug is that this file is not synced.
    fn is_forgotten(&self, injected: Option<Bug>) -> bool {
        let file = Operation::new("sync", &self.path).file;
        let is_temporary = self.path.extension().is_some_and(|extension| extension == "tmp");
        match injected {
            Some(Bug::LogUnsynced) => file == Some(FileKind::Log) && !is_temporary,
            Some(Bug::TailUnsynced) => file == Some(FileKind::Log) && is_temporary,
            Some(Bug::SegmentUnsynced) => file == Some(FileKind::Segment),
            Some(Bug::SpillFileUnsynced) => file == Some(FileKind::Spill),
            Some(Bug::ManifestUnsynced) => file == Some(FileKind::Manifest),
            _ => false,
        }
    }

    fn check_alive(&self, state: &SimState, operation: &'static str) -> Result<()> {
        if state.process == self.process { Ok(()) } else { Err(gone(&self.path, operation)) }
    }

    fn is_alive(&self) -> bool {
        self.disk.lock_state().process == self.process
    }
}

impl DiskFile for SimFile {
    fn path(&self) -> &Path {
        &self.path
    }

    fn size(&self) -> Result<u64> {
        let state = self.disk.lock_state();
        self.check_alive(&state, "ask for the size of")?;
        Ok(state.inodes[self.inode].seen.len() as u64)
    }

    fn read_at(&self, offset: u64, bytes: &mut [u8]) -> Result<()> {
        let state = self.disk.lock_state();
        self.check_alive(&state, "read")?;
        let seen = &state.inodes[self.inode].seen;
        let part = usize::try_from(offset)
            .ok()
            .and_then(|start| seen.get(start..start.checked_add(bytes.len())?))
            .ok_or_else(|| Error::io(&self.path, "read", ErrorKind::UnexpectedEof.into()))?;
        bytes.copy_from_slice(part);
        Ok(())
    }

    fn write_at(&self, offset: u64, bytes: &[u8]) -> Result<()> {
        let was_crashed = self.disk.is_crashed();
        let written = self.change("write", |state| {
            let grows = state.inodes[self.inode].seen.len() < offset as usize + bytes.len();
            if (grows || state.copies_on_write) && due(&mut state.faults.full_after) {
                // Full stays full: the countdown is due again at the next write.
                state.faults.full_after = Some(0);
                state.half_write(self.inode, offset, bytes);
                return Err(Error::io(&self.path, "write", ErrorKind::StorageFull.into()));
            }
            state.inodes[self.inode].write(offset as usize, bytes);
            Ok(())
        });
        if written.is_err() && !was_crashed && self.disk.crashed_before() && self.is_alive() {
            self.disk.lock_state().half_write(self.inode, offset, bytes);
        }
        written
    }

    fn sync_data(&self) -> Result<()> {
        self.change("sync", |state| {
            let SimState { inodes, random, faults, failed_syncs, .. } = state;
            let inode = &mut inodes[self.inode];
            if self.is_forgotten(faults.injected) {
                return Ok(());
            }
            if due(&mut faults.fail_sync_after) {
                inode.fail_sync(random);
                failed_syncs.push(Operation::new("sync", &self.path));
                return Err(Error::io(&self.path, "sync", IoError::other("simulated fault")));
            }
            inode.sync();
            Ok(())
        })
    }

    fn set_size(&self, bytes: u64) -> Result<()> {
        self.change("resize", |state| {
            state.inodes[self.inode].set_size(bytes as usize);
            Ok(())
        })
    }

    fn allocate(&self, bytes: u64) -> Result<()> {
        let size = self.size()?;
        if size < bytes { self.write_at(size, &vec![0; (bytes - size) as usize]) } else { Ok(()) }
    }
}

struct SimLock {
    disk: SimDisk,
    path: PathBuf,
    process: u64,
}

impl DiskLock for SimLock {}

impl Drop for SimLock {
    fn drop(&mut self) {
        let mut state = self.disk.lock_state();
        if state.process == self.process {
            state.locked.retain(|(path, _)| *path != self.path);
        }
    }
}
