//! The changes of a commit to every partition and index shard that it modifies. They are complete:
//! a replay looks nothing up.
//!
//! ```text
//!   payload of a CHANGES frame
//!   1  which lists of `Changes` follow, a bit each, in the order of their fields
//!   1  what follows the changes: bit 0 index entries added, bit 1 removed, bits 2 and 3 the same of
//!      ordered indexes, bit 4 an origin
//!   …  catalog: count u32, changes (base/codec/catalog.rs)
//!   …  vertices: blocks u32 × (labels u32 × u32, ids, columns)
//!   …  edges: blocks u32 × (type u32, ids, sources, targets, columns)
//!   …  labels: count u32 × (vertex u64, labels)
//!   …  vertex properties, edge properties: blocks u32 × (key u32, owners, column)
//!   …  deleted edges: count u32 × (edge u64, type u32, source u64, target u64)
//!   …  deleted vertices: ids
//!   …  index entries: count u32 × (index u32, hash u64, id u64)
//!   …  entries of ordered indexes: count u32 × (index u32, id u64, key: bytes)
//!  24  origin: server u128, number u64
//!   ids: base/codec/ids.rs; columns = count u32 × (key u32, column)
//! ```

use millrace_model::schema::IndexDefinition;
use millrace_model::{Column, EdgeId, EdgeTypeId, IndexId, KeyId, LabelId, Value, VertexId};
use millrace_store::key_range::key_of_values;
use millrace_store::{
    Changes, CommitOrigin, EdgeBlock, EdgeEnds, Labels, PropertyBlock, VertexBlock,
};

use crate::base::bytes::{u32_at, u64_at};
use crate::base::codec::{
    EdgeIds, Malformed, Reader, decode_change, decode_column, encode_change, encode_column,
    put_bytes, put_edge_ids, put_ids, put_u32, put_u64, take_ids,
};
use crate::base::error::Result;
use crate::index::IndexEntry;
use crate::live::EdgeSpan;

/// The first byte of a payload that holds edges and nothing else.
pub(super) const EDGES_ONLY: u8 = 1 << 2;

/// The bit of the second byte that says that an origin follows, and all bits there are.
const ORIGIN: u8 = 1 << 4;
const FOLLOWS: u8 = (ORIGIN << 1) - 1;

type Decoded<T> = std::result::Result<T, Malformed>;

/// An entry of an ordered index: an element has a key.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct OrderedEntry {
    pub(crate) index: IndexId,
    pub(crate) key: Vec<u8>,
    pub(crate) id: u64,
}

/// The changes of a commit with everything that follows from them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Physical {
    pub(crate) changes: Changes,
    pub(crate) index_added: Vec<IndexEntry>,
    pub(crate) index_removed: Vec<IndexEntry>,
    pub(crate) ordered_added: Vec<OrderedEntry>,
    pub(crate) ordered_removed: Vec<OrderedEntry>,
    /// Where the commit comes from, if another process sent it.
    pub(crate) origin: Option<CommitOrigin>,
}

impl Physical {
    /// Appends the payload of its frame.
    pub(crate) fn encode(&self, bytes: &mut Vec<u8>) -> Result<()> {
        let hashed = [self.index_added.as_slice(), &self.index_removed];
        let ordered = [self.ordered_added.as_slice(), &self.ordered_removed];
        encode(bytes, &self.changes, hashed, ordered, self.origin)
    }

    /// Takes all of a payload.
    pub(crate) fn decode(payload: &[u8]) -> Decoded<Physical> {
        let mut reader = Reader::new(payload);
        let (mask, index_mask) = (reader.u8()?, reader.u8()?);
        if FOLLOWS < index_mask {
            return Err(reader.malformed("changes are followed by what this program does not know"));
        }
        let changes = decode_changes(&mut reader, mask)?;
        let entry = |reader: &mut Reader<'_>| {
            let (index, hash, id) = (IndexId(reader.u32()?), reader.u64()?, reader.u64()?);
            Ok(IndexEntry { index, hash, id })
        };
        let index_added = decode_present(&mut reader, index_mask & 1 != 0, 20, entry)?;
        let index_removed = decode_present(&mut reader, index_mask & 2 != 0, 20, entry)?;
        let entry = |reader: &mut Reader<'_>| {
            let (index, id) = (IndexId(reader.u32()?), reader.u64()?);
            Ok(OrderedEntry { index, id, key: reader.bytes()?.to_vec() })
        };
        let ordered_added = decode_present(&mut reader, index_mask & 4 != 0, 16, entry)?;
        let ordered_removed = decode_present(&mut reader, index_mask & 8 != 0, 16, entry)?;
        let origin = (index_mask & ORIGIN != 0).then(|| decode_origin(&mut reader)).transpose()?;
        reader.finish()?;
        Ok(Physical { changes, index_added, index_removed, ordered_added, ordered_removed, origin })
    }
}

/// The entry of an element in an ordered index over whole values; `None` if the index is by hash.
pub(super) fn ordered_entry(
    index: &IndexDefinition,
    id: u64,
    values: &[Value],
) -> Option<OrderedEntry> {
    if !index.kind.is_ordered() {
        return None;
    }
    let key = key_of_values(values).expect("what has an entry has no null in it");
    Some(OrderedEntry { index: index.id, key, id })
}

/// Appends the payload of the frame of changes, of the index entries they add and remove, by hash
/// and by key, and of where they come from.
pub(crate) fn encode(
    bytes: &mut Vec<u8>,
    changes: &Changes,
    hashed: [&[IndexEntry]; 2],
    ordered: [&[OrderedEntry]; 2],
    origin: Option<CommitOrigin>,
) -> Result<()> {
    bytes.push(changes_mask(changes));
    let lists =
        [hashed[0].is_empty(), hashed[1].is_empty(), ordered[0].is_empty(), ordered[1].is_empty()];
    let lists: u8 = (0..).zip(lists).map(|(bit, empty)| u8::from(!empty) << bit).sum();
    bytes.push(lists | if origin.is_some() { ORIGIN } else { 0 });
    encode_changes(bytes, changes)?;
    for entries in hashed {
        encode_present(bytes, entries, |bytes, entry| {
            put_u32(bytes, entry.index.0);
            put_u64(bytes, entry.hash);
            put_u64(bytes, entry.id);
            Ok(())
        })?;
    }
    for entries in ordered {
        encode_present(bytes, entries, |bytes, entry| {
            put_u32(bytes, entry.index.0);
            put_u64(bytes, entry.id);
            put_bytes(bytes, &entry.key);
            Ok(())
        })?;
    }
    if let Some(CommitOrigin { server, number }) = origin {
        bytes.extend_from_slice(&server.to_le_bytes());
        put_u64(bytes, number);
    }
    Ok(())
}

fn decode_origin(reader: &mut Reader<'_>) -> Decoded<CommitOrigin> {
    let (low, high, number) = (reader.u64()?, reader.u64()?, reader.u64()?);
    Ok(CommitOrigin { server: u128::from(high) << 64 | u128::from(low), number })
}

/// Appends the edges of a payload to the block of their type, if it has no more than one block of
/// edges without properties, and says which rows they are.
pub(crate) fn append_edges(payload: &[u8], blocks: &mut Vec<EdgeBlock>) -> Option<EdgeSpan> {
    const FIXED_BYTES: usize = 26;
    let rest = payload.len().checked_sub(FIXED_BYTES)?;
    let (count, numbers) = (u32_at(payload, 10), rest / 3);
    let counts = [10, 14 + numbers, 18 + 2 * numbers, 22 + 3 * numbers];
    let is_one_block = payload[..2] == [EDGES_ONLY, 0] && u32_at(payload, 2) == 1;
    let fits = rest == count as usize * 24
        && counts.map(|at| u32_at(payload, at)) == [count, count, count, 0];
    if !is_one_block || !fits {
        return None;
    }
    let edge_type = EdgeTypeId(u32_at(payload, 6));
    let known = blocks.iter().position(|block| block.edge_type == edge_type);
    let place = known.unwrap_or_else(|| {
        blocks.push(EdgeBlock { edge_type, ..EdgeBlock::default() });
        blocks.len() - 1
    });
    let block = &mut blocks[place];
    let rows = EdgeSpan { block: place as u32, first: block.ids.len() as u32, count };
    let ids = |list: usize| {
        let from = counts[list] + 4;
        payload[from..from + numbers].chunks_exact(8).map(|bytes| u64_at(bytes, 0))
    };
    block.ids.extend(ids(0).map(EdgeId));
    block.sources.extend(ids(1).map(VertexId));
    block.targets.extend(ids(2).map(VertexId));
    Some(rows)
}

fn changes_mask(changes: &Changes) -> u8 {
    let present = [
        !changes.catalog.is_empty(),
        !changes.vertices.is_empty(),
        !changes.edges.is_empty(),
        !changes.labels.is_empty(),
        !changes.vertex_properties.is_empty(),
        !changes.edge_properties.is_empty(),
        !changes.deleted_edges.is_empty(),
        !changes.deleted_vertices.is_empty(),
    ];
    present.iter().enumerate().map(|(bit, present)| u8::from(*present) << bit).sum()
}

fn encode_changes(bytes: &mut Vec<u8>, changes: &Changes) -> Result<()> {
    encode_present(bytes, &changes.catalog, |bytes, change| {
        encode_change(bytes, change);
        Ok(())
    })?;
    encode_present(bytes, &changes.vertices, encode_vertices)?;
    encode_present(bytes, &changes.edges, encode_edges)?;
    encode_present(bytes, &changes.labels, |bytes, (vertex, labels)| {
        put_u64(bytes, vertex.0);
        encode_labels(bytes, labels);
        Ok(())
    })?;
    encode_present(bytes, &changes.vertex_properties, |bytes, block| {
        encode_properties(bytes, block, |vertex| vertex.0)
    })?;
    encode_present(bytes, &changes.edge_properties, |bytes, block| {
        encode_properties(bytes, block, |edge| edge.0)
    })?;
    encode_present(bytes, &changes.deleted_edges, |bytes, ends| {
        put_u64(bytes, ends.edge.0);
        put_u32(bytes, ends.edge_type.0);
        put_u64(bytes, ends.source.0);
        put_u64(bytes, ends.target.0);
        Ok(())
    })?;
    encode_present(bytes, &changes.deleted_vertices, |bytes, vertex| {
        put_u64(bytes, vertex.0);
        Ok(())
    })
}

fn decode_changes(reader: &mut Reader<'_>, mask: u8) -> Decoded<Changes> {
    let has = |bit: u8| mask >> bit & 1 == 1;
    Ok(Changes {
        catalog: decode_present(reader, has(0), 1, decode_change)?,
        vertices: decode_present(reader, has(1), 12, decode_vertices)?,
        edges: decode_present(reader, has(2), 20, decode_edges)?,
        labels: decode_present(reader, has(3), 12, |reader| {
            Ok((VertexId(reader.u64()?), decode_labels(reader)?))
        })?,
        vertex_properties: decode_present(reader, has(4), 8, |reader| {
            decode_properties(reader, VertexId)
        })?,
        edge_properties: decode_present(reader, has(5), 8, |reader| {
            decode_properties(reader, EdgeId)
        })?,
        deleted_edges: decode_present(reader, has(6), 28, |reader| {
            Ok(EdgeEnds {
                edge: EdgeId(reader.u64()?),
                edge_type: EdgeTypeId(reader.u32()?),
                source: VertexId(reader.u64()?),
                target: VertexId(reader.u64()?),
            })
        })?,
        deleted_vertices: decode_present(reader, has(7), 8, |reader| Ok(VertexId(reader.u64()?)))?,
    })
}

fn encode_vertices(bytes: &mut Vec<u8>, block: &VertexBlock) -> Result<()> {
    encode_labels(bytes, &block.labels);
    put_ids(bytes, &block.ids, |vertex| vertex.0);
    encode_columns(bytes, &block.properties)
}

fn decode_vertices(reader: &mut Reader<'_>) -> Decoded<VertexBlock> {
    let labels = decode_labels(reader)?;
    let ids = take_ids(reader, VertexId)?;
    let properties = decode_columns(reader, ids.len())?;
    Ok(VertexBlock { labels, ids, properties })
}

fn encode_edges(bytes: &mut Vec<u8>, block: &EdgeBlock) -> Result<()> {
    put_u32(bytes, block.edge_type.0);
    put_edge_ids(bytes, &block.ids, &block.sources);
    put_ids(bytes, &block.sources, |vertex| vertex.0);
    put_ids(bytes, &block.targets, |vertex| vertex.0);
    encode_columns(bytes, &block.properties)
}

fn decode_edges(reader: &mut Reader<'_>) -> Decoded<EdgeBlock> {
    let edge_type = EdgeTypeId(reader.u32()?);
    let ids = EdgeIds::take(reader)?;
    let (sources, targets) = (take_ids(reader, VertexId)?, take_ids(reader, VertexId)?);
    if ids.len() != sources.len() || ids.len() != targets.len() {
        return Err(reader.malformed("edges have more or fewer ends than ids"));
    }
    let ids = ids.with_sources(&sources);
    let properties = decode_columns(reader, ids.len())?;
    Ok(EdgeBlock { edge_type, ids, sources, targets, properties })
}

fn encode_properties<Id: Copy>(
    bytes: &mut Vec<u8>,
    block: &PropertyBlock<Id>,
    number: impl Fn(Id) -> u64,
) -> Result<()> {
    put_u32(bytes, block.key.0);
    put_ids(bytes, &block.owners, |id| number(*id));
    encode_column(bytes, &block.values)
}

fn decode_properties<Id>(
    reader: &mut Reader<'_>,
    id: impl Fn(u64) -> Id,
) -> Decoded<PropertyBlock<Id>> {
    let key = KeyId(reader.u32()?);
    let owners = take_ids(reader, id)?;
    let values = decode_column(reader)?;
    if values.len() != owners.len() {
        return Err(reader.malformed("a property has more or fewer values than owners"));
    }
    Ok(PropertyBlock { key, owners, values })
}

fn encode_columns(bytes: &mut Vec<u8>, columns: &[(KeyId, Column)]) -> Result<()> {
    put_u32(bytes, count_of(columns));
    columns.iter().try_for_each(|(key, column)| {
        put_u32(bytes, key.0);
        encode_column(bytes, column)
    })
}

fn decode_columns(reader: &mut Reader<'_>, rows: usize) -> Decoded<Vec<(KeyId, Column)>> {
    let count = take_count(reader, 6)?;
    let mut columns = Vec::with_capacity(count);
    for _ in 0..count {
        let (key, column) = (KeyId(reader.u32()?), decode_column(reader)?);
        if column.len() != rows {
            return Err(reader.malformed("a column has more or fewer values than its block"));
        }
        columns.push((key, column));
    }
    Ok(columns)
}

fn encode_labels(bytes: &mut Vec<u8>, labels: &Labels) {
    put_u32(bytes, count_of(labels));
    labels.iter().for_each(|label| put_u32(bytes, label.0));
}

fn decode_labels(reader: &mut Reader<'_>) -> Decoded<Labels> {
    let count = take_count(reader, 4)?;
    (0..count).map(|_| Ok(LabelId(reader.u32()?))).collect()
}

/// Appends the count and the items, or nothing at all if there are none: the mask says so.
fn encode_present<T>(
    bytes: &mut Vec<u8>,
    items: &[T],
    encode: impl Fn(&mut Vec<u8>, &T) -> Result<()>,
) -> Result<()> {
    if items.is_empty() {
        return Ok(());
    }
    put_u32(bytes, count_of(items));
    items.iter().try_for_each(|item| encode(bytes, item))
}

fn decode_present<T>(
    reader: &mut Reader<'_>,
    present: bool,
    bytes_min: usize,
    decode: impl Fn(&mut Reader<'_>) -> Decoded<T>,
) -> Decoded<Vec<T>> {
    if !present {
        return Ok(Vec::new());
    }
    let count = take_count(reader, bytes_min)?;
    (0..count).map(|_| decode(reader)).collect()
}

fn count_of<T>(items: &[T]) -> u32 {
    u32::try_from(items.len()).expect("what is larger was split before it is encoded")
}

/// A count that the bytes left could not hold never becomes an allocation.
fn take_count(reader: &mut Reader<'_>, bytes_min: usize) -> Decoded<usize> {
    let count = reader.u32()? as usize;
    if reader.remaining() / bytes_min < count {
        return Err(reader.malformed("a count exceeds the bytes there are"));
    }
    Ok(count)
}

#[cfg(test)]
mod tests;
