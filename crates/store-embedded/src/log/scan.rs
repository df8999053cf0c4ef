//! Reads one file of the log: whole batches one after the other, and headers anywhere.
//!
//! A batch that is damaged and a place that was never written look alike here (no batch). Only the
//! chain, and the batches and manifest that vouch for it, tell them apart.

use std::path::Path;
use std::sync::Arc;

use crate::base::error::{Error, Result};
use crate::base::limits::{LOG_BATCH_BYTES_MAX, LOG_BLOCK_BYTES, LOG_SCAN_BYTES};
use crate::folder::Folder;
use crate::io::{DiskFile, FileName};
use crate::log::chain::Batch;
use crate::log::format::{BATCH_HEADER_BYTES, BLOCK, BatchHeader, FileHeader, Frame, Frames, Mark};

/// A file of the log that recovery reads.
pub(super) struct LogFile {
    pub(super) name: FileName,
    pub(super) file: Arc<dyn DiskFile>,
    pub(super) bytes: u64,
    /// None if it is damaged or was never finished.
    pub(super) header: Option<FileHeader>,
}

/// A whole batch, as a file has it; whether it counts is another question.
pub struct WholeBatch<'a> {
    /// Where it is.
    pub offset: u64,
    /// Where it ends.
    pub end: u64,
    /// Its number.
    pub sequence: u64,
    payload: &'a [u8],
}

impl<'a> WholeBatch<'a> {
    /// Its frames.
    pub fn frames(&self) -> impl Iterator<Item = Frame<'a>> {
        Frames { rest: self.payload }
    }
}

/// Shows the batches of one file, from its start to the first place that holds none.
pub fn each_batch(
    folder: &Folder,
    name: FileName,
    see: &mut dyn FnMut(&WholeBatch<'_>),
) -> Result<()> {
    let file = LogFile::open(folder, name)?;
    let mut offset = BLOCK;
    while let Some(batch) = file.read_batch(offset)? {
        let (end, sequence) = (offset + batch.header.batch_bytes(), batch.header.sequence);
        see(&WholeBatch { offset, end, sequence, payload: &batch.payload });
        offset = end;
    }
    Ok(())
}

/// Verifies the header of a file and every batch up to the last that counts in it; 0 if none does.
pub(crate) fn verify_file(
    folder: &Folder,
    name: FileName,
    file: &Arc<dyn DiskFile>,
    batch_last: u64,
) -> Result<()> {
    let path = folder.path_of(name);
    let log = LogFile::of(&path, name, Arc::clone(file))?;
    if log.header.is_none() {
        return Err(Error::corrupt(&path, 0, "the header of the log file is wrong"));
    }
    let (mut offset, mut reached) = (BLOCK, 0);
    while reached < batch_last {
        let Some(batch) = log.read_batch(offset)? else {
            return Err(Error::corrupt(&path, offset, "a batch of the log is wrong"));
        };
        offset += batch.header.batch_bytes();
        reached = batch.header.sequence;
    }
    Ok(())
}

impl LogFile {
    pub(super) fn open(folder: &Folder, name: FileName) -> Result<Self> {
        let path = folder.path_of(name);
        let file = folder.disk().open(&path)?;
        Self::of(&path, name, file)
    }

    fn of(path: &Path, name: FileName, file: Arc<dyn DiskFile>) -> Result<Self> {
        let bytes = file.size()?;
        let mut header = None;
        if BLOCK <= bytes {
            let mut block = vec![0; LOG_BLOCK_BYTES];
            file.read_at(0, &mut block)?;
            header = FileHeader::decode(path, name.number, &block)?;
        }
        Ok(Self { name, file, bytes, header })
    }

    /// The same for a repair: a damaged header is put right, or made anew from the file's batches.
    /// The text describes the repair, if any.
    pub(super) fn open_mended(folder: &Folder, name: FileName) -> Result<(Self, Option<String>)> {
        let mut file = Self::open(folder, name)?;
        if file.header.is_some() || file.bytes < BLOCK {
            return Ok((file, None));
        }
        // One that holds no batch was perhaps never finished, and nothing is lost with it.
        let Some((offset, first)) = file.find_header(BLOCK, |_| true)? else {
            return Ok((file, None));
        };
        let mut block = vec![0; LOG_BLOCK_BYTES];
        file.file.read_at(0, &mut block)?;
        let first = (offset == BLOCK).then_some(&first);
        file.header = FileHeader::mended(name.number, &block, first);
        let path = folder.path_of(name);
        let detail = "the header of the log file was wrong; it is made anew, and its batches count";
        let mended = file.header.map(|_| format!("{}: {detail}", path.display()));
        Ok((file, mended))
    }

    /// The whole batch at `offset`, if there is one.
    pub(super) fn read_batch(&self, offset: u64) -> Result<Option<Batch>> {
        if self.bytes < offset + BLOCK {
            return Ok(None);
        }
        let mut block = [0; LOG_BLOCK_BYTES];
        self.file.read_at(offset, &mut block)?;
        let Some((header, checksum)) = BatchHeader::decode(&block) else { return Ok(None) };
        let payload_bytes = header.payload_bytes as usize;
        let fits = BATCH_HEADER_BYTES + payload_bytes <= LOG_BATCH_BYTES_MAX
            && offset + header.batch_bytes() <= self.bytes;
        if Some(header.file) != self.header.map(|own| own.id) || !fits {
            return Ok(None);
        }
        let here = payload_bytes.min(LOG_BLOCK_BYTES - BATCH_HEADER_BYTES);
        let mut payload = vec![0; payload_bytes];
        payload[..here].copy_from_slice(&block[BATCH_HEADER_BYTES..BATCH_HEADER_BYTES + here]);
        self.file.read_at(offset + BLOCK, &mut payload[here..])?;
        let position = header.check_payload(&payload);
        Ok(position.map(|position| {
            let mark = Mark { batch: header.sequence, checksum, position };
            Batch { header, mark, offset, payload }
        }))
    }

    /// The first header at or after `offset` that `wanted` picks, with its place. The batch need
    /// not be whole: its header was true when it was written.
    pub(super) fn find_header(
        &self,
        offset: u64,
        wanted: impl Fn(&BatchHeader) -> bool,
    ) -> Result<Option<(u64, BatchHeader)>> {
        let mut bytes = vec![0; LOG_SCAN_BYTES.min(self.bytes as usize)];
        let mut start = offset;
        while start + BLOCK <= self.bytes {
            let length = (self.bytes - start).min(LOG_SCAN_BYTES as u64) / BLOCK * BLOCK;
            let part = &mut bytes[..length as usize];
            self.file.read_at(start, part)?;
            for (i, block) in part.chunks_exact(LOG_BLOCK_BYTES).enumerate() {
                let Some((header, _)) = BatchHeader::decode(block) else { continue };
                if self.is_ours(&header) && wanted(&header) {
                    return Ok(Some((start + i as u64 * BLOCK, header)));
                }
            }
            start += length;
        }
        Ok(None)
    }

    /// Whether the place at `offset` was never written.
    pub(super) fn is_blank(&self, offset: u64) -> Result<bool> {
        if self.bytes < offset + BLOCK {
            return Ok(true);
        }
        let mut block = [0; LOG_BLOCK_BYTES];
        self.file.read_at(offset, &mut block)?;
        Ok(block.iter().all(|byte| *byte == 0))
    }

    /// Without its own header the file's salt is unknown, and the number must do.
    fn is_ours(&self, header: &BatchHeader) -> bool {
        match self.header {
            Some(own) => header.file == own.id,
            None => header.file.number == self.name.number,
        }
    }
}
