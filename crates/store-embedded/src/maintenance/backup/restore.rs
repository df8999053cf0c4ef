//! A new data folder, from the files of a backup.
//!
//! The manifest gets its name last, when everything else is synced: a folder that a crash left half
//! done has none, and no open takes it for a data folder. A restore that fails removes its files
//! and folders.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{List, Sink};
use crate::base::error::{Error, Result};
use crate::folder::Folder;
use crate::io::{Disk, DiskFile, FileKind, FileName, Machine};

/// Writes a folder that did not exist, or was empty. Dropped before it is finished, it removes the
/// files and folders that it made.
pub struct FolderWriter {
    folder: Folder,
    disk: Arc<dyn Disk>,
    /// Folders that were made for it, innermost first.
    made: Vec<PathBuf>,
    /// Files that were made, under every name they may have.
    files: Vec<PathBuf>,
    is_finished: bool,
    current: Option<(Arc<dyn DiskFile>, u64)>,
    /// Written under a temporary name, given its own at the end.
    manifest: Option<FileName>,
}

impl FolderWriter {
    /// Makes the folder, or takes an empty one; [`Error::NotEmpty`] if something is in it.
    pub fn create(machine: &Machine, path: &Path) -> Result<FolderWriter> {
        let is_missing = |folder: &&Path| {
            let name = !folder.as_os_str().is_empty();
            name && machine.disk.list(folder).is_err_and(|error| error.is_not_found())
        };
        let made = path.ancestors().take_while(is_missing).map(Path::to_path_buf).collect();
        let refused = |error: Error| error.of_opening(path, machine.disk.owner_of(path), true);
        machine.disk.create_folder(path).map_err(refused)?;
        if let Some(found) = machine.disk.list(path)?.into_iter().next() {
            return Err(Error::NotEmpty { path: path.to_path_buf(), found });
        }
        let disk = Arc::clone(&machine.disk);
        let folder = Folder::open_existing(Arc::clone(&disk), path)?;
        let (files, current, manifest) = (Vec::new(), None, None);
        Ok(FolderWriter { folder, disk, made, files, is_finished: false, current, manifest })
    }

    /// Lets go of the finished folder, so that it can be opened; it can still be discarded.
    pub fn close(&self) {
        self.folder.close();
    }

    /// Removes the files and folders that it made, although it is finished.
    pub fn discard(mut self) {
        self.is_finished = false;
    }

    fn close_current(&mut self) -> Result<()> {
        self.current.take().map_or(Ok(()), |(file, _)| file.sync_data())
    }

    fn path(&mut self, name: FileName) -> PathBuf {
        match name.kind {
            FileKind::Manifest => {
                self.manifest = Some(name);
                self.folder.temporary_path_of(name)
            }
            FileKind::Log | FileKind::Segment | FileKind::Spill | FileKind::Neighbours => {
                self.folder.path_of(name)
            }
        }
    }
}

impl Sink for FolderWriter {
    fn begin(&mut self, name: &str, _: u64) -> Result<()> {
        self.close_current()?;
        let known = FileName::parse(name).ok_or_else(|| {
            Error::corrupt(
                self.folder.path(),
                0,
                format!("{name:?} is not a file of a data folder"),
            )
        })?;
        let path = self.path(known);
        self.files.extend([path.clone(), self.folder.path_of(known)]);
        self.current = Some((self.folder.disk().create(&path)?, 0));
        Ok(())
    }

    fn put(&mut self, part: &[u8]) -> Result<()> {
        let Some((file, offset)) = self.current.as_mut() else {
            let detail = "a part came before its file";
            return Err(Error::corrupt(self.folder.path(), 0, detail));
        };
        file.write_at(*offset, part)?;
        *offset += part.len() as u64;
        Ok(())
    }

    fn finish(&mut self, _: &List) -> Result<()> {
        self.close_current()?;
        let manifest = self
            .manifest
            .ok_or_else(|| Error::corrupt(self.folder.path(), 0, "the backup holds no manifest"))?;
        self.folder.sync()?;
        let temporary = self.folder.temporary_path_of(manifest);
        self.folder.disk().rename(&temporary, &self.folder.path_of(manifest))?;
        self.folder.sync()?;
        self.is_finished = true;
        Ok(())
    }
}

impl Drop for FolderWriter {
    fn drop(&mut self) {
        if self.is_finished {
            return;
        }
        self.current = None;
        // Best effort: the error that led here is the one to tell.
        for path in self.files.iter().rev().chain([&self.folder.lock_path()]) {
            let _gone = self.disk.remove(path);
        }
        self.folder.close();
        for folder in &self.made {
            let _gone = self.disk.remove_folder(folder);
        }
    }
}
