//! Opening the files of a load.

use super::Meter;
use crate::error::LoadError;
use crate::format::{Format, check, check_part};
use crate::source::{BlockReader, LineEnds, Source};

/// Opens the files of a load.
pub(crate) fn open_all(
    sources: Vec<Source>,
    format: Format,
    line_ends: LineEnds,
    meter: &mut Meter<'_>,
) -> Result<Vec<BlockReader>, LoadError> {
    meter.expect_bytes(sources.iter().map(|source| source.bytes));
    let numbered = sources.into_iter().enumerate();
    numbered.map(|(at, source)| open(source, at, format, line_ends, meter)).collect()
}

/// Opens a file of a load (the `at`-th of its table), unless its first bytes are those of another format.
pub(crate) fn open(
    source: Source,
    at: usize,
    format: Format,
    line_ends: LineEnds,
    meter: &Meter<'_>,
) -> Result<BlockReader, LoadError> {
    let mut reader = BlockReader::open(source, at, line_ends, meter.packed_bytes())?;
    match (format, at) {
        // Any object is a node there, whatever its members are called.
        (Format::Csv, 1..) | (Format::DgraphJson, _) => check_part(&mut reader)?,
        _ => check(&mut reader, format)?,
    }
    Ok(reader)
}
