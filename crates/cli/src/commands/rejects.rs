//! Where the bad rows of a load go: a rejects file for each input that has some.
//!
//! What a reader would get wrong: the names are judged before anything is loaded, so that a load
//! never ends with rejects that have nowhere to go.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use millrace_db::ingest::error::BadRow;
use millrace_db::ingest::load::Format;
use millrace_db::ingest::rejects::{self, reasons_path, usual_name};
use millrace_db::model::{Error, ErrorKind, Result};

use crate::arguments::Load;

/// The rejects file of each input.
pub(crate) struct RejectFiles {
    /// The input, its format, and its rejects file.
    files: Vec<(PathBuf, Format, PathBuf)>,
}

impl RejectFiles {
    /// As the arguments say: none if no row may be bad, or if nothing is stored.
    pub(crate) fn of(arguments: &Load) -> Result<RejectFiles> {
        if arguments.max_bad == 0 {
            return match &arguments.rejects {
                None => Ok(RejectFiles { files: Vec::new() }),
                Some(_) => Err(Error::new(ErrorKind::BadInput, "--rejects: no row may be bad")
                    .with_help("say how many may be: --max-bad N")),
            };
        }
        if arguments.dry_run && arguments.rejects.is_none() {
            return Ok(RejectFiles { files: Vec::new() });
        }
        let mut files = Vec::with_capacity(arguments.files.len());
        for input in &arguments.files {
            let format = arguments
                .format
                .as_deref()
                .map_or_else(|| Format::of_path(input), Format::from_word);
            // A format that nobody knows is told by the load itself.
            let Some(format) = format else { continue };
            let usual = usual_name(input, format);
            let out = match &arguments.rejects {
                None => usual,
                Some(path) if arguments.files.len() == 1 => path.clone(),
                Some(folder) => folder.join(usual.file_name().unwrap_or_default()),
            };
            check_free(&out)?;
            check_free(&reasons_path(&out))?;
            files.push((input.clone(), format, out));
        }
        if let Some(folder) = arguments.rejects.as_ref().filter(|_| 1 < arguments.files.len()) {
            let failed = |error| io_error(folder, &error);
            std::fs::create_dir_all(folder).map_err(failed)?;
        }
        Ok(RejectFiles { files })
    }

    /// Writes the rejects of a load whose rows name inputs by their paths; says where they are.
    pub(crate) fn write(&self, kept: &[BadRow], more: &[(Arc<str>, u64)]) -> Result<()> {
        for (name, bad) in rejects::by_file(kept, more) {
            let input = Path::new(&*name);
            let Some((_, format, out)) = self.files.iter().find(|(path, ..)| path == input) else {
                continue;
            };
            rejects::write(input, *format, &bad, out)?;
            println!("{} bad rows are in {}", bad.len(), out.display());
        }
        Ok(())
    }
}

fn check_free(path: &Path) -> Result<()> {
    match path.exists() {
        false => Ok(()),
        true => {
            let detail =
                format!("{} is there already, and bad rows would go there", path.display());
            let help = "move it, or name another place: --rejects PATH";
            Err(Error::new(ErrorKind::AlreadyExists, detail).with_help(help))
        }
    }
}

fn io_error(path: &Path, error: &std::io::Error) -> Error {
    Error::new(ErrorKind::Io, format!("{}: {error}", path.display()))
}
