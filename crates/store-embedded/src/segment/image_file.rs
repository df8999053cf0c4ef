//! An image as a segment file, and back.

use millrace_model::GraphId;

use super::layout::{SectionKey, Subject};
use super::reader::SegmentFile;
use super::writer::SegmentWriter;
use crate::codec::{Malformed, Reader};
use crate::error::Result;
use crate::folder::{FileName, Folder};
use crate::image::{Counts, Image, RunTable, Section, SectionBody};

/// What is known of an image without reading it.
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
    let subject = Subject::Partition { graph, ordinal: image.ordinal };
    let mut writer = SegmentWriter::begin(folder, subject, image.cut)?;
    let summary = Summary { counts: image.counts.clone(), runs: image.runs.clone() };
    writer.add(SectionKey::Summary, &summary)?;
    copy(&mut writer, SectionKey::Records, &image.records)?;
    for (&key, column) in &image.vertex_columns {
        copy(&mut writer, SectionKey::VertexColumn(key), column)?;
    }
    for (&(edge_type, half), lists) in &image.lists {
        copy(&mut writer, SectionKey::List(edge_type, half), lists)?;
    }
    for (&edge_type, edges) in &image.edges {
        copy(&mut writer, SectionKey::Edges(edge_type), edges)?;
    }
    for (&(edge_type, key), column) in &image.edge_columns {
        copy(&mut writer, SectionKey::EdgeColumn(edge_type, key), column)?;
    }
    let file = writer.finish()?;
    let stored = stored_image(&file, image.ordinal, Some(image), summary)?;
    Ok((file, stored))
}

/// Opens the image of a partition; its sections are read when they are touched.
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

/// A section that is not in memory is copied as bytes, verified, and not decoded.
fn copy<T: SectionBody>(
    writer: &mut SegmentWriter<'_>,
    key: SectionKey,
    section: &Section<T>,
) -> Result<()> {
    match section.extent() {
        Some(extent) if section.byte_size() == 0 => writer.add_bytes(key, &extent.read()?),
        Some(_) | None => writer.add(key, &*section.get()?),
    }
}

/// The image in a file; what `loaded` has in memory stays there.
fn stored_image(
    file: &SegmentFile,
    ordinal: u32,
    loaded: Option<&Image>,
    summary: Summary,
) -> Result<Image> {
    let mut image = Image::empty(ordinal, file.cut);
    image.counts = summary.counts;
    image.runs = summary.runs;
    for key in file.keys() {
        let extent = file.extent(key)?;
        match key {
            SectionKey::Summary
            | SectionKey::IndexBase
            | SectionKey::RangeBounds
            | SectionKey::RangeBase => {}
            SectionKey::Records => {
                image.records = Section::moved(loaded.map(|image| &image.records), extent);
            }
            SectionKey::VertexColumn(key) => {
                let old = loaded.and_then(|image| image.vertex_columns.get(&key));
                image.vertex_columns.insert(key, Section::moved(old, extent));
            }
            SectionKey::List(edge_type, half) => {
                let old = loaded.and_then(|image| image.lists.get(&(edge_type, half)));
                image.lists.insert((edge_type, half), Section::moved(old, extent));
            }
            SectionKey::Edges(edge_type) => {
                let old = loaded.and_then(|image| image.edges.get(&edge_type));
                image.edges.insert(edge_type, Section::moved(old, extent));
            }
            SectionKey::EdgeColumn(edge_type, key) => {
                let old = loaded.and_then(|image| image.edge_columns.get(&(edge_type, key)));
                image.edge_columns.insert((edge_type, key), Section::moved(old, extent));
            }
        }
    }
    Ok(image)
}
