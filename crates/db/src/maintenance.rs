//! Operations on a whole data folder: check, backup, restore. Each call takes the folder's lock, except
//! the backup of an open database, which stays writable.
//!
//! A backup to a folder is a data folder, ready to be served; a backup to a file is an archive. Both are
//! restored by the same call.
//!
//! No open database is known here, nor anything that is served.

use std::fs::File;
use std::io::{Read, Write};
use std::ops::ControlFlow;
use std::path::Path;

use millrace_model::{Error, ErrorKind, Result, Value};
use millrace_store_embedded::io::Machine;
use millrace_store_embedded::maintenance::backup::{
    self, ArchiveReader, ArchiveWriter, FolderWriter, Summary,
};
use millrace_store_embedded::maintenance::{check, inspect, repair};

pub use millrace_store_embedded::maintenance::backup::Summary as BackupSummary;
pub use millrace_store_embedded::maintenance::check::{
    Finding, GraphChecked, Report as CheckReport,
};
pub use millrace_store_embedded::maintenance::repair::Diagnosis;

/// Progress callback: the phase, how much of it is done, and of how much; may stop it.
pub type Watch<'a> = &'a mut dyn FnMut(&str, u64, u64) -> ControlFlow<()>;

/// Where a backup goes.
#[derive(Clone, Copy, Debug)]
pub enum Destination<'a> {
    /// An archive: a file that is not there yet.
    File(&'a Path),
    /// A folder that is empty, or not there yet.
    Folder(&'a Path),
}

impl<'a> Destination<'a> {
    /// By the name: a path that ends in `.tar` is an archive.
    pub fn of(path: &'a Path) -> Destination<'a> {
        match path.extension().is_some_and(|end| end == "tar") {
            true => Destination::File(path),
            false => Destination::Folder(path),
        }
    }
}

/// Checks a folder that no process has open. `deep` also reads everything as queries do.
pub fn check(path: &Path, deep: bool, watch: Watch<'_>) -> Result<CheckReport> {
    must_be_there(path)?;
    must_be_no_file(path)?;
    check::check_folder(&Machine::real(), path, deep, &mut |stage, _, done, total| {
        watch(stage.word(), done, total)
    })
}

/// Reports which data of a damaged folder can be saved, and saves it if `yes`.
pub fn repair(path: &Path, yes: bool, watch: Watch<'_>) -> Result<Diagnosis> {
    must_be_there(path)?;
    must_be_no_file(path)?;
    repair::repair_folder(&Machine::real(), path, yes, &mut |stage, _, done, total| {
        watch(stage.word(), done, total)
    })
}

/// The contents of a folder that no process has open, or of one of its files, as plain values.
pub fn inspect(path: &Path, file: Option<&str>) -> Result<Value> {
    must_be_there(path)?;
    must_be_no_file(path)?;
    match file {
        None => inspect::inspect_folder(&Machine::real(), path),
        Some(file) => inspect::inspect_file(&Machine::real(), path, file),
    }
}

/// Backs up a folder that no process has open.
pub fn backup(path: &Path, to: Destination<'_>, watch: Watch<'_>) -> Result<Summary> {
    must_be_there(path)?;
    must_be_no_file(path)?;
    let machine = Machine::real();
    let mut watch = |done, total| watch("copying", done, total);
    match to {
        Destination::File(file) => write_archive(file, |out| {
            let mut archive = ArchiveWriter::new(out, file);
            backup::backup_folder(&machine, path, &mut archive, &mut watch)
        }),
        Destination::Folder(folder) => {
            let mut folder = FolderWriter::create(&machine, folder)?;
            backup::backup_folder(&machine, path, &mut folder, &mut watch)
        }
    }
}

/// Receives an archive from a stream, such as a server's response, and verifies it.
pub fn receive(
    stream: &mut dyn Read,
    name: &Path,
    to: Destination<'_>,
    watch: Watch<'_>,
) -> Result<Summary> {
    let mut watch = |done, total| watch("copying", done, total);
    let mut archive = ArchiveReader::new(stream, name);
    match to {
        Destination::File(file) => write_archive(file, |out| {
            Ok(backup::unpack(&mut archive, &mut ArchiveWriter::new(out, file), &mut watch)?)
        }),
        Destination::Folder(folder) => {
            let mut folder = FolderWriter::create(&Machine::real(), folder)?;
            Ok(backup::unpack(&mut archive, &mut folder, &mut watch)?)
        }
    }
}

/// Makes a data folder from a backup, archive or folder, and checks it. Where that fails, or finds
/// something, nothing is left of it.
pub fn restore(from: &Path, path: &Path, watch: Watch<'_>) -> Result<(Summary, CheckReport)> {
    must_be_there(from)?;
    must_be_no_file(path)?;
    if from.is_file() {
        must_begin_as_archive(from)?;
    }
    let machine = Machine::real();
    let mut folder = FolderWriter::create(&machine, path)?;
    let mut copying = |done, total| watch("copying", done, total);
    let summary = match from.is_dir() {
        true => backup::backup_folder(&machine, from, &mut folder, &mut copying)?,
        false => {
            let mut file = File::open(from).map_err(|error| io_error(from, "open", &error))?;
            let mut archive = ArchiveReader::new(&mut file, from);
            backup::unpack(&mut archive, &mut folder, &mut copying)?
        }
    };
    folder.close();
    let report = check(path, false, watch);
    if !report.as_ref().is_ok_and(CheckReport::is_sound) {
        folder.discard();
    }
    Ok((summary, report?))
}

/// Writes a new file under a temporary name, and renames it when it is whole and synced.
fn write_archive(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<Summary>,
) -> Result<Summary> {
    if path.exists() {
        let detail = format!("{} is there already", path.display());
        return Err(Error::new(ErrorKind::AlreadyExists, detail).with_help("choose another name"));
    }
    let temporary = path.with_extension("tar.part");
    let mut file =
        File::create(&temporary).map_err(|error| io_error(&temporary, "make", &error))?;
    let summary = write(&mut file).and_then(|summary| {
        file.sync_all().map_err(|error| io_error(&temporary, "sync", &error))?;
        std::fs::rename(&temporary, path).map_err(|error| io_error(path, "rename", &error))?;
        Ok(summary)
    });
    if summary.is_err() {
        // The error is the one to report; a part that stays is named as one.
        let _left = std::fs::remove_file(&temporary);
    }
    summary
}

fn must_be_there(path: &Path) -> Result<()> {
    match path.exists() {
        true => Ok(()),
        false => Err(Error::new(ErrorKind::NotFound, format!("{} is not there", path.display()))),
    }
}

/// Fails for a file where a data folder is meant.
pub(crate) fn must_be_no_file(path: &Path) -> Result<()> {
    match path.is_file() {
        false => Ok(()),
        true => {
            let detail = format!("{} is a file, not a data folder", path.display());
            Err(Error::new(ErrorKind::BadInput, detail).with_help("name the folder"))
        }
    }
}

/// Fails for a folder that is not there or has nothing in it: who only reads makes no data folder of it.
pub fn must_hold_data(path: &Path) -> Result<()> {
    /// What a process that opened a folder leaves in it.
    const LOCK: &str = "LOCK";
    must_be_no_file(path)?;
    let missing = |detail: String| {
        let help = "millrace serve --data DIR creates a data folder";
        Err(Error::new(ErrorKind::NotFound, detail).with_help(help))
    };
    if !path.is_dir() {
        return missing(format!("there is no data folder {}", path.display()));
    }
    let entries = std::fs::read_dir(path).map_err(|error| io_error(path, "list", &error))?;
    match entries.flatten().any(|entry| entry.file_name() != LOCK) {
        true => Ok(()),
        false => missing(format!("{} holds no data", path.display())),
    }
}

/// Fails for a file that is something else, or nothing.
fn must_begin_as_archive(path: &Path) -> Result<()> {
    /// More than the header of an archive.
    const BEGINNING_BYTES: u64 = 1 << 10;
    let failed = |error: std::io::Error| io_error(path, "read", &error);
    let (file, mut beginning) = (File::open(path).map_err(failed)?, Vec::new());
    file.take(BEGINNING_BYTES).read_to_end(&mut beginning).map_err(failed)?;
    match backup::can_be_archive(&beginning) {
        true => Ok(()),
        false => {
            let detail = format!("{} is not a backup, or its beginning is missing", path.display());
            let help = "a backup is a file that `millrace backup --to FILE.tar` wrote, or a folder; \
                        `millrace load` reads data files";
            Err(Error::new(ErrorKind::BadInput, detail).with_help(help))
        }
    }
}

fn io_error(path: &Path, verb: &str, error: &std::io::Error) -> Error {
    use std::io::ErrorKind::{PermissionDenied, QuotaExceeded, ReadOnlyFilesystem, StorageFull};
    let failed = |kind| Error::new(kind, format!("cannot {verb} {}: {error}", path.display()));
    match error.kind() {
        PermissionDenied => failed(ErrorKind::Forbidden)
            .with_help("give another place, or run as a user with the right to it"),
        ReadOnlyFilesystem => {
            failed(ErrorKind::ReadOnly).with_help("give a place that can be written")
        }
        StorageFull | QuotaExceeded => {
            failed(ErrorKind::Io).with_help("free some space, or give a place on another disk")
        }
        _ => failed(ErrorKind::Io),
    }
}
