//! The records of the log: the kinds of frames, their effects when they are applied, and their
//! bytes.
//!
//! ```text
//!   kind  payload
//!    1    changes: see physical.rs
//!    2    out-of-line commit: parts u32 × file u64, transaction layers u32 × (ordinal u32, file u64), then the
//!         changes that every commit has (its index entries)
//!    3    names: count u32 × (kind u8, number u32, text)
//!    4    lease: the first vertex id that is not leased, u64
//!    5    graph made: its name
//!    6    graph dropped: nothing
//!    7    segment installed: shard, checkpoint u64, file u64
//!         shard = 0, ordinal u32 │ 1, index u32, shard u32
//!    8  shard of an ordered index split: count u32 × (shard, checkpoint u64, file u64), its own first
//!    9  owner began: its id u128, its address; of no graph
//! ```
//!
//! Kinds and numbers never change their meaning; an unknown kind was written by a newer program.

use std::sync::Arc;

use millrace_model::GraphId;
use millrace_store::NameKind;

use crate::base::bytes::checksum;
use crate::base::codec::{Malformed, Reader, put_text, put_u32, put_u64};
use crate::base::commit_limits::{BYTES_APPLIED_MAX, PAYLOAD_BYTES};
use crate::base::error::Result;
use crate::commit::physical::{EDGES_ONLY, Physical};
use crate::graph::{Graph, NewName};
use crate::io::{FileKind, FileName};
use crate::log::{Frame, FrameRef};
use crate::persistent::Installed;
use crate::persistent::image::Image;

type Decoded<T> = std::result::Result<T, Malformed>;

const CHANGES: u16 = 1;
const OUT_OF_LINE: u16 = 2;
const NAMES: u16 = 3;
const LEASE: u16 = 4;
const GRAPH_CREATED: u16 = 5;
const GRAPH_DROPPED: u16 = 6;
const INSTALLED: u16 = 7;
const SPLIT: u16 = 8;
const OWNER_BEGAN: u16 = 9;

/// A record on its way to the log and to the applier.
pub(crate) struct Record {
    graph: GraphId,
    /// Its effect; `None` if the applier reads its payload.
    pub(crate) effect: Option<Box<(Arc<Graph>, Effect)>>,
    pub(crate) kind: u16,
    pub(crate) payload: Vec<u8>,
    pub(crate) checksum: u32,
}

/// The effect of a record.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "nearly all are commits, and a box each costs more")]
pub(crate) enum Effect {
    /// A commit.
    Changes(Physical),
    /// A commit with its bulk beside the log.
    OutOfLine(Box<OutOfLineFiles>),
    /// Names that were interned.
    Names(Vec<NewName>),
    /// Vertex ids below this are leased.
    Lease(u64),
    /// The graph was made.
    GraphCreated(String),
    /// The graph was dropped.
    GraphDropped,
    /// A shard has a new segment.
    Installed(Installed),
    /// A shard of an ordered index is several from here on, the first under its number.
    Split(Vec<Installed>),
    /// From here on another process orders the commits; those that began before are sent back.
    OwnerBegan(LogOwner),
}

/// A process that orders the commits of a folder, where several follow one another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogOwner {
    /// Its id.
    pub server: u128,
    /// Where others reach it.
    pub address: String,
}

impl Effect {
    /// Whether a record of this kind is an out-of-line commit's.
    pub(crate) fn is_out_of_line(kind: u16) -> bool {
        kind == OUT_OF_LINE
    }

    /// Whether it is applied in constant time.
    pub(crate) fn is_constant_cost(&self) -> bool {
        match self {
            Effect::Lease(_) | Effect::Names(_) => true,
            Effect::Changes(_)
            | Effect::OutOfLine(_)
            | Effect::GraphCreated(_)
            | Effect::GraphDropped
            | Effect::Installed(_)
            | Effect::Split(_)
            | Effect::OwnerBegan(_) => false,
        }
    }
}

/// The files of an out-of-line commit, its transaction layers open. Spill files are read when they
/// are applied, one after the other: together they may be larger than memory.
#[derive(Debug, Default)]
pub(crate) struct OutOfLineFiles {
    /// Spill files with changes, applied in this order.
    pub(crate) parts: Vec<FileName>,
    /// Transaction layers of partitions: segment files.
    pub(crate) layers: Vec<(u32, FileName)>,
    /// The changes that every commit has: its index entries.
    pub(crate) small: Physical,
    /// The transaction layers, open; as many as `layers`.
    pub(crate) images: Vec<Arc<Image>>,
}

impl Record {
    /// A record with its payload encoded and summed, outside of every lock.
    pub(crate) fn new(graph: &Arc<Graph>, effect: Effect) -> Result<Record> {
        let mut payload = Vec::with_capacity(PAYLOAD_BYTES);
        let kind = effect.encode(&mut payload)?;
        let checksum = checksum(&payload);
        let effect = Some(Box::new((Arc::clone(graph), effect)));
        Ok(Record { graph: graph.id, effect, kind, payload, checksum })
    }

    /// The record of a commit that changes no catalog, out of its encoded changes. If they are few,
    /// the applier gets the bytes only; else `physical` gives them decoded.
    pub(crate) fn of_commit(
        graph: &Arc<Graph>,
        payload: Vec<u8>,
        physical: impl FnOnce() -> Physical,
    ) -> Record {
        let effect = (BYTES_APPLIED_MAX < payload.len())
            .then(|| Box::new((Arc::clone(graph), Effect::Changes(physical()))));
        let checksum = checksum(&payload);
        Record { graph: graph.id, effect, kind: CHANGES, payload, checksum }
    }

    /// Bytes of its frame in a batch of the log.
    #[inline]
    pub(crate) fn frame_bytes(&self) -> u64 {
        self.frame(0, &self.payload).encoded_bytes() as u64
    }

    /// Its frame at a position.
    #[inline]
    pub(crate) fn frame<'p>(&self, position: u64, payload: &'p [u8]) -> FrameRef<'p> {
        let (graph, kind, checksum) = (self.graph.0, self.kind, self.checksum);
        FrameRef { position, graph, kind, checksum, payload }
    }
}

/// The frame of a small commit of nothing but new edges, as the applier takes it.
pub(crate) fn new_edges<'a>(frame: &Frame<'a>) -> Option<FrameRef<'a>> {
    let Frame { position, graph, kind, payload } = *frame;
    let is_small = kind == CHANGES && payload.len() <= BYTES_APPLIED_MAX;
    let is_edges = is_small && payload.starts_with(&[EDGES_ONLY, 0]);
    is_edges.then_some(FrameRef { position, graph, kind, checksum: 0, payload })
}

impl Effect {
    fn encode(&self, bytes: &mut Vec<u8>) -> Result<u16> {
        Ok(match self {
            Effect::Changes(physical) => {
                physical.encode(bytes)?;
                CHANGES
            }
            Effect::OutOfLine(files) => {
                files.encode(bytes)?;
                OUT_OF_LINE
            }
            Effect::Names(names) => {
                encode_names(bytes, names);
                NAMES
            }
            Effect::Lease(end) => {
                put_u64(bytes, *end);
                LEASE
            }
            Effect::GraphCreated(name) => {
                put_text(bytes, name);
                GRAPH_CREATED
            }
            Effect::GraphDropped => GRAPH_DROPPED,
            Effect::Installed(installed) => {
                installed.encode(bytes);
                INSTALLED
            }
            Effect::Split(parts) => {
                put_u32(bytes, parts.len() as u32);
                parts.iter().for_each(|installed| installed.encode(bytes));
                SPLIT
            }
            Effect::OwnerBegan(owner) => {
                bytes.extend_from_slice(&owner.server.to_le_bytes());
                put_text(bytes, &owner.address);
                OWNER_BEGAN
            }
        })
    }

    /// Takes all of a payload. Files of an out-of-line commit are not read yet.
    pub(crate) fn decode(kind: u16, payload: &[u8]) -> Decoded<Effect> {
        let mut reader = Reader::new(payload);
        let effect = match kind {
            CHANGES => return Physical::decode(payload).map(Effect::Changes),
            OUT_OF_LINE => {
                return OutOfLineFiles::decode(payload)
                    .map(|files| Effect::OutOfLine(files.into()));
            }
            NAMES => Effect::Names(decode_names(&mut reader)?),
            LEASE => Effect::Lease(reader.u64()?),
            GRAPH_CREATED => Effect::GraphCreated(reader.text()?.to_string()),
            GRAPH_DROPPED => Effect::GraphDropped,
            INSTALLED => Effect::Installed(Installed::decode(&mut reader)?),
            SPLIT => {
                let count = reader.u32()?;
                let parts = (0..count).map(|_| Installed::decode(&mut reader));
                Effect::Split(parts.collect::<Decoded<_>>()?)
            }
            OWNER_BEGAN => {
                let (low, high) = (reader.u64()?, reader.u64()?);
                let server = u128::from(high) << 64 | u128::from(low);
                Effect::OwnerBegan(LogOwner { server, address: reader.text()?.to_string() })
            }
            _ => return Err(reader.malformed("a record of a kind this program does not know")),
        };
        reader.finish()?;
        Ok(effect)
    }
}

impl OutOfLineFiles {
    fn encode(&self, bytes: &mut Vec<u8>) -> Result<()> {
        put_u32(bytes, self.parts.len() as u32);
        self.parts.iter().for_each(|file| put_u64(bytes, file.number));
        put_u32(bytes, self.layers.len() as u32);
        for (ordinal, file) in &self.layers {
            put_u32(bytes, *ordinal);
            put_u64(bytes, file.number);
        }
        self.small.encode(bytes)
    }

    fn decode(payload: &[u8]) -> Decoded<OutOfLineFiles> {
        let mut reader = Reader::new(payload);
        let spill = |number| FileName { kind: FileKind::Spill, number };
        let segment = |number| FileName { kind: FileKind::Segment, number };
        let parts = (0..reader.u32()?).map(|_| reader.u64().map(spill)).collect::<Decoded<_>>()?;
        let layers = (0..reader.u32()?)
            .map(|_| Ok((reader.u32()?, segment(reader.u64()?))))
            .collect::<Decoded<_>>()?;
        let rest = reader.take(reader.remaining())?;
        let small = Physical::decode(rest)?;
        Ok(OutOfLineFiles { parts, layers, small, ..OutOfLineFiles::default() })
    }

    /// Every file it names.
    pub(crate) fn files(&self) -> impl Iterator<Item = FileName> + '_ {
        self.parts.iter().copied().chain(self.layers.iter().map(|(_, file)| *file))
    }
}

fn encode_names(bytes: &mut Vec<u8>, names: &[NewName]) {
    put_u32(bytes, names.len() as u32);
    for name in names {
        bytes.push(match name.kind {
            NameKind::Label => 0,
            NameKind::EdgeType => 1,
            NameKind::Key => 2,
        });
        put_u32(bytes, name.number);
        put_text(bytes, &name.name);
    }
}

fn decode_names(reader: &mut Reader<'_>) -> Decoded<Vec<NewName>> {
    let mut names = Vec::new();
    for _ in 0..reader.u32()? {
        let kind = match reader.u8()? {
            0 => NameKind::Label,
            1 => NameKind::EdgeType,
            2 => NameKind::Key,
            _ => return Err(reader.malformed("an unknown kind of name")),
        };
        let (number, name) = (reader.u32()?, Arc::from(reader.text()?));
        names.push(NewName { kind, number, name });
    }
    Ok(names)
}

#[cfg(test)]
mod tests {
    use millrace_model::IndexId;

    use super::*;
    use crate::persistent::ShardName;

    #[test]
    fn every_kind_of_record_reads_back() {
        let file = |kind, number| FileName { kind, number };
        let large = OutOfLineFiles {
            parts: vec![file(FileKind::Spill, 3)],
            layers: vec![(9, file(FileKind::Segment, 4))],
            ..OutOfLineFiles::default()
        };
        let part = |shard| Installed { shard, checkpoint: 77, file: file(FileKind::Segment, 5) };
        let installed = |shard| Effect::Installed(part(shard));
        let name = NewName { kind: NameKind::Key, number: 4, name: Arc::from("name@en") };
        let effects = [
            Effect::Changes(Physical::default()),
            Effect::OutOfLine(Box::new(large)),
            Effect::Names(vec![name]),
            Effect::Lease(1 << 20),
            Effect::GraphCreated("films".to_string()),
            Effect::GraphDropped,
            installed(ShardName::Partition(7)),
            installed(ShardName::Index(IndexId(1), 63)),
            Effect::Split([1, 2].map(|at| part(ShardName::Index(IndexId(1), at))).to_vec()),
            Effect::OwnerBegan(LogOwner { server: 5 << 100 | 6, address: "[::1]:7".to_string() }),
        ];
        for (effect, number) in effects.iter().zip([1, 2, 3, 4, 5, 6, 7, 7, 8, 9]) {
            let mut bytes = Vec::new();
            let kind = effect.encode(&mut bytes).unwrap();
            assert_eq!(kind, number);
            let read = Effect::decode(kind, &bytes).unwrap();
            assert_eq!(format!("{read:?}"), format!("{effect:?}"));
        }
        assert!(Effect::decode(99, &[]).is_err());
    }
}
