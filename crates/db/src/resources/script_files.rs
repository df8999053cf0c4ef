//! The files that scripts and queries may read: those below one folder, whatever their names say.
//!
//! A name is resolved first, links included, and then must still be below the folder.

use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use millrace_model::{Error, ErrorKind, Result};
use millrace_ragedb::lua::OpenFile;

/// Opens files of a folder; `None` if no folder is set.
pub(crate) fn opener(folder: &str) -> Option<OpenFile> {
    if folder.is_empty() {
        return None;
    }
    let folder = Path::new(folder).to_owned();
    Some(Arc::new(move |name: &str| Ok(Box::new(open(&folder, name)?) as Box<dyn Read>)))
}

/// Opens a file of the folder.
pub(crate) fn open(folder: &Path, name: &str) -> Result<File> {
    let refused = || {
        Error::new(ErrorKind::NotFound, format!("{name}: no such file in the folder for scripts"))
            .with_help("name a file by its path within scripts.csv-folder")
    };
    // One answer for what is elsewhere and what is not there: names reveal nothing about the machine.
    let root = folder.canonicalize().map_err(|_| refused())?;
    let path = root.join(name).canonicalize().map_err(|_| refused())?;
    if !path.starts_with(&root) || !path.is_file() {
        return Err(refused());
    }
    File::open(&path).map_err(|_| refused())
}
