//! The I/O traits on the simulated machine: each operation asks first which fault is due.

use std::io::{Error as IoError, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::names::InodeId;
use super::{Inode, PlantedFault, SimDisk, SimState};
use crate::error::{Error, Result};
use crate::io::{Disk, DiskFile, DiskLock, folder_of};

impl Disk for SimDisk {
    fn create_folder(&self, folder: &Path) -> Result<()> {
        self.lock_state().check(folder, "create folder")
    }

    fn create(&self, path: &Path) -> Result<Arc<dyn DiskFile>> {
        let mut state = self.lock_state();
        state.check(path, "create")?;
        if state.names.get(path).is_some() {
            return Err(Error::io(path, "create", ErrorKind::AlreadyExists.into()));
        }
        state.inodes.push(Inode::default());
        let inode = state.inodes.len() - 1;
        state.names.create(path, inode);
        Ok(self.handle(&state, path, inode))
    }

    fn open(&self, path: &Path) -> Result<Arc<dyn DiskFile>> {
        let state = self.lock_state();
        let inode = state.must_get(path, "open")?;
        Ok(self.handle(&state, path, inode))
    }

    fn rename(&self, from: &Path, to: &Path) -> Result<()> {
        let mut state = self.lock_state();
        state.check(from, "rename")?;
        let inode = state.must_get(from, "rename")?;
        state.names.rename(from, to, inode);
        Ok(())
    }

    fn remove(&self, path: &Path) -> Result<()> {
        let mut state = self.lock_state();
        state.check(path, "remove")?;
        state.must_get(path, "remove")?;
        state.names.remove(path);
        Ok(())
    }

    fn list(&self, folder: &Path) -> Result<Vec<String>> {
        Ok(self.lock_state().names.list(folder))
    }

    fn sync_folder(&self, folder: &Path) -> Result<()> {
        let mut state = self.lock_state();
        state.check(folder, "sync folder")?;
        if state.faults.planted != Some(PlantedFault::NoFolderSync) {
            state.names.sync(folder);
        }
        Ok(())
    }

    fn free_space(&self, _folder: &Path) -> Result<u64> {
        Ok(self.lock_state().free_bytes)
    }

    fn lock(&self, path: &Path, holder: &str) -> Result<Box<dyn DiskLock>> {
        let mut state = self.lock_state();
        if let Some((_, held_by)) = state.locked.iter().find(|(locked, _)| locked == path) {
            let holder = Some(held_by.clone());
            return Err(Error::InUse { path: folder_of(path), holder });
        }
        state.locked.push((path.to_path_buf(), holder.to_owned()));
        let process = state.process;
        Ok(Box::new(SimLock { disk: self.clone(), path: path.to_path_buf(), process }))
    }
}

impl SimDisk {
    fn handle(&self, state: &SimState, path: &Path, inode: InodeId) -> Arc<dyn DiskFile> {
        let (disk, path) = (self.clone(), path.to_path_buf());
        Arc::new(SimFile { disk, path, inode, process: state.process })
    }
}

impl SimState {
    /// Counts a changing operation, and fails it if the crash is due.
    fn check(&mut self, path: &Path, operation: &'static str) -> Result<()> {
        self.operation_count += 1;
        if self.faults.crashed || due(&mut self.faults.crash_after) {
            self.faults.crashed = true;
            return Err(gone(path, operation));
        }
        Ok(())
    }

    fn must_get(&self, path: &Path, operation: &'static str) -> Result<InodeId> {
        let missing = || Error::io(path, operation, ErrorKind::NotFound.into());
        self.names.get(path).ok_or_else(missing)
    }

    /// Some bytes from the front of a write that did not finish.
    fn half_write(&mut self, inode: InodeId, offset: u64, bytes: &[u8]) {
        let done = self.random.below(bytes.len() as u64 + 1) as usize;
        self.inodes[inode].write(offset as usize, &bytes[..done]);
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
        operation: &'static str,
        change: impl FnOnce(&mut SimState) -> Result<T>,
    ) -> Result<T> {
        let mut state = self.disk.lock_state();
        self.check_alive(&state, operation)?;
        state.check(&self.path, operation)?;
        change(&mut state)
    }

    fn is_forgotten(&self, planted: Option<PlantedFault>) -> bool {
        match planted {
            Some(PlantedFault::NoFileSync) => true,
            Some(PlantedFault::NoTemporarySync) => {
                self.path.extension().is_some_and(|e| e == "tmp")
            }
            Some(PlantedFault::NoFolderSync) | None => false,
        }
    }

    fn check_alive(&self, state: &SimState, operation: &'static str) -> Result<()> {
        if state.process == self.process { Ok(()) } else { Err(gone(&self.path, operation)) }
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
        let mut state = self.disk.lock_state();
        self.check_alive(&state, "write")?;
        if let Err(crashed) = state.check(&self.path, "write") {
            state.half_write(self.inode, offset, bytes);
            return Err(crashed);
        }
        if due(&mut state.faults.full_after) {
            // Full stays full: the countdown is due again at the next write.
            state.faults.full_after = Some(0);
            state.half_write(self.inode, offset, bytes);
            return Err(Error::io(&self.path, "write", ErrorKind::StorageFull.into()));
        }
        state.inodes[self.inode].write(offset as usize, bytes);
        Ok(())
    }

    fn sync_data(&self) -> Result<()> {
        self.change("sync", |state| {
            let SimState { inodes, random, faults, .. } = state;
            let inode = &mut inodes[self.inode];
            if self.is_forgotten(faults.planted) {
                return Ok(());
            }
            if due(&mut faults.fail_sync_after) {
                inode.fail_sync(random);
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
