//! The file of a graph of neighbours over the vectors of an index: the links, and where in which bases the vectors are. It
//! can be made anew from these, so neither the manifest nor the log names it, and one that is missing or damaged costs time
//! only.
//!
//! ```text
//!   header, directory, trailer   as of a segment; the subject is the index
//!   one section                  space, bytes of a vector u32
//!                                bases: segment, offset, length (u64s), checksums (u32s)
//!                                nodes: elements (u64s), locations, firsts, hashes of vectors (u32s)
//!                                links of the lowest layer: counts (u16s), nodes (u32s)
//!                                links above: node, layers, and for each a count and nodes (u32s)
//!                                vectors that no base has in one piece, one after the other
//!                                entry: node, layers above the lowest (u32s; none without nodes)
//! ```
//!
//! The bases are named by their locations and checksums: one that is another now is not the one that was linked.

use millrace_model::{GraphId, IndexId, LogPosition};

use super::layout::{FilePositions, SectionKey, Subject};
use super::reader::SegmentFile;
use super::writer::SegmentWriter;
use crate::base::codec::{
    Malformed, Reader, put_bytes, put_text, put_u16s, put_u32, put_u32s, put_u64s,
};
use crate::base::error::{Error, Result};
use crate::folder::Folder;
use crate::io::{FileKind, FileName};
use crate::persistent::image::{Extent, SectionBody};

/// Layers above the lowest at most.
pub const NEIGHBOUR_LAYERS_MAX: usize = 16;

/// The bit of a location that says that the vector is among those of the file.
pub const LOCATION_COPIED: u32 = 1 << 31;

/// The bit of a location that says that the entry is gone.
pub const LOCATION_DEAD: u32 = 1 << 30;

/// Where the base of a shard is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BaseFile {
    /// The number of its segment.
    pub segment: u64,
    /// Where it begins there.
    pub offset: u64,
    /// Its length in bytes.
    pub length: u64,
    /// Its checksum.
    pub checksum: u32,
}

impl BaseFile {
    /// The location of an extent.
    pub fn of(extent: &Extent) -> BaseFile {
        let Extent { segment, offset, length, checksum, .. } = *extent;
        BaseFile { segment, offset, length, checksum }
    }
}

/// A graph of neighbours, as its file has it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StoredNeighbours {
    /// The space of the vectors, as its index writes it.
    pub space: String,
    /// Bytes of each vector.
    pub key_bytes: u32,
    /// The bases of the vectors.
    pub bases: Vec<BaseFile>,
    /// The element of each node.
    pub ids: Vec<u64>,
    /// The base of each node, with [`LOCATION_COPIED`] and [`LOCATION_DEAD`].
    pub locations: Vec<u32>,
    /// The first byte of its vector in the base, or its number among the copied ones.
    pub firsts: Vec<u32>,
    /// A hash of its vector.
    pub hashes: Vec<u32>,
    /// How many links it has on the lowest layer.
    pub counts: Vec<u16>,
    /// These links, one node after the other.
    pub links: Vec<u32>,
    /// Links above: node, layers, and for each a count and nodes.
    pub above: Vec<u32>,
    /// Vectors that no base has in one piece.
    pub copied: Vec<u8>,
    /// Where searches begin, and its layers above the lowest.
    pub entry: Option<(u32, u32)>,
}

impl StoredNeighbours {
    /// Calls back with each node of the layers above, and its links on each; `None` if that is not what the numbers are.
    pub fn each_above(&self, mut visit: impl FnMut(u32, Vec<Vec<u32>>)) -> Option<()> {
        let mut rest = self.above.as_slice();
        while let Some((&[node, layers], more)) = rest.split_first_chunk() {
            if NEIGHBOUR_LAYERS_MAX < layers as usize {
                return None;
            }
            rest = more;
            let mut lists = Vec::with_capacity(layers as usize);
            for _ in 0..layers {
                let (count, more) = rest.split_first()?;
                let (list, more) = more.split_at_checked(*count as usize)?;
                lists.push(list.to_vec());
                rest = more;
            }
            visit(node, lists);
        }
        rest.is_empty().then_some(())
    }

    /// Whether each node, base and copied vector that is named is there.
    fn is_sound(&self) -> bool {
        let nodes = self.ids.len();
        let are_columns =
            [self.locations.len(), self.firsts.len(), self.hashes.len()] == [nodes; 3];
        let linked: u64 = self.counts.iter().map(|count| u64::from(*count)).sum();
        let is_node = |node: &u32| (*node as usize) < nodes;
        let copied = self.copied.len() / (self.key_bytes.max(1) as usize);
        let is_located = |(location, first): (&u32, &u32)| {
            let base = (location & !(LOCATION_COPIED | LOCATION_DEAD)) as usize;
            base < self.bases.len()
                && (location & LOCATION_COPIED == 0 || (*first as usize) < copied)
        };
        let mut are_nodes = true;
        let above = self.each_above(|node, lists| {
            are_nodes &= is_node(&node) && lists.iter().flatten().all(is_node);
        });
        are_columns
            && self.key_bytes != 0
            && self.counts.len() == nodes
            && linked == self.links.len() as u64
            && self.links.iter().all(is_node)
            && self.locations.iter().zip(&self.firsts).all(is_located)
            && above.is_some()
            && are_nodes
            && self.entry.is_some() == (nodes != 0)
            && self.entry.is_none_or(|(node, layers)| {
                is_node(&node) && layers as usize <= NEIGHBOUR_LAYERS_MAX
            })
    }
}

impl SectionBody for StoredNeighbours {
    fn encode(&self, bytes: &mut Vec<u8>) -> Result<()> {
        put_text(bytes, &self.space);
        put_u32(bytes, self.key_bytes);
        let of_bases =
            |number: fn(&BaseFile) -> u64| -> Vec<u64> { self.bases.iter().map(number).collect() };
        put_u64s(bytes, &of_bases(|base| base.segment));
        put_u64s(bytes, &of_bases(|base| base.offset));
        put_u64s(bytes, &of_bases(|base| base.length));
        let checksums: Vec<u32> = self.bases.iter().map(|base| base.checksum).collect();
        put_u32s(bytes, &checksums);
        put_u64s(bytes, &self.ids);
        put_u32s(bytes, &self.locations);
        put_u32s(bytes, &self.firsts);
        put_u32s(bytes, &self.hashes);
        put_u16s(bytes, &self.counts);
        put_u32s(bytes, &self.links);
        put_u32s(bytes, &self.above);
        put_bytes(bytes, &self.copied);
        let entry = self.entry.map(|(node, layers)| vec![node, layers]).unwrap_or_default();
        put_u32s(bytes, &entry);
        Ok(())
    }

    fn decode(reader: &mut Reader<'_>) -> std::result::Result<StoredNeighbours, Malformed> {
        let (space, key_bytes) = (reader.text()?.to_owned(), reader.u32()?);
        let (segments, offsets) = (reader.u64s()?, reader.u64s()?);
        let (lengths, checksums) = (reader.u64s()?, reader.u32s()?);
        let are_bases = [offsets.len(), lengths.len(), checksums.len()] == [segments.len(); 3];
        let locations = offsets.into_iter().zip(lengths).zip(checksums);
        let base = |(segment, ((offset, length), checksum))| BaseFile {
            segment,
            offset,
            length,
            checksum,
        };
        let bases = segments.into_iter().zip(locations).map(base).collect();
        let stored = StoredNeighbours {
            space,
            key_bytes,
            bases,
            ids: reader.u64s()?,
            locations: reader.u32s()?,
            firsts: reader.u32s()?,
            hashes: reader.u32s()?,
            counts: reader.u16s()?,
            links: reader.u32s()?,
            above: reader.u32s()?,
            copied: reader.bytes()?.to_vec(),
            entry: match *reader.u32s()?.as_slice() {
                [] => None,
                [node, layers] => Some((node, layers)),
                _ => return Err(reader.malformed("a graph has one entry")),
            },
        };
        match are_bases && stored.is_sound() {
            true => Ok(stored),
            false => Err(reader.malformed("a graph of neighbours names what it does not have")),
        }
    }

    fn byte_size(&self) -> usize {
        size_of::<StoredNeighbours>()
            + self.bases.len() * size_of::<BaseFile>()
            + self.ids.len() * (8 + 4 + 4 + 4 + 2)
            + (self.links.len() + self.above.len()) * 4
            + self.copied.len()
    }
}

/// Writes a graph durably.
pub fn write_neighbours(
    folder: &Folder,
    (graph, index): (GraphId, IndexId),
    checkpoint: LogPosition,
    stored: &StoredNeighbours,
) -> Result<SegmentFile> {
    let kind = FileKind::Neighbours;
    let (subject, positions) = (Subject::Neighbours { graph, index }, checkpoint);
    let mut writer =
        SegmentWriter::begin_as(folder, kind, subject, FilePositions::whole(positions))?;
    writer.add(SectionKey::Neighbours, stored)?;
    writer.finish()
}

/// The index of a graph's file.
pub fn neighbours_of(file: &SegmentFile) -> Result<(GraphId, IndexId)> {
    match file.subject {
        Subject::Neighbours { graph, index } => Ok((graph, index)),
        _ => Err(Error::corrupt(file.path(), 0, "it is not the graph of an index")),
    }
}

/// Reads a graph, which may take so many bytes in its file.
pub fn read_neighbours(file: &SegmentFile, bytes_max: u64) -> Result<StoredNeighbours> {
    let extent = file.extent(SectionKey::Neighbours)?;
    if bytes_max < extent.length {
        let detail = format!("it has {} bytes, and its index only {bytes_max}", extent.length);
        return Err(Error::corrupt(file.path(), extent.offset, detail));
    }
    extent.load()
}

/// Reads a graph to verify it.
pub fn verify_neighbours(folder: &Folder, name: FileName) -> Result<()> {
    let file = SegmentFile::open(folder, name)?;
    neighbours_of(&file)?;
    read_neighbours(&file, u64::MAX).map(drop)
}
