//! Where the bad rows of a load go: a rejects file for each input that has some.
//!
//! The names are checked before anything is loaded, so that a load never ends with rejects that have
//! nowhere to go.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use millrace_db::ingest::error::BadRow;
use millrace_db::ingest::rejects::{self, LoadedFile, reasons_path, usual_name};
use millrace_model::{Error, ErrorKind, Result};

use crate::arguments::Load;
use crate::commands::load::Inputs;
use crate::say;

/// The rejects file of each input.
pub(crate) struct RejectFiles {
    /// The input and its rejects file.
    files: Vec<(LoadedFile, PathBuf)>,
}

impl RejectFiles {
    /// As the arguments say: none if no row may be bad, or if nothing is stored.
    pub(crate) fn of(arguments: &Load, inputs: &Inputs) -> Result<RejectFiles> {
        if arguments.max_bad == 0 {
            return match &arguments.rejects {
                None => Ok(RejectFiles { files: Vec::new() }),
                Some(_) => {
                    Err(Error::new(ErrorKind::BadInput, "--rejects: no bad rows are allowed")
                        .with_help("allow some: --max-bad N"))
                }
            };
        }
        if arguments.dry_run && arguments.rejects.is_none() {
            return Ok(RejectFiles { files: Vec::new() });
        }
        let mut files = Vec::with_capacity(inputs.paths.len());
        for input in &inputs.paths {
            let usual = usual_name(input, inputs.format);
            let out = match &arguments.rejects {
                None => usual,
                Some(path) if inputs.paths.len() == 1 => path.clone(),
                Some(folder) => folder.join(usual.file_name().unwrap_or_default()),
            };
            // A load that goes on may have been killed while it wrote them.
            if !arguments.resume {
                check_free(&out)?;
                check_free(&reasons_path(&out))?;
            }
            files.push((loaded(input, inputs), out));
        }
        if let Some(folder) = arguments.rejects.as_ref().filter(|_| 1 < inputs.paths.len()) {
            let failed = |error| io_error(folder, &error);
            std::fs::create_dir_all(folder).map_err(failed)?;
        }
        Ok(RejectFiles { files })
    }

    /// Writes the rejects of a load with rows that name inputs by their paths; says where they are.
    pub(crate) fn write(&self, kept: &[BadRow], more: &[(Arc<str>, u64)]) -> Result<()> {
        for (name, bad) in rejects::by_file(kept, more) {
            let input = Path::new(&*name);
            let Some((file, out)) = self.files.iter().find(|(file, _)| file.path == input) else {
                continue;
            };
            write_anew(out, |path| Ok(rejects::write(file, &bad, path)?))?;
            say!("{} bad rows are in {}", bad.len(), out.display());
        }
        Ok(())
    }
}

/// An input as the rejects are taken from it.
fn loaded(input: &Path, inputs: &Inputs) -> LoadedFile {
    let is_input = |file: &String| Path::new(file) == input;
    let table = inputs.reading.tables.iter().find(|table| table.files.iter().any(is_input));
    let header = table.and_then(|table| table.files.first()).filter(|first| !is_input(first));
    LoadedFile {
        path: input.to_owned(),
        format: inputs.format,
        dialect: inputs.reading.csv.dialect,
        header: header.map(PathBuf::from),
    }
}

/// Writes a rejects file. It replaces the file of an earlier try of the same load, which is a prefix of
/// this one, or all of it. Any other file stays where it is.
fn write_anew(out: &Path, write: impl Fn(&Path) -> Result<()>) -> Result<()> {
    let mut name = out.as_os_str().to_owned();
    name.push(".partial");
    let partial = PathBuf::from(name);
    let pairs = [(partial.clone(), out.to_owned()), (reasons_path(&partial), reasons_path(out))];
    for (partial, _) in &pairs {
        remove_if_there(partial)?;
    }
    write(&partial)?;
    for (partial, out) in pairs.iter().filter(|(partial, _)| partial.exists()) {
        if !is_beginning(out, partial)? {
            let detail = format!(
                "{} holds other bad rows; those of this load are in {}",
                out.display(),
                partial.display()
            );
            return Err(Error::new(ErrorKind::AlreadyExists, detail)
                .with_help("keep both, or remove the one that is not needed"));
        }
    }
    for (partial, out) in pairs.iter().filter(|(partial, _)| partial.exists()) {
        std::fs::rename(partial, out).map_err(|error| io_error(out, &error))?;
    }
    Ok(())
}

fn remove_if_there(path: &Path) -> Result<()> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(io_error(path, &error)),
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Whether a file is the beginning of another, or not there.
fn is_beginning(path: &Path, whole: &Path) -> Result<bool> {
    if !path.exists() {
        return Ok(true);
    }
    let read = |path: &Path| std::fs::read(path).map_err(|error| io_error(path, &error));
    Ok(read(whole)?.starts_with(&read(path)?))
}

fn check_free(path: &Path) -> Result<()> {
    match path.exists() {
        false => Ok(()),
        true => {
            let detail =
                format!("{} exists already, and bad rows would be written there", path.display());
            let help = "move it, or name another path: --rejects PATH";
            Err(Error::new(ErrorKind::AlreadyExists, detail).with_help(help))
        }
    }
}

fn io_error(path: &Path, error: &std::io::Error) -> Error {
    Error::new(ErrorKind::Io, format!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(path: &Path) -> String {
        std::fs::read_to_string(path).unwrap()
    }

    #[test]
    fn rejects_replace_their_own_beginning_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("people.rejects.csv");
        let write = |path: &Path| {
            std::fs::write(path, "header\nrow\n").unwrap();
            std::fs::write(reasons_path(path), "why\n").unwrap();
            Ok(())
        };
        for left in [None, Some("header\nr"), Some("header\nrow\n")] {
            if let Some(left) = left {
                std::fs::write(&out, left).unwrap();
            }
            write_anew(&out, write).unwrap();
            assert_eq!(
                (text(&out), text(&reasons_path(&out))),
                ("header\nrow\n".into(), "why\n".into())
            );
        }
        std::fs::write(&out, "of another load\n").unwrap();
        let refused = write_anew(&out, write).unwrap_err();
        assert_eq!(refused.kind, ErrorKind::AlreadyExists);
        assert_eq!(text(&out), "of another load\n");
        assert_eq!(text(&folder.path().join("people.rejects.csv.partial")), "header\nrow\n");
    }
}
