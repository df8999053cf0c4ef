//! Reads the undamaged parts of segments, section by section, and rebuilds missing sections from
//! others.
//!
//! A loss is noted for a shard, and forgotten when the log names a newer segment of it that is
//! whole.

use std::collections::{BTreeMap, BTreeSet};

use millrace_model::{Bits, EXTERNAL_ID_KEY, EdgeTypeId, GraphId, IndexId};
use millrace_store::Labels;

use crate::base::error::Result;
use crate::folder::Folder;
use crate::io::FileName;
use crate::persistent::image::{
    EdgeSection, Half, Image, Records, RecordsBuilder, Section, SectionBody,
};
use crate::persistent::segment::{
    IndexBase, SectionKey, SegmentFile, StoredRange, Subject, open_image, open_index_base,
    open_range,
};
use crate::persistent::{ShardName, home};

/// The damage met by a salvage.
#[derive(Debug, Default)]
pub(crate) struct Salvage {
    /// Damage other than of segments: the manifest, the log, an out-of-line commit.
    pub(crate) broken: Vec<String>,
    /// The losses by that damage.
    pub(crate) losses: Vec<String>,
    /// The losses of each shard.
    shards: BTreeMap<(GraphId, ShardName), Vec<String>>,
}

impl Salvage {
    /// Everything that is lost, or made anew.
    pub(crate) fn losses(&self) -> Vec<String> {
        self.losses.iter().chain(self.shards.values().flatten()).cloned().collect()
    }

    /// The elements that an out-of-line commit made in a partition, as far as they can be read.
    /// Losses of the partition below stay noted.
    pub(crate) fn transaction_layer(
        &mut self,
        folder: &Folder,
        file: FileName,
        (graph, ordinal): (GraphId, u32),
        checkpoint: u64,
    ) -> Image {
        self.image(folder, file, (graph, ordinal, checkpoint), Layer::Transaction)
    }

    /// The image that was read, with its losses noted; an empty one if nothing could be read.
    fn image(
        &mut self,
        folder: &Folder,
        file: FileName,
        (graph, ordinal, checkpoint): (GraphId, u32, u64),
        layer: Layer,
    ) -> Image {
        let mut losses = Vec::new();
        let read = read_image(folder, file, (graph, ordinal), layer, &mut losses);
        let image = read.unwrap_or_else(|error| {
            losses.push(format!("everything in it ({error})"));
            Image::empty(ordinal, millrace_model::LogPosition(checkpoint))
        });
        if !losses.is_empty() {
            let first = u64::from(home(ordinal)) << 16;
            let name = format!("graph {}, partition {ordinal}", graph.0);
            let vertices = format!("nodes {first} to {}", first + 0xffff);
            let losses = losses.iter().map(|loss| format!("{name} ({vertices}), {file}: {loss}"));
            self.shards.entry((graph, ShardName::Partition(ordinal))).or_default().extend(losses);
        }
        image
    }

    /// A root of a partition: its file, if that opens, its base as far as it can be read, and the
    /// delta layer in it.
    pub(crate) fn root(
        &mut self,
        folder: &Folder,
        name: FileName,
        (graph, ordinal): (GraphId, u32),
        checkpoint: u64,
    ) -> (Option<SegmentFile>, Image, Option<Vec<u8>>) {
        self.shards.remove(&(graph, ShardName::Partition(ordinal)));
        let image = self.image(folder, name, (graph, ordinal, checkpoint), Layer::Base);
        let Ok(file) = SegmentFile::open(folder, name) else { return (None, image, None) };
        let delta = file.delta().unwrap_or_else(|error| {
            let loss = format!(
                "graph {}, partition {ordinal}, {name}: its changes since commit {} ({error})",
                graph.0, image.checkpoint
            );
            self.shards.entry((graph, ShardName::Partition(ordinal))).or_default().push(loss);
            None
        });
        (Some(file), image, delta)
    }

    /// The entries of an index shard; none if they cannot be read: they are made anew anyway.
    pub(crate) fn index_base(
        &mut self,
        folder: &Folder,
        file: FileName,
        (graph, index, shard): (GraphId, IndexId, u32),
    ) -> Option<Section<IndexBase>> {
        let base = open_index_base(folder, file, (graph, index, shard));
        let read = base.and_then(|(_, base)| base.get().map(|_| base));
        self.entries_of((graph, index, shard), file, read)
    }

    /// A shard of an ordered index; none if it cannot be read.
    pub(crate) fn range(
        &mut self,
        folder: &Folder,
        file: FileName,
        (graph, index, shard): (GraphId, IndexId, u32),
    ) -> Option<StoredRange> {
        let opened = open_range(folder, file, (graph, index, shard));
        let read = opened.and_then(|stored| stored.base.get().map(|_| stored));
        self.entries_of((graph, index, shard), file, read)
    }

    fn entries_of<T>(
        &mut self,
        (graph, index, shard): (GraphId, IndexId, u32),
        file: FileName,
        read: Result<T>,
    ) -> Option<T> {
        let key = (graph, ShardName::Index(index, shard));
        self.shards.remove(&key);
        if read.is_err() {
            let loss = format!(
                "graph {}, index {}, shard {shard}, {file}: nothing; its entries are made anew from \
                 the records",
                graph.0, index.0
            );
            self.shards.insert(key, vec![loss]);
        }
        read.ok()
    }
}

/// The kind of an image.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Layer {
    /// All of a partition.
    Base,
    /// The elements that an out-of-line commit made: most of its vertices have their records below.
    Transaction,
}

fn read_image(
    folder: &Folder,
    name: FileName,
    (graph, ordinal): (GraphId, u32),
    layer: Layer,
    losses: &mut Vec<String>,
) -> Result<Image> {
    let file = SegmentFile::open(folder, name)?;
    if file.subject != (Subject::Partition { graph, ordinal }) {
        return open_image(folder, name, graph, ordinal).map(|(_, image)| image);
    }
    if let Ok((_, image)) = open_image(folder, name, graph, ordinal)
        && file.keys().all(|key| file.extent(key).is_ok_and(|extent| extent.read().is_ok()))
    {
        return Ok(image);
    }
    let mut image = Image::empty(ordinal, file.positions.base);
    let mut records = None;
    let mut lost_edges = BTreeSet::new();
    for key in file.keys() {
        match key {
            SectionKey::Summary
            | SectionKey::IndexBase
            | SectionKey::RangeBounds
            | SectionKey::RangeBase
            | SectionKey::Neighbours
            | SectionKey::Delta => {}
            SectionKey::Records => records = load::<Records>(&file, key),
            SectionKey::VertexColumn(id) => match load(&file, key) {
                Some(column) => drop(image.vertex_columns.insert(id, Section::of(column))),
                None if id == EXTERNAL_ID_KEY => losses.push(
                    "the ids that clients chose for its nodes, which are shown under others".into(),
                ),
                None => losses.push(format!("the values of key {} of its nodes", id.0)),
            },
            SectionKey::List(edge_type, half) => {
                if let Some(lists) = load(&file, key) {
                    image.lists.insert((edge_type, half), Section::of(lists));
                }
            }
            SectionKey::Edges(edge_type) => match load(&file, key) {
                Some(edges) => drop(image.edges.insert(edge_type, Section::of(edges))),
                None => drop(lost_edges.insert(edge_type)),
            },
            SectionKey::EdgeColumn(edge_type, id) => match load(&file, key) {
                Some(column) => {
                    image.edge_columns.insert((edge_type, id), Section::of(column));
                }
                None if id == EXTERNAL_ID_KEY => losses.push(format!(
                    "the ids that clients chose for its relationships of type {}, which are shown \
                     under others",
                    edge_type.0
                )),
                None => losses.push(format!(
                    "the values of key {} of its relationships of type {}",
                    id.0, edge_type.0
                )),
            },
        }
    }
    edges_again(&mut image, &lost_edges, losses)?;
    let records = records.map_or_else(|| records_lost(&image, layer, losses), Ok)?;
    (image.counts.vertices, image.counts.labels) = records.counts();
    image.records = Section::of(records);
    if losses.is_empty() {
        losses.push("nothing; the damaged parts are made anew".into());
    }
    Ok(image)
}

/// The records of an image with damaged records, rebuilt from its values and lists.
fn records_lost(image: &Image, layer: Layer, losses: &mut Vec<String>) -> Result<Records> {
    // Vertices are in their own partition only.
    if home(image.ordinal) != image.ordinal {
        return Ok(RecordsBuilder::default().finish());
    }
    if layer == Layer::Transaction {
        losses.push("the nodes that it made, with their relationships".into());
        return Ok(RecordsBuilder::default().finish());
    }
    losses.push("the labels of its nodes, and nodes without values and relationships".into());
    records_again(image)
}

fn load<T: SectionBody>(file: &SegmentFile, key: SectionKey) -> Option<T> {
    file.extent(key).and_then(|extent| extent.load()).ok()
}

/// Edges from out lists, where their own section, or the lists that implied their ends, are gone.
fn edges_again(
    image: &mut Image,
    lost: &BTreeSet<EdgeTypeId>,
    losses: &mut Vec<String>,
) -> Result<()> {
    let mut types: BTreeSet<EdgeTypeId> = lost.clone();
    types.extend(image.edges.keys().copied());
    for edge_type in types {
        let out = image.lists.get(&(edge_type, Half::Out));
        // Ends that are implied by lists which do not have them are gone.
        match (image.edges_with_ends(edge_type)?, out) {
            (Some(pinned), _) => lease(image, edge_type, &pinned.edges),
            (None, Some(out)) => {
                let out = out.get()?;
                let mut rows: Vec<(u32, (u16, u32))> = Vec::new();
                for (local, list) in out.iter() {
                    rows.extend(list.iter().map(|(target, slot)| (slot, (local, target))));
                }
                rows.sort_unstable();
                let slots: Vec<u32> = rows.iter().map(|(slot, _)| *slot).collect();
                let edges = EdgeSection::of_ascending(&slots, rows.iter().map(|(_, ends)| *ends));
                lease(image, edge_type, &edges);
                image.edges.insert(edge_type, Section::of(edges));
                // Values were by the row of the section that is gone.
                let keys = image.edge_columns.keys().filter(|(own, _)| *own == edge_type);
                for key in keys.copied().collect::<Vec<_>>() {
                    image.edge_columns.remove(&key);
                    losses.push(format!(
                        "the values of key {} of its relationships of type {}",
                        key.1.0, edge_type.0
                    ));
                }
            }
            (None, None) => {
                image.edges.remove(&edge_type);
                losses.push(format!(
                    "its relationships of type {}, but for those that stand in lists of their targets",
                    edge_type.0
                ));
            }
        }
    }
    Ok(())
}

fn lease(image: &mut Image, edge_type: EdgeTypeId, edges: &EdgeSection) {
    for (slot, _) in edges.slots.iter() {
        image.runs.lease_slots(slot, 1, edge_type);
    }
    image.counts.edges.insert(edge_type, edges.slots.edge_count() as u64);
}

/// A vertex with a value or a list is there.
fn records_again(image: &Image) -> Result<Records> {
    let mut there = Bits::default();
    for column in image.vertex_columns.values() {
        column.get()?.iter().for_each(|(row, _)| {
            there.insert(row as usize);
        });
    }
    for lists in image.lists.values() {
        lists.get()?.locals().for_each(|local| {
            there.insert(local as usize);
        });
    }
    let mut builder = RecordsBuilder::default();
    builder.set(there.ones().map(|local| local as u16), &Labels::from([]));
    Ok(builder.finish())
}
