//! The base of an index shard: (hash of the values, id), sorted.
//!
//! Values are not in it: the seek verifies them against the record, so equal hashes of different
//! values, and entries that newer records contradict, are right by construction.

use std::ops::Range;

use millrace_model::{GraphId, IndexId, LogPosition};

use super::layout::{FilePositions, SectionKey, Subject};
use super::reader::SegmentFile;
use super::writer::SegmentWriter;
use crate::base::codec::{Malformed, Reader, put_u64s};
use crate::base::error::Result;
use crate::folder::Folder;
use crate::io::FileName;
use crate::persistent::image::{Section, SectionBody};

/// Entries of a shard, sorted by (hash, id).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IndexBase {
    hashes: Vec<u64>,
    ids: Vec<u64>,
}

impl IndexBase {
    /// A base of entries in any order; equal ones become one.
    pub fn of(mut entries: Vec<(u64, u64)>) -> IndexBase {
        entries.sort_unstable();
        entries.dedup();
        let (hashes, ids) = entries.into_iter().unzip();
        IndexBase { hashes, ids }
    }

    /// The ids of entries with this hash, ascending.
    pub fn ids(&self, hash: u64) -> &[u64] {
        &self.ids[self.range(hash)]
    }

    /// All entries, by (hash, id).
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (u64, u64)> + '_ {
        self.hashes.iter().copied().zip(self.ids.iter().copied())
    }

    /// How many entries there are.
    pub fn len(&self) -> usize {
        self.hashes.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.hashes.is_empty()
    }

    fn range(&self, hash: u64) -> Range<usize> {
        let start = self.hashes.partition_point(|&other| other < hash);
        let equal = self.hashes[start..].iter().take_while(|&&other| other == hash).count();
        start..start + equal
    }
}

impl SectionBody for IndexBase {
    fn encode(&self, bytes: &mut Vec<u8>) -> Result<()> {
        put_u64s(bytes, &self.hashes);
        put_u64s(bytes, &self.ids);
        Ok(())
    }

    fn decode(reader: &mut Reader<'_>) -> std::result::Result<IndexBase, Malformed> {
        let base = IndexBase { hashes: reader.u64s()?, ids: reader.u64s()? };
        if base.hashes.len() != base.ids.len() || !base.iter().is_sorted() {
            return Err(reader.malformed("the entries of an index are not sorted"));
        }
        Ok(base)
    }

    fn byte_size(&self) -> usize {
        size_of::<IndexBase>() + (self.hashes.capacity() + self.ids.capacity()) * 8
    }
}

/// Writes the base of a shard, durably once the folder is synced.
pub fn write_index_base(
    folder: &Folder,
    (graph, index, shard): (GraphId, IndexId, u32),
    checkpoint: LogPosition,
    base: &IndexBase,
) -> Result<SegmentFile> {
    let mut writer = SegmentWriter::begin(
        folder,
        Subject::Index { graph, index, shard },
        FilePositions::whole(checkpoint),
    )?;
    writer.add(SectionKey::IndexBase, base)?;
    writer.finish_content()
}

/// The base of a shard as it is in its file; the written base stays in memory while there is room.
pub fn stored_index_base(file: &SegmentFile, base: IndexBase) -> Result<Section<IndexBase>> {
    let extent = file.extent(SectionKey::IndexBase)?;
    Ok(Section::moved(Some(&Section::of(base)), extent))
}

/// Opens the base of a shard; it is read on first access.
pub fn open_index_base(
    folder: &Folder,
    name: FileName,
    (graph, index, shard): (GraphId, IndexId, u32),
) -> Result<(SegmentFile, Section<IndexBase>)> {
    let file = SegmentFile::open(folder, name)?;
    let wanted = Subject::Index { graph, index, shard };
    if file.subject != wanted {
        return Err(file.stranger(wanted));
    }
    let base = file.section(SectionKey::IndexBase)?;
    Ok((file, base))
}
