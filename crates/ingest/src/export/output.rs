//! Where an export goes: a temporary name beside the wanted one, which takes its place at the end, so
//! that nothing of that name is ever half a graph.

use crate::limits::READ_BUFFER_BYTES;
use flate2::Compression;
use flate2::write::GzEncoder;
use millrace_model::{Error, ErrorKind, Result};
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// The wanted name, and the temporary one.
pub(super) struct Target {
    to: PathBuf,
    part: PathBuf,
    is_done: bool,
}

impl Target {
    /// Refuses a name that is taken.
    pub(super) fn new(to: &Path) -> Result<Self> {
        let Some(name) = to.file_name() else {
            let detail = format!("{}: this names no file", to.display());
            return Err(Error::new(ErrorKind::BadInput, detail));
        };
        if to.symlink_metadata().is_ok() {
            let detail = format!("{} is there already", to.display());
            let help = "an export does not replace files: use another name, or move the file away";
            return Err(Error::new(ErrorKind::AlreadyExists, detail).with_help(help));
        }
        let mut part = name.to_owned();
        part.push(".part");
        Ok(Self { to: to.to_owned(), part: to.with_file_name(part), is_done: false })
    }

    /// The one file.
    pub(super) fn file<'a>(&self) -> Result<Output<'a>> {
        self.clear()?;
        let file = File::create(&self.part).map_err(|error| failed(&self.part, &error))?;
        let writer = BufWriter::with_capacity(READ_BUFFER_BYTES, file);
        let is_packed = self.to.extension().is_some_and(|end| end == "gz");
        let writer = match is_packed {
            true => Writer::Packed(Box::new(GzEncoder::new(writer, Compression::default()))),
            false => Writer::Plain(writer),
        };
        Ok(Output { path: self.part.clone(), writer })
    }

    /// The folder, empty.
    pub(super) fn folder(&self) -> Result<&Path> {
        self.clear()?;
        fs::create_dir(&self.part).map_err(|error| failed(&self.part, &error))?;
        Ok(&self.part)
    }

    /// Removes the partial output of an export that was killed.
    fn clear(&self) -> Result<()> {
        let removed = match self.part.symlink_metadata() {
            Ok(left) if left.is_dir() => fs::remove_dir_all(&self.part),
            Ok(_) => fs::remove_file(&self.part),
            Err(_) => Ok(()),
        };
        removed.map_err(|error| failed(&self.part, &error))
    }

    /// Renames the finished output to its final name.
    pub(super) fn finish(mut self) -> Result<()> {
        fs::rename(&self.part, &self.to).map_err(|error| failed(&self.to, &error))?;
        self.is_done = true;
        let folder = self.to.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new("."));
        File::open(folder)
            .and_then(|folder| folder.sync_all())
            .map_err(|error| failed(folder, &error))
    }
}

impl Drop for Target {
    fn drop(&mut self) {
        if !self.is_done {
            // The export's own error is the one to report; the next export removes the remains.
            let _left = self.clear();
        }
    }
}

/// A file or a stream that is written.
pub(super) struct Output<'a> {
    path: PathBuf,
    writer: Writer<'a>,
}

enum Writer<'a> {
    Plain(BufWriter<File>),
    Packed(Box<GzEncoder<BufWriter<File>>>),
    Stream(&'a mut dyn Write),
}

impl<'a> Output<'a> {
    /// Output to a stream of the caller, as it is written.
    pub(super) fn stream(out: &'a mut dyn Write) -> Output<'a> {
        Output { path: PathBuf::from("the export"), writer: Writer::Stream(out) }
    }

    pub(super) fn write(&mut self, text: &str) -> Result<()> {
        let written = match &mut self.writer {
            Writer::Plain(writer) => writer.write_all(text.as_bytes()),
            Writer::Packed(writer) => writer.write_all(text.as_bytes()),
            Writer::Stream(out) => out.write_all(text.as_bytes()),
        };
        written.map_err(|error| failed(&self.path, &error))
    }

    /// Makes it durable.
    pub(super) fn finish(self) -> Result<()> {
        let flushed = match self.writer {
            Writer::Plain(writer) => Ok(writer),
            Writer::Packed(writer) => writer.finish(),
            Writer::Stream(out) => {
                return out.flush().map_err(|error| failed(&self.path, &error));
            }
        };
        let synced = flushed.and_then(|writer| writer.into_inner().map_err(io::Error::from));
        synced.and_then(|file| file.sync_all()).map_err(|error| failed(&self.path, &error))
    }
}

/// A file of many that grows: opened for each piece, so that their number has no bound but the disk.
pub(super) struct Growing {
    path: PathBuf,
    pub(super) text: String,
}

impl Growing {
    pub(super) fn new(path: PathBuf) -> Self {
        Self { path, text: String::new() }
    }

    /// Writes the buffered text, if there are at least `bytes_min` of it.
    pub(super) fn flush(&mut self, bytes_min: usize) -> Result<()> {
        if self.text.len() < bytes_min || self.text.is_empty() {
            return Ok(());
        }
        let file = OpenOptions::new().append(true).create(true).open(&self.path);
        let written = file.and_then(|mut file| file.write_all(self.text.as_bytes()));
        self.text.clear();
        written.map_err(|error| failed(&self.path, &error))
    }

    /// Writes the rest and makes it durable.
    pub(super) fn finish(mut self) -> Result<()> {
        self.flush(0)?;
        let synced = File::open(&self.path).and_then(|file| file.sync_all());
        synced.map_err(|error| failed(&self.path, &error))
    }
}

fn failed(path: &Path, error: &io::Error) -> Error {
    let (kind, help) = match error.kind() {
        io::ErrorKind::NotFound => (ErrorKind::NotFound, "make its folder first"),
        io::ErrorKind::PermissionDenied => {
            (ErrorKind::Forbidden, "give another place, or run as a user with the right to it")
        }
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            (ErrorKind::Io, "free some space, or give a place on another disk")
        }
        io::ErrorKind::ReadOnlyFilesystem => (ErrorKind::Io, "give a place that can be written"),
        _ => return Error::new(ErrorKind::Io, format!("{}: {error}", path.display())),
    };
    Error::new(kind, format!("{}: {error}", path.display())).with_help(help)
}
