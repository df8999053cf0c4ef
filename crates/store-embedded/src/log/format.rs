//! The bytes of the log. All numbers are little-endian.
//!
//! ```text
//!   file header, at 0, padded to 4096        batch header, 80 bytes, at a multiple of 4096
//!    0  8  magic "MILLRLOG"                   0  8  magic "MILLRBAT"
//!    8  4  version                            8  8  file number
//!   12  4  compatibility flags               16  8  salt of the file
//!   16  8  file number, that of the name     24  8  sequence number of the batch, from 1
//!   24  8  salt, random                      32  8  durable_batch: the newest batch that was
//!   32  8  first_batch: batches from this           known to be on disk when this was written
//!          on in older files do not count;   40  8  durable_before: the last position in it
//!          0 in a file prepared ahead
//!   40  4  checksum of bytes 0 to 39
//!   frame, 24 bytes and its payload          48  8  first position (of an empty batch: the next)
//!    0  8  position                          56  4  frame count
//!    8  4  graph                             60  4  payload length (the frames, unpadded)
//!   12  2  kind                              64  4  checksum of the payload
//!   14  2  zero                              68  4  checksum of the header of the batch before
//!   16  4  payload length                    72  4  zero
//!   20  4  checksum of the payload           76  4  checksum of bytes 0 to 75
//!   24     payload                           80     frames, then zeros up to a multiple of 4096
//! ```
//!
//! The salt keeps a batch of another file, or one that a client put in a property, from being taken
//! for a batch of this file. `durable_batch` says more than `durable_before`: positions can't vouch
//! for an empty batch, and losing one of those would hide the batches after it.
//!
//! Bytes 0 to 43 of a file header stay as they are in every version, so that a newer file is known
//! as one, not taken for a damaged one.
//!
//! Positions rise across batches and never fall within one, but one position may have several
//! frames. They are always in one batch, so a commit is never half there.

use std::path::Path;

use crate::base::bytes::{checksum, put, u16_at, u32_at, u64_at};
use crate::base::error::Result;
use crate::base::format::Format;
use crate::base::limits::LOG_BLOCK_BYTES;
use crate::base::mend::mend_with_sum;

/// The format this program writes and the newest it reads. Version 5 has origins of commits and the
/// record of an owner; a file of version 4 is one without them, and is read as it is.
pub const LOG_FORMAT: Format = Format { version: 5, flags: 0 };

pub(super) const BLOCK: u64 = LOG_BLOCK_BYTES as u64;
pub(crate) const BATCH_HEADER_BYTES: usize = 80;
pub(super) const FRAME_HEADER_BYTES: usize = 24;

/// The most bytes of a batch beside its frames: its header, and the padding of its last block.
pub(crate) const BATCH_COST_MAX: u64 = BATCH_HEADER_BYTES as u64 + BLOCK;

const FILE_MAGIC: &[u8; 8] = b"MILLRLOG";
const BATCH_MAGIC: &[u8; 8] = b"MILLRBAT";

/// A frame to be written: the encoded changes of one commit to one part of a graph.
#[derive(Debug, Clone, Copy)]
pub struct FrameRef<'a> {
    /// The commit number.
    pub position: u64,
    /// The graph it is about.
    pub graph: u32,
    /// The kind of the payload; the log does not look.
    pub kind: u16,
    /// The checksum of the payload, made where it was encoded, outside every lock.
    pub checksum: u32,
    /// The encoded change.
    pub payload: &'a [u8],
}

impl<'a> FrameRef<'a> {
    /// A frame, its checksum made here.
    pub fn new(position: u64, graph: u32, kind: u16, payload: &'a [u8]) -> Self {
        Self { position, graph, kind, checksum: checksum(payload), payload }
    }

    /// Its bytes in a batch.
    pub(crate) fn encoded_bytes(&self) -> usize {
        FRAME_HEADER_BYTES + self.payload.len()
    }

    #[inline]
    pub(super) fn encode(&self, into: &mut Vec<u8>) {
        into.extend_from_slice(&self.header());
        into.extend_from_slice(self.payload);
    }

    #[inline]
    pub(super) fn header(&self) -> [u8; FRAME_HEADER_BYTES] {
        let mut header = [0; FRAME_HEADER_BYTES];
        put(&mut header, 0, &self.position.to_le_bytes());
        put(&mut header, 8, &self.graph.to_le_bytes());
        put(&mut header, 12, &self.kind.to_le_bytes());
        put(&mut header, 16, &(self.payload.len() as u32).to_le_bytes());
        put(&mut header, 20, &self.checksum.to_le_bytes());
        header
    }
}

/// A frame that was read back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Frame<'a> {
    /// The commit number.
    pub position: u64,
    /// The graph it is about.
    pub graph: u32,
    /// The kind of the payload.
    pub kind: u16,
    /// The encoded change, as it was written.
    pub payload: &'a [u8],
}

/// The frames of a batch's payload; ends early, leaving [`Frames::rest`], at bytes that are none.
#[derive(Debug, Clone)]
pub(super) struct Frames<'a> {
    pub(super) rest: &'a [u8],
}

impl<'a> Iterator for Frames<'a> {
    type Item = Frame<'a>;

    fn next(&mut self) -> Option<Frame<'a>> {
        let (header, rest) = self.rest.split_at_checked(FRAME_HEADER_BYTES)?;
        let (payload, rest) = rest.split_at_checked(u32_at(header, 16) as usize)?;
        if u32_at(header, 20) != checksum(payload) {
            return None;
        }
        self.rest = rest;
        let (position, graph, kind) = (u64_at(header, 0), u32_at(header, 8), u16_at(header, 12));
        Some(Frame { position, graph, kind, payload })
    }
}

/// Which file a batch belongs to: number and salt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FileId {
    pub(super) number: u64,
    pub(super) salt: u64,
}

/// The header of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FileHeader {
    pub(super) id: FileId,
    /// Batches from this on in older files do not count; 0 if the file says nothing.
    pub(super) first_batch: u64,
}

impl FileHeader {
    pub(super) fn encode(&self) -> Vec<u8> {
        let mut bytes = vec![0; LOG_BLOCK_BYTES];
        put(&mut bytes, 0, FILE_MAGIC);
        put(&mut bytes, 8, &LOG_FORMAT.version.to_le_bytes());
        put(&mut bytes, 12, &LOG_FORMAT.flags.to_le_bytes());
        put(&mut bytes, 16, &self.id.number.to_le_bytes());
        put(&mut bytes, 24, &self.id.salt.to_le_bytes());
        put(&mut bytes, 32, &self.first_batch.to_le_bytes());
        let sum = checksum(&bytes[..40]);
        put(&mut bytes, 40, &sum.to_le_bytes());
        bytes
    }

    /// Reads a file header; none if it is damaged or another file's. A newer format is an error.
    pub(super) fn decode(path: &Path, number: u64, bytes: &[u8]) -> Result<Option<Self>> {
        if bytes[..8] != *FILE_MAGIC || u32_at(bytes, 40) != checksum(&bytes[..40]) {
            return Ok(None);
        }
        let found = Format { version: u32_at(bytes, 8), flags: u32_at(bytes, 12) };
        LOG_FORMAT.check(path, found)?;
        let id = FileId { number: u64_at(bytes, 16), salt: u64_at(bytes, 24) };
        let header = Self { id, first_batch: u64_at(bytes, 32) };
        Ok((id.number == number).then_some(header))
    }
}

impl FileHeader {
    /// The header of a damaged block, for a repair: a flipped bit is put right, or the header is
    /// made anew from that of the file's first batch, before which older files hold all that
    /// counts.
    pub(super) fn mended(number: u64, bytes: &[u8], first: Option<&BatchHeader>) -> Option<Self> {
        let mut header = bytes[..40].to_vec();
        let is_mended = mend_with_sum(&mut header, u32_at(bytes, 40)).is_some();
        let id = FileId { number: u64_at(&header, 16), salt: u64_at(&header, 24) };
        if is_mended && header[..8] == *FILE_MAGIC && id.number == number {
            return Some(Self { id, first_batch: u64_at(&header, 32) });
        }
        first.map(|first| Self { id: first.file, first_batch: first.sequence })
    }
}

/// How far the log has come: a batch, the checksum of its header, the last position up to it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Mark {
    pub(super) batch: u64,
    pub(super) checksum: u32,
    pub(super) position: u64,
}

/// The header of a batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct BatchHeader {
    pub(super) file: FileId,
    pub(super) sequence: u64,
    pub(super) durable_batch: u64,
    pub(super) durable_before: u64,
    pub(super) first_position: u64,
    pub(super) frame_count: u32,
    pub(super) payload_bytes: u32,
    pub(super) payload_checksum: u32,
    pub(super) previous_checksum: u32,
}

impl BatchHeader {
    /// The header of an empty batch after `end`, which is durable.
    pub(super) fn empty(file: FileId, end: Mark) -> Self {
        Self {
            file,
            sequence: end.batch + 1,
            durable_batch: end.batch,
            durable_before: end.position,
            first_position: end.position + 1,
            frame_count: 0,
            payload_bytes: 0,
            payload_checksum: checksum(&[]),
            previous_checksum: end.checksum,
        }
    }

    /// Pads a batch that [`begin_batch`] began and to which the frames were added, and writes its
    /// header. Returns the header's checksum, which the next batch holds.
    pub(super) fn finish_batch(&self, buffer: &mut Vec<u8>) -> u32 {
        buffer.resize(padded(buffer.len()), 0);
        self.encode(buffer)
    }

    fn encode(&self, into: &mut [u8]) -> u32 {
        put(into, 0, BATCH_MAGIC);
        put(into, 8, &self.file.number.to_le_bytes());
        put(into, 16, &self.file.salt.to_le_bytes());
        put(into, 24, &self.sequence.to_le_bytes());
        put(into, 32, &self.durable_batch.to_le_bytes());
        put(into, 40, &self.durable_before.to_le_bytes());
        put(into, 48, &self.first_position.to_le_bytes());
        put(into, 56, &self.frame_count.to_le_bytes());
        put(into, 60, &self.payload_bytes.to_le_bytes());
        put(into, 64, &self.payload_checksum.to_le_bytes());
        put(into, 68, &self.previous_checksum.to_le_bytes());
        put(into, 72, &[0; 4]);
        let sum = checksum(&into[..76]);
        put(into, 76, &sum.to_le_bytes());
        sum
    }

    /// Reads a header and its checksum; none if these bytes are none.
    pub(super) fn decode(bytes: &[u8]) -> Option<(Self, u32)> {
        let sum = u32_at(bytes, 76);
        if bytes[..8] != *BATCH_MAGIC || sum != checksum(&bytes[..76]) {
            return None;
        }
        let header = Self {
            file: FileId { number: u64_at(bytes, 8), salt: u64_at(bytes, 16) },
            sequence: u64_at(bytes, 24),
            durable_batch: u64_at(bytes, 32),
            durable_before: u64_at(bytes, 40),
            first_position: u64_at(bytes, 48),
            frame_count: u32_at(bytes, 56),
            payload_bytes: u32_at(bytes, 60),
            payload_checksum: u32_at(bytes, 64),
            previous_checksum: u32_at(bytes, 68),
        };
        header.is_possible().then_some((header, sum))
    }

    /// Batches and positions are counted from 1 and never run out: with this, the one before and
    /// the one after are numbers.
    fn is_possible(&self) -> bool {
        let counted = [self.sequence, self.first_position];
        let ends = [self.durable_batch, self.durable_before];
        counted.iter().all(|number| *number != 0)
            && counted.iter().chain(&ends).all(|number| *number != u64::MAX)
    }

    /// The bytes of the whole batch on disk, padded.
    pub(super) fn batch_bytes(&self) -> u64 {
        padded(BATCH_HEADER_BYTES + self.payload_bytes as usize) as u64
    }

    /// The last position in the batch or, if it is empty, before it; none if the payload is not
    /// the one this header was made for.
    pub(super) fn check_payload(&self, payload: &[u8]) -> Option<u64> {
        if checksum(payload) != self.payload_checksum {
            return None;
        }
        let mut frames = Frames { rest: payload };
        let mut last = self.first_position;
        let mut count = 0;
        for frame in &mut frames {
            if frame.position < last || (count == 0 && frame.position != last) {
                return None;
            }
            (last, count) = (frame.position, count + 1);
        }
        let whole = frames.rest.is_empty() && count == self.frame_count && last != u64::MAX;
        whole.then(|| if count == 0 { last - 1 } else { last })
    }
}

/// Leaves room for the header of a batch.
pub(super) fn begin_batch(buffer: &mut Vec<u8>) {
    buffer.clear();
    buffer.resize(BATCH_HEADER_BYTES, 0);
}

pub(super) fn padded(bytes: usize) -> usize {
    bytes.next_multiple_of(LOG_BLOCK_BYTES)
}
