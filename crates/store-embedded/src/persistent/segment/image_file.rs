//! An image as a segment file, and back.

use millrace_model::{GraphId, LogPosition};

use super::layout::{FilePositions, SectionKey, Subject};
use super::reader::SegmentFile;
use super::reuse::Reuse;
use super::writer::SegmentWriter;
use crate::base::codec::{Malformed, Reader};
use crate::base::error::Result;
use crate::base::limits::{OLDER_FILES_MAX, OLDER_FILES_MERGED_MAX};
use crate::folder::Folder;
use crate::io::FileName;
use crate::persistent::image::{Counts, Extent, Image, RunTable, Section, SectionBody};

/// The part of an image that is known without reading its sections.
#[derive(Debug)]
struct Summary {
    counts: Counts,
    runs: RunTable,
}

impl SectionBody for Summary {
    fn encode(&self, bytes: &mut Vec<u8>) -> Result<()> {
        self.counts.encode(bytes);
        self.runs.encode(bytes);
        Ok(())
    }

    fn decode(reader: &mut Reader<'_>) -> std::result::Result<Summary, Malformed> {
        Ok(Summary { counts: Counts::decode(reader)?, runs: RunTable::decode(reader)? })
    }

    fn byte_size(&self) -> usize {
        self.runs.byte_size()
    }
}

/// Writes an image durably. The image given back holds the same and can be unloaded.
pub fn write_image(folder: &Folder, graph: GraphId, image: &Image) -> Result<(SegmentFile, Image)> {
    let kept = Reuse::of(image, OLDER_FILES_MERGED_MAX)?;
    let summary = Summary { counts: image.counts.clone(), runs: image.runs.clone() };
    let mut writer =
        begin(folder, (graph, image.ordinal), FilePositions::whole(image.checkpoint), &summary)?;
    add_sections(&mut writer, image, &kept)?;
    let file = writer.finish()?;
    let stored = stored_image(&file, image.ordinal, Some(image), summary)?;
    Ok((file, stored))
}

/// Writes a delta layer durably: the changes since a stored base up to a checkpoint position, the
/// base itself staying where it is. `runs` are those of base and changes.
pub fn write_delta(
    folder: &Folder,
    graph: GraphId,
    (base, runs): (&Image, &RunTable),
    (checkpoint, changes): (LogPosition, &[u8]),
) -> Result<SegmentFile> {
    let kept = Reuse::of(base, OLDER_FILES_MAX)?;
    let summary = Summary { counts: base.counts.clone(), runs: runs.clone() };
    let positions = FilePositions { checkpoint, base: base.checkpoint };
    let mut writer = begin(folder, (graph, base.ordinal), positions, &summary)?;
    add_sections(&mut writer, base, &kept)?;
    writer.add_bytes(SectionKey::Delta, changes)?;
    writer.finish()
}

fn begin<'a>(
    folder: &'a Folder,
    (graph, ordinal): (GraphId, u32),
    positions: FilePositions,
    summary: &Summary,
) -> Result<SegmentWriter<'a>> {
    let mut writer =
        SegmentWriter::begin(folder, Subject::Partition { graph, ordinal }, positions)?;
    writer.add(SectionKey::Summary, summary)?;
    Ok(writer)
}

fn add_sections(writer: &mut SegmentWriter<'_>, image: &Image, kept: &Reuse) -> Result<()> {
    let mut copy = Copy { writer, kept };
    copy.add(SectionKey::Records, &image.records)?;
    for (&key, column) in &image.vertex_columns {
        copy.add(SectionKey::VertexColumn(key), column)?;
    }
    for (&(edge_type, half), lists) in &image.lists {
        copy.add(SectionKey::List(edge_type, half), lists)?;
    }
    for (&edge_type, edges) in &image.edges {
        copy.add(SectionKey::Edges(edge_type), edges)?;
    }
    for (&(edge_type, key), column) in &image.edge_columns {
        copy.add(SectionKey::EdgeColumn(edge_type, key), column)?;
    }
    Ok(())
}

/// Opens the image of a partition; its sections are read on first access.
pub fn open_image(
    folder: &Folder,
    name: FileName,
    graph: GraphId,
    ordinal: u32,
) -> Result<(SegmentFile, Image)> {
    let file = SegmentFile::open(folder, name)?;
    let wanted = Subject::Partition { graph, ordinal };
    if file.subject != wanted {
        return Err(file.stranger(wanted));
    }
    let summary = file.extent(SectionKey::Summary)?.load()?;
    let image = stored_image(&file, ordinal, None, summary)?;
    Ok((file, image))
}

struct Copy<'a, 'w> {
    writer: &'a mut SegmentWriter<'w>,
    kept: &'a Reuse,
}

impl Copy<'_, '_> {
    /// A section stays in a file that is kept. Else, if it is not in memory, it is copied as bytes,
    /// verified, and not decoded.
    fn add<T: SectionBody>(&mut self, key: SectionKey, section: &Section<T>) -> Result<()> {
        match section.extent() {
            Some(extent) if self.kept.has(extent) => {
                self.writer.refer(key, extent);
                Ok(())
            }
            Some(extent) if section.byte_size() == 0 => self.writer.add_bytes(key, &extent.read()?),
            Some(_) | None => self.writer.add(key, &*section.get()?),
        }
    }
}

/// The section at a place: the handle there is, if it is there already.
fn placed<T: SectionBody>(old: Option<&Section<T>>, extent: Extent) -> Section<T> {
    match old {
        Some(old) if old.extent().is_some_and(|own| own.is_same(&extent)) => old.share(),
        Some(_) | None => Section::moved(old, extent),
    }
}

/// The image in a file; sections that `loaded` has in memory stay there.
fn stored_image(
    file: &SegmentFile,
    ordinal: u32,
    loaded: Option<&Image>,
    summary: Summary,
) -> Result<Image> {
    let mut image = Image::empty(ordinal, file.positions.base);
    image.counts = summary.counts;
    image.runs = summary.runs;
    for key in file.keys() {
        let extent = file.extent(key)?;
        match key {
            SectionKey::Summary
            | SectionKey::IndexBase
            | SectionKey::RangeBounds
            | SectionKey::RangeBase
            | SectionKey::Neighbours
            | SectionKey::Delta => {}
            SectionKey::Records => {
                image.records = placed(loaded.map(|image| &image.records), extent);
            }
            SectionKey::VertexColumn(key) => {
                let old = loaded.and_then(|image| image.vertex_columns.get(&key));
                image.vertex_columns.insert(key, placed(old, extent));
            }
            SectionKey::List(edge_type, half) => {
                let old = loaded.and_then(|image| image.lists.get(&(edge_type, half)));
                image.lists.insert((edge_type, half), placed(old, extent));
            }
            SectionKey::Edges(edge_type) => {
                let old = loaded.and_then(|image| image.edges.get(&edge_type));
                image.edges.insert(edge_type, placed(old, extent));
            }
            SectionKey::EdgeColumn(edge_type, key) => {
                let old = loaded.and_then(|image| image.edge_columns.get(&(edge_type, key)));
                image.edge_columns.insert((edge_type, key), placed(old, extent));
            }
        }
    }
    Ok(image)
}
