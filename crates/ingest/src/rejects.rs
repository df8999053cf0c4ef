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
//! The rows are read from the files once more, by their lines, so that they are the same byte for byte.
//! A rejects file is a whole input with its header; for GraphML and Matrix Market it holds the reasons only, and
//! for JSON in one array or object nothing: its values stand in one line, and their reasons beside it. What is bad is
//! decided below; here rows are only copied.

use crate::csv::{Dialect, lines_of_records};
use crate::error::{BadRow, LoadError};
use crate::format::Format;
use crate::json_values::is_wrapped;
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
        let reasons = files.entry(Arc::clone(&row.file)).or_default();
        let known = reasons.entry(row.line).or_default();
        match known.is_empty() {
            true => *known = row.to_string(),
            // Several elements, or edges of one, may stand on a line.
            false => known.push_str(&format!("; {}", row.detail)),
        }
    }
    files
}

/// The usual name for the rejects of a file: beside it, unpacked, of the same kind.
pub fn usual_name(input: &Path, format: Format) -> PathBuf {
    let name = input.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let plain = name.strip_suffix(".gz").unwrap_or(&name);
    let rejects = match plain.rsplit_once('.') {
        Some((stem, _)) if has_reasons_only(format) => format!("{stem}.rejects.txt"),
        Some((stem, end)) if Format::from_word(end).is_some() => format!("{stem}.rejects.{end}"),
        _ => match format {
            Format::NQuads => format!("{plain}.rejects.nq"),
            Format::Csv => format!("{plain}.rejects.csv"),
            Format::GraphSon => format!("{plain}.rejects.graphson"),
            Format::EdgeList => format!("{plain}.rejects.el"),
            Format::GraphMl | Format::MatrixMarket | Format::Parquet | Format::DgraphJson => {
                format!("{plain}.rejects.txt")
            }
        },
    };
    input.with_file_name(rejects)
}

/// Whether the bad rows alone would be no file of the format.
fn has_reasons_only(format: Format) -> bool {
    matches!(format, Format::GraphMl | Format::MatrixMarket | Format::Parquet | Format::DgraphJson)
}

/// A file of which some rows are bad.
#[derive(Clone, Debug)]
pub struct LoadedFile {
    /// Where it is.
    pub path: PathBuf,
    /// Its format.
    pub format: Format,
    /// How it is written, if it is CSV.
    pub dialect: Dialect,
    /// The file that its header is in, if it is CSV and that is another one.
    pub header: Option<PathBuf>,
}

impl LoadedFile {
    /// A file in the usual form of its format.
    pub fn new(path: &Path, format: Format) -> Self {
        Self { path: path.to_path_buf(), format, dialect: Dialect::default(), header: None }
    }

    fn read(&self, path: &Path) -> Result<BlockReader, LoadError> {
        let line_ends = match self.format {
            Format::Csv => self.dialect.line_ends(),
            Format::NQuads
            | Format::GraphSon
            | Format::DgraphJson
            | Format::GraphMl
            | Format::EdgeList
            | Format::MatrixMarket
            | Format::Parquet => LineEnds::All,
        };
        BlockReader::open(Source::file(path)?, 0, line_ends, Arc::default())
    }

    /// The rows of a block, with the number of the line each begins on.
    fn rows<'b>(&self, block: &'b Block) -> Box<dyn Iterator<Item = (u64, &'b [u8])> + 'b> {
        let Block { first_line, bytes, .. } = block;
        match self.format {
            Format::Csv => Box::new(lines_of_records(self.dialect, *first_line, bytes)),
            Format::NQuads
            | Format::GraphSon
            | Format::DgraphJson
            | Format::GraphMl
            | Format::EdgeList
            | Format::MatrixMarket
            | Format::Parquet => Box::new((*first_line..).zip(bytes.split(|byte| *byte == b'\n'))),
        }
    }
}

/// Writes the bad rows of `input` to a new file, `out`; but for N-Quads, their reasons to another one
/// beside it. Neither may be there before.
pub fn write(input: &LoadedFile, bad: &Reasons, out: &Path) -> Result<(), LoadError> {
    let mut writer = Writer::create(input.format, out)?;
    if has_reasons_only(input.format) {
        writer.elements(bad)?;
        return writer.finish();
    }
    let mut reader = input.read(&input.path)?;
    // A line does not say which of its values is bad.
    if input.format == Format::GraphSon && is_wrapped(reader.head()?) {
        writer.reasons(bad)?;
        return writer.finish();
    }
    if input.format == Format::Csv {
        let header = match &input.header {
            Some(path) => input.read(path)?.header(input.dialect.comment)?,
            None => reader.header(input.dialect.comment)?,
        };
        header.map_or(Ok(()), |header| writer.line(header.as_bytes()))?;
    }
    while let Some(mut block) = reader.next_block()? {
        if bad.range(block.first_line..).next().is_none() {
            break;
        }
        if !block.bytes.ends_with(b"\n") {
            block.bytes.push(b'\n');
        }
        writer.rows(input.rows(&block), bad)?;
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
            Format::Csv | Format::GraphSon | Format::EdgeList => Some(new(&reasons_path(out))?),
            Format::NQuads
            | Format::DgraphJson
            | Format::GraphMl
            | Format::MatrixMarket
            | Format::Parquet => None,
        };
        Ok(Self { path: out.to_path_buf(), rows: new(out)?, reasons, lines: 0 })
    }

    fn rows<'b>(
        &mut self,
        rows: impl Iterator<Item = (u64, &'b [u8])>,
        bad: &Reasons,
    ) -> Result<(), LoadError> {
        for (line, row) in rows {
            if let Some(reason) = bad.get(&line) {
                self.row(row, reason)?;
            }
        }
        Ok(())
    }

    /// The reasons alone: an element of XML is not a row that could be taken out, nor is an entry of a matrix.
    fn elements(&mut self, bad: &Reasons) -> Result<(), LoadError> {
        for (line, reason) in bad {
            match reason.as_str() {
                "" => self.line(format!("line {line}").as_bytes())?,
                reason => self.line(reason.replace(['\n', '\r'], " ").as_bytes())?,
            }
        }
        Ok(())
    }

    /// The reasons, where they stand beside rows: of values that no line is by itself.
    fn reasons(&mut self, bad: &Reasons) -> Result<(), LoadError> {
        let Some(reasons) = &mut self.reasons else { return Ok(()) };
        for (line, reason) in bad {
            let reason = reason.replace(['\n', '\r'], " ");
            writeln!(reasons, "{line}: {reason}")
                .map_err(|error| failed(&reasons_path(&self.path), error))?;
        }
        Ok(())
    }

    fn row(&mut self, row: &[u8], reason: &str) -> Result<(), LoadError> {
        let reason = match reason {
            "" => "there were more bad rows than stored reasons".to_owned(),
            reason => reason.replace(['\n', '\r'], " "),
        };
        match &mut self.reasons {
            None => self.line(format!("# {reason}").as_bytes())?,
            Some(reasons) => writeln!(reasons, "{}: {reason}", self.lines + 1)
                .map_err(|error| failed(&reasons_path(&self.path), error))?,
        }
        self.line(row)
    }

    fn line(&mut self, line: &[u8]) -> Result<(), LoadError> {
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        self.lines += 1 + memchr::memchr_iter(b'\n', line).count() as u64;
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
