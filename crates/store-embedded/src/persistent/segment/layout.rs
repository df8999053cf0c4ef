//! Header, directory and trailer as bytes; the drawing is in the module above.

use std::path::Path;

use millrace_model::{EdgeTypeId, GraphId, IndexId, KeyId, LogPosition};

use crate::base::bytes::{checksum, put, u16_at, u32_at, u64_at};
use crate::base::error::{Error, Result};
use crate::base::format::Format;
use crate::persistent::image::Half;

pub(super) const HEADER_BYTES: usize = 64;
pub(super) const ENTRY_BYTES: usize = 40;
pub(super) const TRAILER_BYTES: usize = 32;

const MAGIC: &[u8; 8] = b"MILLSEG\0";
const FORMAT: Format = Format { version: 7, flags: 0 };

/// The subject of a file: a partition or a shard of an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// A partition of a graph.
    Partition {
        /// The graph.
        graph: GraphId,
        /// The partition's ordinal.
        ordinal: u32,
    },
    /// A shard of an index.
    Index {
        /// The graph.
        graph: GraphId,
        /// The index.
        index: IndexId,
        /// The shard's number.
        shard: u32,
    },
    /// A graph of neighbours over the vectors of an index.
    Neighbours {
        /// The graph.
        graph: GraphId,
        /// The index.
        index: IndexId,
    },
}

/// Which section of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SectionKey {
    /// Counts and the table of runs.
    Summary,
    /// Existence and labels.
    Records,
    /// Values of vertices.
    VertexColumn(KeyId),
    /// Lists.
    List(EdgeTypeId, Half),
    /// Slots and ends of edges.
    Edges(EdgeTypeId),
    /// Values of edges.
    EdgeColumn(EdgeTypeId, KeyId),
    /// Entries of an index.
    IndexBase,
    /// Where a shard of an ordered index begins.
    RangeBounds,
    /// Entries of an ordered index.
    RangeBase,
    /// A graph of neighbours.
    Neighbours,
    /// The changes since the base.
    Delta,
}

/// A section's place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) key: SectionKey,
    pub(super) checksum: u32,
    pub(super) offset: u64,
    pub(super) length: u64,
    /// The number of the older file it is in; 0: this one.
    pub(super) file: u64,
}

/// The end of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Trailer {
    pub(super) directory_offset: u64,
    pub(super) file_length: u64,
    pub(super) entries: u32,
    pub(super) directory_checksum: u32,
    pub(super) header_checksum: u32,
}

/// The positions up to which a file holds its subject.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FilePositions {
    /// The last commit in it.
    pub checkpoint: LogPosition,
    /// The last commit in its base: less than `checkpoint` if there is a delta above.
    pub base: LogPosition,
}

impl FilePositions {
    /// Of a file without a delta.
    pub fn whole(checkpoint: LogPosition) -> FilePositions {
        FilePositions { checkpoint, base: checkpoint }
    }
}

pub(super) fn encode_header(subject: Subject, positions: FilePositions) -> [u8; HEADER_BYTES] {
    let mut bytes = [0; HEADER_BYTES];
    let (kind, graph, number, index) = match subject {
        Subject::Partition { graph, ordinal } => (1u32, graph, ordinal, 0),
        Subject::Index { graph, index, shard } => (2, graph, shard, index.0),
        Subject::Neighbours { graph, index } => (3, graph, 0, index.0),
    };
    put(&mut bytes, 0, MAGIC);
    put(&mut bytes, 8, &FORMAT.version.to_le_bytes());
    put(&mut bytes, 12, &FORMAT.flags.to_le_bytes());
    put(&mut bytes, 16, &kind.to_le_bytes());
    put(&mut bytes, 20, &graph.0.to_le_bytes());
    put(&mut bytes, 24, &number.to_le_bytes());
    put(&mut bytes, 28, &index.to_le_bytes());
    put(&mut bytes, 32, &positions.checkpoint.0.to_le_bytes());
    put(&mut bytes, 40, &positions.base.0.to_le_bytes());
    let sum = checksum(&bytes[..60]);
    put(&mut bytes, 60, &sum.to_le_bytes());
    bytes
}

/// A newer file is refused by its version before anything else in it is believed.
pub(super) fn decode_header(path: &Path, bytes: &[u8]) -> Result<(Subject, FilePositions)> {
    if &bytes[..8] != MAGIC {
        return Err(Error::corrupt(path, 0, "it is not a segment file"));
    }
    if u32_at(bytes, 60) != checksum(&bytes[..60]) {
        return Err(Error::corrupt(path, 0, "the checksum of the header is wrong"));
    }
    FORMAT.check(path, Format { version: u32_at(bytes, 8), flags: u32_at(bytes, 12) })?;
    let graph = GraphId(u32_at(bytes, 20));
    let number = u32_at(bytes, 24);
    let subject = match u32_at(bytes, 16) {
        1 => Subject::Partition { graph, ordinal: number },
        2 => Subject::Index { graph, index: IndexId(u32_at(bytes, 28)), shard: number },
        3 => Subject::Neighbours { graph, index: IndexId(u32_at(bytes, 28)) },
        _ => return Err(Error::corrupt(path, 16, "its content is of an unknown kind")),
    };
    let positions = FilePositions {
        checkpoint: LogPosition(u64_at(bytes, 32)),
        base: LogPosition(u64_at(bytes, 40)),
    };
    Ok((subject, positions))
}

impl Entry {
    pub(super) fn encode(&self) -> [u8; ENTRY_BYTES] {
        let (kind, half, edge_type, key) = match self.key {
            SectionKey::Summary => (1u16, Half::Out, 0, 0),
            SectionKey::Records => (2, Half::Out, 0, 0),
            SectionKey::VertexColumn(key) => (3, Half::Out, 0, key.0),
            SectionKey::List(edge_type, half) => (4, half, edge_type.0, 0),
            SectionKey::Edges(edge_type) => (5, Half::Out, edge_type.0, 0),
            SectionKey::EdgeColumn(edge_type, key) => (6, Half::Out, edge_type.0, key.0),
            SectionKey::IndexBase => (7, Half::Out, 0, 0),
            SectionKey::RangeBounds => (8, Half::Out, 0, 0),
            SectionKey::RangeBase => (9, Half::Out, 0, 0),
            SectionKey::Neighbours => (10, Half::Out, 0, 0),
            SectionKey::Delta => (16, Half::Out, 0, 0),
        };
        let mut bytes = [0; ENTRY_BYTES];
        put(&mut bytes, 0, &kind.to_le_bytes());
        put(&mut bytes, 2, &u16::from(half == Half::In).to_le_bytes());
        put(&mut bytes, 4, &edge_type.to_le_bytes());
        put(&mut bytes, 8, &key.to_le_bytes());
        put(&mut bytes, 12, &self.checksum.to_le_bytes());
        put(&mut bytes, 16, &self.offset.to_le_bytes());
        put(&mut bytes, 24, &self.length.to_le_bytes());
        put(&mut bytes, 32, &self.file.to_le_bytes());
        bytes
    }

    /// `None` if it is of a kind this program does not know.
    pub(super) fn decode(bytes: &[u8]) -> Option<Entry> {
        let edge_type = EdgeTypeId(u32_at(bytes, 4));
        let key = KeyId(u32_at(bytes, 8));
        let half = if u16_at(bytes, 2) == 0 { Half::Out } else { Half::In };
        let key = match u16_at(bytes, 0) {
            1 => SectionKey::Summary,
            2 => SectionKey::Records,
            3 => SectionKey::VertexColumn(key),
            4 => SectionKey::List(edge_type, half),
            5 => SectionKey::Edges(edge_type),
            6 => SectionKey::EdgeColumn(edge_type, key),
            7 => SectionKey::IndexBase,
            8 => SectionKey::RangeBounds,
            9 => SectionKey::RangeBase,
            10 => SectionKey::Neighbours,
            16 => SectionKey::Delta,
            _ => return None,
        };
        let checksum = u32_at(bytes, 12);
        let (offset, length, file) = (u64_at(bytes, 16), u64_at(bytes, 24), u64_at(bytes, 32));
        Some(Entry { key, checksum, offset, length, file })
    }
}

impl Trailer {
    pub(super) fn encode(&self) -> [u8; TRAILER_BYTES] {
        let mut bytes = [0; TRAILER_BYTES];
        put(&mut bytes, 0, &self.directory_offset.to_le_bytes());
        put(&mut bytes, 8, &self.file_length.to_le_bytes());
        put(&mut bytes, 16, &self.entries.to_le_bytes());
        put(&mut bytes, 20, &self.directory_checksum.to_le_bytes());
        put(&mut bytes, 24, &self.header_checksum.to_le_bytes());
        let sum = checksum(&bytes[..28]);
        put(&mut bytes, 28, &sum.to_le_bytes());
        bytes
    }

    /// `None` if its checksum is wrong.
    pub(super) fn decode(bytes: &[u8]) -> Option<Trailer> {
        (u32_at(bytes, 28) == checksum(&bytes[..28])).then(|| Trailer {
            directory_offset: u64_at(bytes, 0),
            file_length: u64_at(bytes, 8),
            entries: u32_at(bytes, 16),
            directory_checksum: u32_at(bytes, 20),
            header_checksum: u32_at(bytes, 24),
        })
    }
}
