//! A data folder that a command opens for its contents, and not to make one.

use std::fs::OpenOptions;
use std::io::ErrorKind;
use std::path::Path;

use millrace_db::maintenance::must_hold_data;
use millrace_db::{Database, Settings};
use millrace_model::Result;

/// The file that every opening locks.
const LOCK: &str = "LOCK";

/// Opens a folder that is there. An opening begins a file of the log, so it needs a file system that takes one.
pub(crate) fn open(folder: &Path, settings: Settings) -> Result<Database> {
    must_hold_data(folder)?;
    Database::open(folder, settings).map_err(|error| match is_unwritable(folder) {
        false => error,
        true => error.with_help(format!(
            "a folder that cannot be written is read by `millrace check`, `inspect` and `backup`: ask a copy, \
             millrace backup --data {} --to COPY",
            folder.display()
        )),
    })
}

/// Whether this process may not write there.
fn is_unwritable(folder: &Path) -> bool {
    let opened =
        OpenOptions::new().write(true).create(true).truncate(false).open(folder.join(LOCK));
    opened.is_err_and(|error| {
        matches!(error.kind(), ErrorKind::ReadOnlyFilesystem | ErrorKind::PermissionDenied)
    })
}
