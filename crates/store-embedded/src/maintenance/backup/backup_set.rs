//! The files that a backup copies, as of one log position.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::base::error::{Error, Result};
use crate::checkpoint::{CONTENTS_FORMAT, OpenFolder, PinnedFiles};
use crate::folder::Folder;
use crate::folder::manifest::Manifest;
use crate::io::{DiskFile, FileKind, FileName};
use crate::log;
use crate::log::LogExtent;
use crate::maintenance::check::verify_file;
use crate::recovery::ReadFolder;

/// The files of a backup, the manifest last: a folder without one is no data folder.
pub(super) struct BackupSet {
    pub(super) position: u64,
    pub(super) files: Vec<Part>,
}

/// One of them.
pub(super) struct Part {
    pub(super) name: FileName,
    pub(super) bytes: u64,
    pub(super) content: Content,
}

/// Where the bytes of a file are.
pub(super) enum Content {
    /// Here.
    Bytes(Vec<u8>),
    /// In a file of the log that may be removed meanwhile: an open handle still reads it. With the
    /// last batch that counts in it, behind which nothing is copied.
    Log(Arc<dyn DiskFile>, u64),
    /// In the folder, under its name.
    Path,
}

impl BackupSet {
    /// Of a closed folder: the files that its manifest and its log name.
    pub(super) fn of_closed(folder: &Folder, read: &ReadFolder) -> Result<BackupSet> {
        let mut files = named(folder, read.named.iter().copied().collect())?;
        files.extend(neighbours(folder)?);
        for used in read.log.files.iter().filter(|file| file.batches.is_some()) {
            let last = used.batches.map_or(0, |(_, last)| last);
            let file = folder.disk().open(&folder.path_of(used.name))?;
            files.push(Part {
                name: used.name,
                bytes: used.used_bytes,
                content: Content::Log(file, last),
            });
        }
        files.push(manifest(folder, read.manifest)?);
        Ok(BackupSet { position: read.log.position_last, files })
    }

    /// Of an open folder, now. Its files are kept from removal until the [`PinnedFiles`] are
    /// dropped.
    pub(super) fn of_open(
        open: &OpenFolder,
    ) -> millrace_model::Result<(BackupSet, PinnedFiles<'_>)> {
        // Acknowledged commits must be in the log; on an `async` folder they may not be durable
        // yet.
        let applied = open.pipeline.progress.applied();
        open.pipeline.progress.wait_durable(applied)?;
        // No out-of-line commit is between its record and its files being known, and no checkpoint
        // between a segment's record and the next manifest.
        let _no_out_of_line = open.out_of_line.lock();
        let _no_checkpoint = open.checkpoints.pause();
        let pinned = open.pin_files();
        let newest = open.folder.names(FileKind::Manifest)?.pop();
        let newest = newest
            .ok_or_else(|| Error::corrupt(open.folder.path(), 0, "its manifests are gone"))?;
        let manifest = manifest(&open.folder, newest)?;
        let log = open.pipeline.log_extents()?;
        let names = open.checkpoints.with_files(|files| files.all()).into_iter().collect();
        let mut files = named(&open.folder, names)?;
        files.extend(neighbours(&open.folder)?);
        for LogExtent { name, file, bytes, batch_last } in log.files {
            files.push(Part { name, bytes, content: Content::Log(file, batch_last) });
        }
        files.push(manifest);
        Ok((BackupSet { position: log.position_last, files }, pinned))
    }
}

impl Part {
    /// Verifies every checksum in it, before it is copied.
    pub(super) fn verify(&self, folder: &Folder) -> Result<()> {
        match &self.content {
            // It was verified as it was read.
            Content::Bytes(_) => Ok(()),
            Content::Log(file, last) => log::verify_file(folder, self.name, file, *last),
            Content::Path => verify_file(folder, self.name),
        }
    }
}

fn named(folder: &Folder, names: BTreeSet<FileName>) -> Result<Vec<Part>> {
    let part = |name: FileName| {
        let bytes = folder.disk().open(&folder.path_of(name))?.size()?;
        Ok(Part { name, bytes, content: Content::Path })
    };
    names.into_iter().map(part).collect()
}

/// The graphs of neighbours that are sound. Others are made anew.
fn neighbours(folder: &Folder) -> Result<Vec<Part>> {
    let names = folder.names(FileKind::Neighbours)?.into_iter();
    named(folder, names.filter(|name| verify_file(folder, *name).is_ok()).collect())
}

fn manifest(folder: &Folder, name: FileName) -> Result<Part> {
    let path = folder.path_of(name);
    let file = folder.disk().open(&path)?;
    let bytes = file.size()?;
    if crate::base::limits::MANIFEST_BYTES_MAX < bytes {
        return Err(Error::corrupt(&path, 0, format!("a manifest can't have {bytes} bytes")));
    }
    let mut content = vec![0; bytes as usize];
    file.read_at(0, &mut content)?;
    Manifest::read(folder, name, CONTENTS_FORMAT)?;
    Ok(Part { name, bytes, content: Content::Bytes(content) })
}
