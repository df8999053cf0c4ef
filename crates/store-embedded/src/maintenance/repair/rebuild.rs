//! Graphs that were salvaged as new segments: edges that have both ends, both directions, counts
//! and index entries of the remaining elements.
//!
//! Nothing of the old lists is kept. They are made from the edges, and edges that their own
//! partition lost are made from the in lists of others.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use millrace_model::external_id::encode_external;
use millrace_model::schema::IndexDefinition;
use millrace_model::{
    Catalog, Column, EXTERNAL_ID_KEY, EdgeTypeId, Error, GraphId, LogPosition, Result, Value,
};
use millrace_store::constraint::{holds_labels, holds_type};
use millrace_store::index_keys::keys_of;
use millrace_store::key_hash::hash_values;
use millrace_store::ordered_keys::KeyMaker;
use millrace_store::run::{EDGE_SLOT_BITS, PARTITION_BITS};

use super::external_ids;
use crate::base::limits::RANGE_SHARD_BYTES_MAX;
use crate::checkpoint::{Contents, GraphContents};
use crate::folder::Folder;
use crate::graph::{Graph, is_of_edges};
use crate::index::{RangeParts, shard_of};
use crate::persistent::image::{EdgeRows, Half, Image, ImageBuilder, IncomingRows};
use crate::persistent::segment::{
    IndexBase, RangeEntry, write_image, write_index_base, write_range_base,
};
use crate::persistent::{Installed, ShardName, home};
use crate::recovery::{Salvaged, complete_catalog};

/// New images of every graph.
pub(super) struct Rebuilt {
    graphs: Vec<(Arc<Graph>, Vec<Image>)>,
    pub(super) losses: Vec<String>,
}

impl Rebuilt {
    /// Whether there is no element in any graph.
    pub(super) fn is_empty(&self) -> bool {
        let mut images = self.graphs.iter().flat_map(|(_, images)| images);
        images.all(|image| image.records.get().is_ok_and(|records| records.iter().next().is_none()))
    }
}

/// An edge: source, target, slot in the partition that its id is of.
pub(super) type Edge = (u32, u32, u32);

/// A partition's edges of a type.
pub(super) type EdgesOf = (u32, EdgeTypeId);

/// Makes sound images of the salvaged content, in memory.
pub(super) fn rebuild(salvaged: &Salvaged) -> Result<Rebuilt> {
    let mut rebuilt = Rebuilt { graphs: Vec::new(), losses: Vec::new() };
    for graph in salvaged.graphs.all() {
        let at = LogPosition(salvaged.position);
        let images = graph.partitions.iter().map(|partition| partition.image_at(at));
        let old: Vec<Image> = images.collect::<Result<_>>()?;
        let new = rebuild_graph(&graph, &old, at, &mut rebuilt.losses)?;
        rebuilt.graphs.push((graph, new));
    }
    Ok(rebuilt)
}

fn rebuild_graph(
    graph: &Graph,
    old: &[Image],
    at: LogPosition,
    losses: &mut Vec<String>,
) -> Result<Vec<Image>> {
    let by_ordinal: BTreeMap<u32, &Image> =
        old.iter().map(|image| (image.ordinal, image)).collect();
    let exists = |vertex: u32| -> Result<bool> {
        let Some(image) = by_ordinal.get(&(vertex >> PARTITION_BITS)) else { return Ok(false) };
        Ok(image.records.get()?.exists(vertex as u16))
    };
    let mut kept: BTreeMap<EdgesOf, Vec<Edge>> = BTreeMap::new();
    let mut endless = 0;
    for (place, edge) in edges_of(old)? {
        match exists(edge.0)? && exists(edge.1)? {
            true => kept.entry(place).or_default().push(edge),
            false => endless += 1,
        }
    }
    if endless != 0 {
        losses.push(format!("graph {}: {endless} relationships whose ends are gone", graph.name));
    }
    let mut builders: BTreeMap<u32, ImageBuilder> = BTreeMap::new();
    for image in old {
        let builder = builders.entry(image.ordinal).or_default();
        add_vertices(builder, image)?;
    }
    let mut tell = |element: String, id: u64| {
        let (graph, detail) = (&graph.name, "the id it is shown under, which another one has");
        losses.push(format!("graph {graph}, {element}: {detail}; it is shown as {id} now"));
    };
    for (vertex, id) in external_ids::vertices_with_duplicate_ids(&by_ordinal)? {
        let builder = builders.entry(vertex >> PARTITION_BITS).or_default();
        builder.vertex_values(
            EXTERNAL_ID_KEY,
            &[vertex as u16],
            &encode_external([Some(id)].into_iter()),
        );
        tell(format!("node {vertex}"), id);
    }
    for ((ordinal, edge_type), edges) in &kept {
        let image = by_ordinal.get(ordinal).copied();
        add_edges(&mut builders, (*ordinal, *edge_type), edges, image)?;
    }
    for ((ordinal, edge_type), slot, id) in
        external_ids::edges_with_duplicate_ids(&kept, &by_ordinal)?
    {
        let builder = builders.entry(ordinal).or_default();
        let kept = encode_external([Some(id)].into_iter());
        builder.edge_values(edge_type, EXTERNAL_ID_KEY, &[slot], &kept);
        let edge = u64::from(ordinal) << EDGE_SLOT_BITS | u64::from(slot);
        tell(format!("relationship {edge}"), id);
    }
    builders.into_iter().map(|(ordinal, builder)| Ok(builder.finish(ordinal, at)?)).collect()
}

/// Every edge that anything tells of, once. Both ends have it in partitions that lie as far above
/// their own.
fn edges_of(images: &[Image]) -> Result<BTreeSet<(EdgesOf, Edge)>> {
    let mut edges = BTreeSet::new();
    let mut known = BTreeSet::new();
    for image in images {
        let base = home(image.ordinal) << PARTITION_BITS;
        for (&edge_type, section) in &image.edges {
            let slots: Vec<u32> = section.get()?.slots.iter().map(|(slot, _)| slot).collect();
            for (slot, ends) in slots.iter().zip(image.ends(edge_type, &slots)?) {
                if let Some((source, target)) = ends {
                    let edge = (base | u32::from(source), target, *slot);
                    edges.insert(((image.ordinal, edge_type), edge));
                    known.insert((image.ordinal, *slot));
                }
            }
        }
    }
    for image in images {
        let above = image.ordinal - home(image.ordinal);
        let base = home(image.ordinal) << PARTITION_BITS;
        for (&(edge_type, half), lists) in &image.lists {
            if half == Half::Out {
                continue;
            }
            for (local, list) in lists.get()?.iter() {
                for (source, slot) in list.iter() {
                    let ordinal = above + (source >> PARTITION_BITS);
                    // If the edge's own partition knows the slot, its entry counts.
                    if known.insert((ordinal, slot)) {
                        let edge = (source, base | u32::from(local), slot);
                        edges.insert(((ordinal, edge_type), edge));
                    }
                }
            }
        }
    }
    Ok(edges)
}

fn add_vertices(builder: &mut ImageBuilder, image: &Image) -> Result<()> {
    let records = image.records.get()?;
    for (local, labels) in records.iter() {
        builder.vertices(&[local], labels);
    }
    for (&key, column) in &image.vertex_columns {
        let column = column.get()?;
        let there =
            |(row, _): &(u32, Value)| u16::try_from(*row).is_ok_and(|at| records.exists(at));
        let (locals, values): (Vec<u16>, Vec<Value>) =
            column.iter().filter(there).map(|(row, value)| (row as u16, value)).unzip();
        builder.vertex_values(key, &locals, &Column::from_values(values));
    }
    Ok(())
}

fn add_edges(
    builders: &mut BTreeMap<u32, ImageBuilder>,
    (ordinal, edge_type): EdgesOf,
    edges: &[Edge],
    old: Option<&Image>,
) -> Result<()> {
    let sources: Vec<u16> = edges.iter().map(|edge| edge.0 as u16).collect();
    let targets: Vec<u32> = edges.iter().map(|edge| edge.1).collect();
    let slots: Vec<u32> = edges.iter().map(|edge| edge.2).collect();
    let rows = EdgeRows { sources: &sources, targets: &targets, slots: &slots };
    let builder = builders.entry(ordinal).or_default();
    builder.edges(edge_type, rows);
    if let Some(old) = old
        && let Some(section) = old.edges.get(&edge_type)
    {
        let section = section.get()?;
        for ((_, key), column) in old.edge_columns.iter().filter(|((own, _), _)| *own == edge_type)
        {
            let column = column.get()?;
            let value = |slot: &u32| Some((*slot, column.get(section.slots.row(*slot)?)?));
            let (slots, values): (Vec<u32>, Vec<Value>) = slots.iter().filter_map(value).unzip();
            builder.edge_values(edge_type, *key, &slots, &Column::from_values(values));
        }
    }
    let above = ordinal - home(ordinal);
    for (source, target, slot) in edges {
        let builder = builders.entry(above + (target >> PARTITION_BITS)).or_default();
        let (targets, sources, slots) = ([*target as u16], [*source], [*slot]);
        let rows = IncomingRows { targets: &targets, sources: &sources, slots: &slots };
        builder.incoming(edge_type, rows);
    }
    Ok(())
}

/// Writes the images and their index entries; returns the contents for the manifest.
pub(super) fn store(folder: &Folder, salvaged: &Salvaged, rebuilt: Rebuilt) -> Result<Contents> {
    let at = LogPosition(salvaged.position);
    let mut graphs = Vec::new();
    for (graph, images) in rebuilt.graphs {
        let mut installed = Vec::new();
        let mut bound = graph.leases.leased_end();
        for image in &images {
            let (file, _) = write_image(folder, graph.id, image)?;
            let shard = ShardName::Partition(image.ordinal);
            installed.push(Installed { shard, checkpoint: at.0, file: file.name });
            if let Some((last, _)) = image.records.get()?.iter().last() {
                let last = u64::from(image.ordinal) << PARTITION_BITS | u64::from(last);
                bound = bound.max(last + 1);
            }
        }
        let mut catalog = (*graph.catalog.newest()).clone();
        complete_catalog(&mut catalog, &graph, &images)?;
        write_indexes(folder, (&graph, &catalog, at), &images, &mut installed)?;
        graphs.push(GraphContents {
            id: graph.id,
            name: graph.name.clone(),
            leased_end: bound,
            next_index: graph.next_index(),
            catalog,
            installed,
        });
    }
    folder.sync()?;
    Ok(Contents {
        durability: salvaged.contents.durability,
        position: at.0,
        replay_from: at.0 + 1,
        last_graph_id: salvaged.graphs.last_id().max(salvaged.contents.last_graph_id),
        graphs,
    })
}

fn write_indexes(
    folder: &Folder,
    (graph, catalog, at): (&Graph, &Catalog, LogPosition),
    images: &[Image],
    installed: &mut Vec<Installed>,
) -> Result<()> {
    for index in &catalog.indexes {
        if index.kind.is_ordered() {
            write_ordered(folder, (graph, at, index), images, installed)?;
            continue;
        }
        let mut shards: BTreeMap<usize, Vec<(u64, u64)>> = BTreeMap::new();
        for image in images {
            let hashes = |values: Vec<Option<Value>>| {
                let values: Option<Vec<Value>> = values.into_iter().collect();
                let keys = values.map(keys_of).unwrap_or_default();
                Ok(keys.iter().filter_map(|values| hash_values(values)).collect())
            };
            for (hash, id) in entries(index, image, hashes)? {
                shards.entry(shard_of(hash)).or_default().push((hash, id));
            }
        }
        for (number, entries) in shards {
            let subject = (GraphId(graph.id.0), index.id, number as u32);
            let file = write_index_base(folder, subject, at, &IndexBase::of(entries))?;
            let shard = ShardName::Index(index.id, number as u32);
            installed.push(Installed { shard, checkpoint: at.0, file: file.name });
        }
    }
    Ok(folder.sync()?)
}

fn write_ordered(
    folder: &Folder,
    (graph, at, index): (&Graph, LogPosition, &IndexDefinition),
    images: &[Image],
    installed: &mut Vec<Installed>,
) -> Result<()> {
    let mut ordered: Vec<RangeEntry> = Vec::new();
    let maker = KeyMaker::of(index)?;
    for image in images {
        let keys_of = |values| {
            let mut keys = Vec::new();
            maker.each_of_values(values, |key| keys.push(key.to_vec()))?;
            Ok(keys)
        };
        ordered.append(&mut entries(index, image, keys_of)?);
    }
    ordered.sort_unstable();
    let mut parts = RangeParts::new(&[], RANGE_SHARD_BYTES_MAX);
    ordered.iter().for_each(|(key, id)| parts.push(key, &[*id]));
    for (number, (lower, base)) in (0..).zip(parts.finish()) {
        let subject = (graph.id, index.id, number);
        let (file, _) = write_range_base(folder, subject, at, (&lower, &base))?;
        let shard = ShardName::Index(index.id, number);
        installed.push(Installed { shard, checkpoint: at.0, file: file.name });
    }
    Ok(())
}

/// The index entries of the elements in an image: the key that their values make, and their ids.
fn entries<K>(
    index: &IndexDefinition,
    image: &Image,
    keys_of: impl Fn(Vec<Option<Value>>) -> Result<Vec<K>>,
) -> Result<Vec<(K, u64)>> {
    let mut entries = Vec::new();
    let mut add = |id: u64, values: Vec<Option<Value>>| {
        entries.extend(keys_of(values)?.into_iter().map(|key| (key, id)));
        Ok::<(), Error>(())
    };
    if is_of_edges(index.owner) {
        for (edge_type, section) in &image.edges {
            if !holds_type(index.owner, *edge_type) {
                continue;
            }
            let columns = index.keys.iter().map(|key| image.edge_columns.get(&(*edge_type, *key)));
            let columns = columns
                .map(|column| column.map(|column| column.get()).transpose())
                .collect::<crate::base::error::Result<Vec<_>>>()?;
            for (slot, row) in section.get()?.slots.iter() {
                let values = columns.iter().map(|column| column.as_ref()?.get(row)).collect();
                add(u64::from(image.ordinal) << EDGE_SLOT_BITS | u64::from(slot), values)?;
            }
        }
        return Ok(entries);
    }
    let columns = index.keys.iter().map(|key| image.vertex_columns.get(key));
    let columns = columns
        .map(|column| column.map(|column| column.get()).transpose())
        .collect::<crate::base::error::Result<Vec<_>>>()?;
    for (local, labels) in image.records.get()?.iter() {
        if holds_labels(index.owner, labels) {
            let values =
                columns.iter().map(|column| column.as_ref()?.get(u32::from(local))).collect();
            add(u64::from(image.ordinal) << PARTITION_BITS | u64::from(local), values)?;
        }
    }
    Ok(entries)
}
