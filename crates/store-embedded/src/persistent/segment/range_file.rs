//! The files of a shard of an ordered index: its base, or its changes since a base that stays in an older file.

use millrace_model::{GraphId, IndexId, LogPosition};

use super::layout::{FilePositions, SectionKey, Subject};
use super::range_base::{RangeBase, RangeBounds};
use super::reader::SegmentFile;
use super::writer::SegmentWriter;
use crate::base::codec::{Malformed, Reader};
use crate::base::error::Result;
use crate::folder::Folder;
use crate::io::FileName;
use crate::persistent::image::{Extent, Section, SectionBody};

/// A shard: its graph, its index, its number.
type RangeSubject = (GraphId, IndexId, u32);

/// A delta layer of a shard: its changes since the base.
///
/// ```text
///   the entries that came, the entries that went    each as a base
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RangeChanges {
    /// Entries that are there, and not in the base or gone from it meanwhile.
    pub came: RangeBase,
    /// Entries of the base that went.
    pub went: RangeBase,
}

/// A shard as a file has it.
#[derive(Debug)]
pub struct StoredRange {
    /// Where its keys begin, and how many entries its base has.
    pub bounds: RangeBounds,
    /// Its base, which is read on first access.
    pub base: Section<RangeBase>,
    /// The last positions in it.
    pub positions: FilePositions,
    /// Its changes since the base, and their bytes, if it is a delta layer.
    pub changes: Option<(RangeChanges, u64)>,
    /// Files with sections of it.
    pub older: Vec<FileName>,
}

impl SectionBody for RangeChanges {
    fn encode(&self, bytes: &mut Vec<u8>) -> Result<()> {
        self.came.encode(bytes)?;
        self.went.encode(bytes)
    }

    fn decode(reader: &mut Reader<'_>) -> std::result::Result<RangeChanges, Malformed> {
        Ok(RangeChanges { came: RangeBase::decode(reader)?, went: RangeBase::decode(reader)? })
    }

    fn byte_size(&self) -> usize {
        self.came.byte_size() + self.went.byte_size()
    }
}

fn begin<'a>(
    folder: &'a Folder,
    (graph, index, shard): RangeSubject,
    positions: FilePositions,
    (lower, entries): (&[u8], u64),
) -> Result<SegmentWriter<'a>> {
    let subject = Subject::Index { graph, index, shard };
    let mut writer = SegmentWriter::begin(folder, subject, positions)?;
    let bounds = RangeBounds { lower: lower.to_vec(), entries: Some(entries) };
    writer.add(SectionKey::RangeBounds, &bounds)?;
    Ok(writer)
}

/// Writes a shard, durably once the folder is synced; its base is read again on access.
pub fn write_range_base(
    folder: &Folder,
    subject: RangeSubject,
    checkpoint: LogPosition,
    (lower, base): (&[u8], &RangeBase),
) -> Result<(SegmentFile, Section<RangeBase>)> {
    let positions = FilePositions::whole(checkpoint);
    let mut writer = begin(folder, subject, positions, (lower, base.len() as u64))?;
    writer.add(SectionKey::RangeBase, base)?;
    let file = writer.finish_content()?;
    let section = file.section(SectionKey::RangeBase)?;
    Ok((file, section))
}

/// Writes the changes of a shard, durably once the folder is synced; its base of so many entries stays where it is. Gives the bytes of the changes,
/// too.
pub fn write_range_changes(
    folder: &Folder,
    subject: RangeSubject,
    positions: FilePositions,
    (lower, entries, base): (&[u8], u64, &Extent),
    changes: &RangeChanges,
) -> Result<(SegmentFile, u64)> {
    let mut writer = begin(folder, subject, positions, (lower, entries))?;
    writer.refer(SectionKey::RangeBase, base);
    writer.add(SectionKey::Delta, changes)?;
    let file = writer.finish_content()?;
    let bytes = file.extent(SectionKey::Delta)?.length;
    Ok((file, bytes))
}

/// Opens a shard.
pub fn open_range(
    folder: &Folder,
    name: FileName,
    (graph, index, shard): RangeSubject,
) -> Result<StoredRange> {
    let file = SegmentFile::open(folder, name)?;
    let wanted = Subject::Index { graph, index, shard };
    if file.subject != wanted {
        return Err(file.stranger(wanted));
    }
    let bounds: Section<RangeBounds> = file.section(SectionKey::RangeBounds)?;
    let bounds = RangeBounds::clone(&*bounds.get()?);
    let changes = match file.keys().any(|key| key == SectionKey::Delta) {
        true => {
            let extent = file.extent(SectionKey::Delta)?;
            Some((extent.load()?, extent.length))
        }
        false => None,
    };
    let base = file.section(SectionKey::RangeBase)?;
    Ok(StoredRange { bounds, base, positions: file.positions, changes, older: file.older() })
}
