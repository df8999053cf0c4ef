//! Generated files, made once for each size and cached between runs; copies that a run may change.
//!
//! A file is written under another name and renamed when it is whole, so a run that was stopped
//! leaves nothing that a later run would take for data. What a row does with a folder never enters here.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use millrace_db::ingest::generate::{Films, Likes, LikesFiles};
use millrace_model::{Error, ErrorKind, Result};

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
pub(crate) fn once<E: Into<Error>>(
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
    remove_folder(folder)?;
    fs::create_dir_all(folder).map_err(|error| io_error(folder, &error))
}

fn remove_folder(folder: &Path) -> Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(io_error(folder, &error)),
        Ok(()) | Err(_) => Ok(()),
    }
}

/// A folder of one run, removed when it is dropped.
pub(crate) struct Scratch {
    folder: PathBuf,
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // The next run removes the remains.
        let _left = fs::remove_dir_all(&self.folder);
    }
}

impl Scratch {
    /// An empty folder. Dirty pages of other programs, such as those of a build just done, are synced
    /// before this returns; otherwise the kernel would write them during the run, for half a minute.
    pub(crate) fn empty(data: &Path, name: &str) -> Result<Scratch> {
        let folder = data.join(format!("{name}.scratch"));
        empty_folder(&folder)?;
        rustix::fs::sync();
        Ok(Scratch { folder })
    }

    /// A copy of a folder, on the disk before this returns: its writing must not slow the run.
    pub(crate) fn copy(data: &Path, name: &str, original: &Path) -> Result<Scratch> {
        let scratch = Scratch::empty(data, name)?;
        copy_files(original, &scratch.folder)?;
        Ok(scratch)
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        &self.folder
    }
}

fn copy_files(from: &Path, to: &Path) -> Result<()> {
    let entries = fs::read_dir(from).map_err(|error| io_error(from, &error))?;
    for entry in entries {
        let path = entry.map_err(|error| io_error(from, &error))?.path();
        let copy = to.join(path.file_name().unwrap_or_default());
        if path.is_dir() {
            fs::create_dir_all(&copy).map_err(|error| io_error(&copy, &error))?;
            copy_files(&path, &copy)?;
            continue;
        }
        let synced = fs::copy(&path, &copy).and_then(|_| fs::File::open(&copy)?.sync_all());
        synced.map_err(|error| io_error(&copy, &error))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_holds_all_files_and_is_gone_when_dropped() {
        let data = tempfile::tempdir().unwrap();
        let original = data.path().join("original");
        fs::create_dir_all(original.join("within")).unwrap();
        fs::write(original.join("within/file"), "text").unwrap();
        let scratch = Scratch::copy(data.path(), "run", &original).unwrap();
        let copy = scratch.path().to_owned();
        assert_eq!(fs::read_to_string(copy.join("within/file")).unwrap(), "text");
        drop(scratch);
        assert!(!copy.exists() && original.exists());
    }

    #[test]
    fn unfinished_data_is_made_again_and_finished_data_is_reused() {
        let data = tempfile::tempdir().unwrap();
        let failed = once(data.path(), "x", |folder| {
            fs::write(folder.join("half"), "").unwrap();
            Err(Error::new(ErrorKind::Io, "stopped"))
        });
        assert_eq!(failed.unwrap_err().detail, "stopped");
        let whole = once(data.path(), "x", |_| Ok::<(), Error>(())).unwrap();
        assert!(!whole.join("half").exists(), "it began anew");
        once(data.path(), "x", |_| -> Result<()> { panic!("it is there") }).unwrap();
    }
}
