//! Rejects files: the bad rows of a load as they stand in its files, so that they can be mended and
//! loaded again.
//!
//! ```text
//!   likes.csv          likes.rejects.csv                  likes.rejects.csv.reasons
//!   :START_ID,:END_ID  :START_ID,:END_ID                  2: likes.csv:3:2: :END_ID: no node …
//!   ann,tea            ben,
//!   ben,
//!
//!   films.rdf.gz       films.rejects.rdf: the reason in a comment above each statement
//! ```
//!
//! The rows are read from the files once more, by their lines, so that they are what they were,
//! byte for byte. What a reader would get wrong: a rejects file is a whole input, header and all.

use crate::error::{BadRow, LoadError};
use crate::load::Format;
use crate::source::{Block, BlockReader, LineEnds, Source};
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Bad rows of one file: the reason for each line; empty where it was not kept.
pub type Reasons = BTreeMap<u64, String>;

/// Bad rows by the name of their file.
pub fn by_file(rejects: &[BadRow], more: &[(Arc<str>, u64)]) -> BTreeMap<Arc<str>, Reasons> {
    let mut files: BTreeMap<Arc<str>, Reasons> = BTreeMap::new();
    for (file, line) in more {
        files.entry(Arc::clone(file)).or_default().insert(*line, String::new());
    }
    for row in rejects {
        files.entry(Arc::clone(&row.file)).or_default().insert(row.line, row.to_string());
    }
    files
}

/// The usual name for the rejects of a file: beside it, unpacked, of the same kind.
pub fn usual_name(input: &Path, format: Format) -> PathBuf {
    let name = input.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let plain = name.strip_suffix(".gz").unwrap_or(&name);
    let rejects = match plain.rsplit_once('.') {
        Some((stem, end)) if Format::from_word(end).is_some() => format!("{stem}.rejects.{end}"),
        _ => match format {
            Format::NQuads => format!("{plain}.rejects.nq"),
            Format::Csv => format!("{plain}.rejects.csv"),
            Format::GraphSon => format!("{plain}.rejects.graphson"),
        },
    };
    input.with_file_name(rejects)
}

/// Writes the bad rows of `input` to a new file, `out`; but for N-Quads, their reasons to another one
/// beside it. Neither may be there before.
pub fn write(input: &Path, format: Format, bad: &Reasons, out: &Path) -> Result<(), LoadError> {
    let source = Source::file(input)?;
    let mut reader = BlockReader::open(source, 0, LineEnds::All, Arc::default())?;
    let mut writer = Writer::create(format, out)?;
    if format == Format::Csv
        && let Some(header) = reader.header()?
    {
        writer.line(header.as_bytes())?;
    }
    while let Some(block) = reader.next_block()? {
        writer.block(&block, bad)?;
    }
    writer.finish()
}

/// Where the reasons go that a rejects file cannot hold itself.
pub fn reasons_path(out: &Path) -> PathBuf {
    let mut name = out.as_os_str().to_owned();
    name.push(".reasons");
    name.into()
}

/// The file, and its reasons where it cannot hold them itself.
struct Writer {
    path: PathBuf,
    rows: BufWriter<File>,
    reasons: Option<BufWriter<File>>,
    /// Lines written.
    lines: u64,
}

impl Writer {
    fn create(format: Format, out: &Path) -> Result<Self, LoadError> {
        let new = |path: &Path| {
            let file = OpenOptions::new().write(true).create_new(true).open(path);
            file.map(BufWriter::new).map_err(|error| failed(path, error))
        };
        let reasons = match format {
            Format::Csv | Format::GraphSon => Some(new(&reasons_path(out))?),
            Format::NQuads => None,
        };
        Ok(Self { path: out.to_path_buf(), rows: new(out)?, reasons, lines: 0 })
    }

    fn block(&mut self, block: &Block, bad: &Reasons) -> Result<(), LoadError> {
        let mut wanted = bad.range(block.first_line..).peekable();
        for (number, line) in (block.first_line..).zip(block.bytes.split(|byte| *byte == b'\n')) {
            match wanted.peek() {
                None => break,
                Some((next, _)) if **next != number => continue,
                Some((_, reason)) => self.row(line, reason)?,
            }
            wanted.next();
        }
        Ok(())
    }

    fn row(&mut self, line: &[u8], reason: &str) -> Result<(), LoadError> {
        let reason = match reason {
            "" => "there were more bad rows than reasons are kept".to_owned(),
            reason => reason.replace(['\n', '\r'], " "),
        };
        match &mut self.reasons {
            None => self.line(format!("# {reason}").as_bytes())?,
            Some(reasons) => writeln!(reasons, "{}: {reason}", self.lines + 1)
                .map_err(|error| failed(&reasons_path(&self.path), error))?,
        }
        self.line(line)
    }

    fn line(&mut self, line: &[u8]) -> Result<(), LoadError> {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        self.lines += 1;
        let written = self.rows.write_all(line).and_then(|()| self.rows.write_all(b"\n"));
        written.map_err(|error| failed(&self.path, error))
    }

    fn finish(self) -> Result<(), LoadError> {
        let Self { path, rows, reasons, .. } = self;
        for file in [Some(rows), reasons].into_iter().flatten() {
            let file = file.into_inner().map_err(|error| failed(&path, error.into_error()))?;
            file.sync_all().map_err(|error| failed(&path, error))?;
        }
        Ok(())
    }
}

fn failed(path: &Path, source: io::Error) -> LoadError {
    LoadError::File { file: path.to_string_lossy().into(), source }
}
