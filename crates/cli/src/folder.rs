//! A data folder that a command opens for its contents, and not to make one.

use std::path::Path;

use millrace_db::maintenance::must_hold_data;
use millrace_db::{Database, Settings};
use millrace_model::{Result, UNWRITABLE_FOLDER};

/// Opens a folder that is there; one that cannot be written is only read, and a line says so.
pub(crate) fn open(folder: &Path, settings: Settings) -> Result<Database> {
    must_hold_data(folder)?;
    match Database::open(folder, settings.clone()) {
        Err(error) if error.name == Some(UNWRITABLE_FOLDER) => {
            eprintln!("note: {}; it is only read", error.detail);
            Database::open_to_read(folder, settings)
        }
        opened => opened,
    }
}

/// Opens a folder that is there without a change to it.
pub(crate) fn open_to_read(folder: &Path, settings: Settings) -> Result<Database> {
    must_hold_data(folder)?;
    Database::open_to_read(folder, settings)
}
