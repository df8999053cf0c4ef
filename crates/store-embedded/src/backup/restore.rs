//! A new data folder, from the files of a backup.
//!
//! What a reader would get wrong: the manifest gets its name last, when everything else is synced.
//! A folder that a restore left half done has none, and no open takes it for a data folder.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{List, Sink};
use crate::error::{Error, Result};
use crate::folder::{FileKind, FileName, Folder};
use crate::io::{DiskFile, Machine};

/// Writes a folder that did not exist, or was empty.
pub struct FolderWriter {
    folder: Folder,
    current: Option<(Arc<dyn DiskFile>, u64)>,
    /// Written under a temporary name, given its own at the end.
    manifest: Option<FileName>,
}

impl FolderWriter {
    /// Makes the folder, or takes an empty one; [`Error::NotEmpty`] if something is in it.
    pub fn create(machine: &Machine, path: &Path) -> Result<FolderWriter> {
        machine.disk.create_folder(path)?;
        if let Some(found) = machine.disk.list(path)?.into_iter().next() {
            return Err(Error::NotEmpty { path: path.to_path_buf(), found });
        }
        let folder = Folder::open_existing(Arc::clone(&machine.disk), path)?;
        Ok(FolderWriter { folder, current: None, manifest: None })
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
            FileKind::Log | FileKind::Segment | FileKind::Side => self.folder.path_of(name),
        }
    }
}

impl Sink for FolderWriter {
    fn begin(&mut self, name: &str, _: u64) -> Result<()> {
        self.close_current()?;
        let known = FileName::parse(name).ok_or_else(|| {
            Error::corrupt(self.folder.path(), 0, format!("{name:?} is no file of a data folder"))
        })?;
        let path = self.path(known);
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
        self.folder.sync()
    }
}
