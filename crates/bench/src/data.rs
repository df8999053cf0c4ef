//! Generated files, made once for each size and kept between runs.
//!
//! A file is written under another name and renamed when it is whole, so a run that was stopped
//! leaves nothing that a later run would take for data.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use millrace_db::ingest::generate::{Films, Likes, LikesFiles};
use millrace_db::model::{Error, ErrorKind, Result};

/// An I/O error that names the path.
pub(crate) fn io_error(path: &Path, error: &io::Error) -> Error {
    Error::new(ErrorKind::Io, format!("{}: {error}", path.display()))
}

/// The likes graph of a size, as neo4j-admin CSV.
pub(crate) fn likes_files(folder: &Path, likes: &Likes) -> Result<LikesFiles> {
    let name = format!("likes-{}-{}-{}", likes.people, likes.items, likes.likes_a_person);
    let made = once(folder, &name, |folder| likes.write_files(folder, false).map(|_| ()))?;
    Ok(LikesFiles::within(&made, false))
}

/// The film graph of a size, as gzipped N-Quads.
pub(crate) fn films_file(folder: &Path, films: &Films) -> Result<PathBuf> {
    let name = format!("films-{}", films.film_count());
    let made =
        once(folder, &name, |folder| films.write_file(&folder.join("films.nq.gz")).map(|_| ()))?;
    Ok(made.join("films.nq.gz"))
}

/// A folder of generated files, made by `write` if it is not there.
fn once<E: Into<Error>>(
    folder: &Path,
    name: &str,
    write: impl FnOnce(&Path) -> std::result::Result<(), E>,
) -> Result<PathBuf> {
    let made = folder.join(name);
    if made.is_dir() {
        return Ok(made);
    }
    let partial = folder.join(format!("{name}.partial"));
    empty_folder(&partial)?;
    eprintln!("generating {}", made.display());
    write(&partial).map_err(Into::into)?;
    fs::rename(&partial, &made).map_err(|error| io_error(&made, &error))?;
    Ok(made)
}

/// A folder with nothing in it.
pub(crate) fn empty_folder(folder: &Path) -> Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            return Err(io_error(folder, &error));
        }
        Ok(()) | Err(_) => {}
    }
    fs::create_dir_all(folder).map_err(|error| io_error(folder, &error))
}
