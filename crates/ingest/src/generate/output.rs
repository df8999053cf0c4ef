//! Files that are written whole or not at all, gzipped if their name ends in `.gz`.

use crate::error::LoadError;
use crate::limits::READ_BUFFER_BYTES;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// Writes a file under another name first, so that an interrupted run leaves no half a file that a
/// later one would take for whole.
pub(super) fn write_file(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), LoadError> {
    let failed = |source| LoadError::File { file: path.to_string_lossy().into(), source };
    let mut unfinished = path.as_os_str().to_owned();
    unfinished.push(".unfinished");
    let unfinished = Path::new(&unfinished);
    let gzip = path.extension().is_some_and(|extension| extension == "gz");
    let written = write_all(unfinished, gzip, fill).and_then(|()| fs::rename(unfinished, path));
    written.map_err(|error| {
        let _ = fs::remove_file(unfinished);
        failed(error)
    })
}

fn write_all(
    path: &Path,
    gzip: bool,
    fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let mut file = BufWriter::with_capacity(READ_BUFFER_BYTES, File::create(path)?);
    match gzip {
        false => fill(&mut file)?,
        true => {
            let encoder = GzEncoder::new(&mut file, Compression::fast());
            let mut encoder = BufWriter::with_capacity(READ_BUFFER_BYTES, encoder);
            fill(&mut encoder)?;
            encoder.into_inner()?.finish()?;
        }
    }
    file.flush()
}
