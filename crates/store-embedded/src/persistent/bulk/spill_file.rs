//! A spill file: a part of a large transaction, written before the commit that names it.
//!
//! ```text
//!   header, 64 bytes                       then the part, `length` bytes
//!    0  8  magic "MILLSPIL"
//!    8  4  version 1
//!   12  4  flags 0
//!   16  4  graph
//!   20  4  checksum of the part
//!   24  8  length of the part
//!   32 28  zeros
//!   60  4  checksum of 0..60
//! ```
//!
//! The part's bytes are the frame encoding of its changes. A transaction's spilled parts are not
//! synced, because a rollback drops them. The commit writes its own parts, each synced, and syncs
//! the folder once, before its frame is written.

use std::sync::Arc;

use millrace_model::GraphId;

use crate::base::bytes::{checksum, put, u32_at, u64_at};
use crate::base::error::{Error, Result};
use crate::base::format::Format;
use crate::base::limits::{SEGMENT_WRITE_BYTES, SPILL_FILE_BYTES_MAX};
use crate::folder::{Folder, PacedFile};
use crate::io::{DiskFile, FileKind, FileName};

const MAGIC: &[u8; 8] = b"MILLSPIL";
const FORMAT: Format = Format { version: 2, flags: 0 };
const HEADER_BYTES: usize = 64;

/// Writes a part to a new file, and syncs neither it nor the folder.
pub fn write_spill_file(folder: &Folder, graph: GraphId, part: &[u8]) -> Result<FileName> {
    create(folder, part, |file| {
        let header = header_of(graph, part);
        file.write_at(0, &header)?;
        let mut offset = header.len() as u64;
        for slice in part.chunks(SEGMENT_WRITE_BYTES) {
            file.write_at(offset, slice)?;
            offset += slice.len() as u64;
        }
        Ok(())
    })
}

/// The same for a commit: the file is synced, slice by slice.
pub fn write_durable_spill_file(folder: &Folder, graph: GraphId, part: &[u8]) -> Result<FileName> {
    create(folder, part, |file| {
        let mut file = PacedFile::begin(folder, file);
        file.append(&header_of(graph, part))?;
        file.append(part)?;
        file.sync()
    })
}

fn create(
    folder: &Folder,
    part: &[u8],
    write: impl FnOnce(Arc<dyn DiskFile>) -> Result<()>,
) -> Result<FileName> {
    if part.len() as u64 > SPILL_FILE_BYTES_MAX {
        return Err(Error::TooLarge {
            what: "a part of a large transaction",
            bytes: part.len() as u64,
            bytes_max: SPILL_FILE_BYTES_MAX,
        });
    }
    let name = folder.new_name(FileKind::Spill);
    let path = folder.path_of(name);
    write(folder.disk().create(&path)?).inspect_err(|_| {
        // A file left behind is unreferenced and is removed when the folder opens.
        let _ = folder.disk().remove(&path);
    })?;
    Ok(name)
}

fn header_of(graph: GraphId, part: &[u8]) -> [u8; HEADER_BYTES] {
    let mut header = [0; HEADER_BYTES];
    put(&mut header, 0, MAGIC);
    put(&mut header, 8, &FORMAT.version.to_le_bytes());
    put(&mut header, 12, &FORMAT.flags.to_le_bytes());
    put(&mut header, 16, &graph.0.to_le_bytes());
    put(&mut header, 20, &checksum(part).to_le_bytes());
    put(&mut header, 24, &(part.len() as u64).to_le_bytes());
    let sum = checksum(&header[..60]);
    put(&mut header, 60, &sum.to_le_bytes());
    header
}

/// Reads a file of any graph and checks it.
pub(crate) fn verify_spill_file(folder: &Folder, name: FileName) -> Result<()> {
    read_part(folder, name, None).map(drop)
}

/// Reads a part back, verified.
pub fn read_spill_file(folder: &Folder, name: FileName, graph: GraphId) -> Result<Vec<u8>> {
    read_part(folder, name, Some(graph))
}

fn read_part(folder: &Folder, name: FileName, graph: Option<GraphId>) -> Result<Vec<u8>> {
    let file = folder.disk().open(&folder.path_of(name))?;
    let damaged = |offset, detail: &str| Error::corrupt(file.path(), offset, detail);
    let size = file.size()?;
    if size < HEADER_BYTES as u64 {
        return Err(damaged(size, "it ends before a spill file can"));
    }
    let mut header = [0; HEADER_BYTES];
    file.read_at(0, &mut header)?;
    if &header[..8] != MAGIC || u32_at(&header, 60) != checksum(&header[..60]) {
        return Err(damaged(0, "the header of a spill file is wrong"));
    }
    let found = Format { version: u32_at(&header, 8), flags: u32_at(&header, 12) };
    FORMAT.check(file.path(), found)?;
    if graph.is_some_and(|graph| u32_at(&header, 16) != graph.0) {
        return Err(damaged(16, "it belongs to another graph"));
    }
    let length = u64_at(&header, 24);
    if length > SPILL_FILE_BYTES_MAX || size != HEADER_BYTES as u64 + length {
        return Err(damaged(24, "its length differs from the header's"));
    }
    let mut part = vec![0; length as usize];
    file.read_at(HEADER_BYTES as u64, &mut part)?;
    if checksum(&part) != u32_at(&header, 20) {
        return Err(damaged(HEADER_BYTES as u64, "the checksum of the part is wrong"));
    }
    Ok(part)
}
