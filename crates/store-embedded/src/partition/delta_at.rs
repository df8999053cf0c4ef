//! What changed since the base, as the changes of one commit: what a checkpoint writes where
//! merging would cost too much.
//!
//! ```text
//!   base ──(changes of a delta image, applied at its cut)──> the partition at the cut
//! ```
//!
//! Only what is left in the end is in it: an edge that came and went is not. What a reader would
//! get wrong: it holds *this* partition's part only. An edge from elsewhere is in it for the sake
//! of its list here, and its values are in the partition of its source.

use std::collections::BTreeMap;
use std::sync::Arc;

use millrace_model::{Column, EdgeId, EdgeTypeId, KeyId, Position, Result, Value, VertexId};
use millrace_store::run::{EDGE_SLOT_BITS, PARTITION_BITS};
use millrace_store::{Changes, EdgeBlock, EdgeEnds, Labels, PropertyBlock, VertexBlock};

use super::image_at::Frozen;
use super::prefix::PrefixView;
use super::root::{Root, Sections};
use super::route::{Commit, route};
use super::{Partition, View, home};
use crate::image::{Half, Image, RunTable};
use crate::limits::EDGE_RUN_BITS;

/// A partition at a cut as its base and what changed since.
#[derive(Debug)]
pub struct DeltaImage {
    /// The base.
    pub base: Arc<Image>,
    /// Which runs of edge slots are leased, with those whose edges are gone again.
    pub runs: RunTable,
    /// What changed.
    pub changes: Changes,
}

/// The entries of in lists from other partitions that are not as the base has them.
#[derive(Default)]
struct Incoming {
    added: EdgeBlock,
    removed: Vec<EdgeEnds>,
}

impl Partition {
    /// What changed between the base and a cut that is visible and not forgotten. `None` if there
    /// is an overlay by then: only a merge can take it in.
    pub fn delta_at(&self, cut: Position) -> Result<Option<DeltaImage>> {
        let frozen = self.with_view(cut, |view| {
            let overlaid = view.root.overlay_at(cut).is_some();
            Ok((!overlaid).then(|| (frozen(view), view.root.delta.lists.keys().copied().collect())))
        })?;
        let Some((frozen, keys)) = frozen else { return Ok(None) };
        let keys: Vec<(EdgeTypeId, Half)> = keys;
        let mut changes = Changes::default();
        add_vertices(&frozen, self.ordinal, &mut changes)?;
        add_edges(&frozen, self.ordinal, &mut changes)?;
        for key in keys.into_iter().filter(|(_, half)| *half == Half::In) {
            let incoming =
                self.with_view(cut, |view| Incoming::of(view.root, key, cut, self.ordinal))?;
            incoming.add_to(key.0, &mut changes);
        }
        let mut runs = frozen.base.runs.clone();
        frozen.runs.iter().for_each(|(run, edges)| runs.lease(*run, edges.edge_type));
        Ok(Some(DeltaImage { base: frozen.base, runs, changes }))
    }

    /// Takes in what a delta image holds, on the base it was made on.
    pub fn restore(&self, cut: Position, changes: &Changes) -> Result<()> {
        let group = [Commit::new(cut, changes)];
        for part in route(&group).iter().filter(|part| part.ordinal == self.ordinal) {
            self.apply(&group, part)?;
        }
        self.note_saved(cut);
        Ok(())
    }
}

/// What a view has of changed elements.
fn frozen(view: View<'_>) -> Frozen {
    let View { at, root, .. } = view;
    let delta = &root.delta;
    let vertices = delta.vertices.iter();
    let edges = delta.edges.iter();
    Frozen {
        cut: at,
        base: root.base.clone(),
        overlay: None,
        vertices: vertices
            .filter_map(|(local, record)| Some((local, record.at(at)?.clone())))
            .collect(),
        runs: delta.runs.iter().map(|(run, edges)| (*run, edges.clone())).collect(),
        edges: edges.filter_map(|(slot, record)| Some((*slot, record.at(at)?.clone()))).collect(),
    }
}

fn vertex(ordinal: u32, local: u16) -> VertexId {
    VertexId(u64::from(home(ordinal)) << PARTITION_BITS | u64::from(local))
}

fn edge(ordinal: u32, slot: u32) -> EdgeId {
    EdgeId(u64::from(ordinal) << EDGE_SLOT_BITS | u64::from(slot))
}

/// Values by key, each with its owner.
type Values<Id> = BTreeMap<KeyId, (Vec<Id>, Column)>;

fn add_values<Id: Copy>(values: &mut Values<Id>, owner: Id, fields: &[(KeyId, Option<Value>)]) {
    for (key, value) in fields {
        let (owners, column) = values.entry(*key).or_default();
        owners.push(owner);
        column.push_entry(value.clone());
    }
}

fn blocks<Id>(values: Values<Id>) -> Vec<PropertyBlock<Id>> {
    let block = |(key, (owners, values))| PropertyBlock { key, owners, values };
    values.into_iter().map(block).collect()
}

fn add_vertices(frozen: &Frozen, ordinal: u32, changes: &mut Changes) -> Result<()> {
    let below = frozen.base.records.get()?;
    let mut created: BTreeMap<Labels, Vec<VertexId>> = BTreeMap::new();
    let mut values = Values::new();
    for (local, version) in &frozen.vertices {
        let vertex = vertex(ordinal, *local);
        match (version.exists, below.exists(*local), &version.labels) {
            (false, true, _) => changes.deleted_vertices.push(vertex),
            (true, true, Some(labels)) => changes.labels.push((vertex, labels.clone())),
            (true, false, labels) => {
                let labels = labels.clone().expect("a vertex is created with labels");
                created.entry(labels).or_default().push(vertex);
            }
            (true, true, None) | (false, false, _) => {}
        }
        if version.exists {
            add_values(&mut values, vertex, &version.fields);
        }
    }
    let block = |(labels, ids)| VertexBlock { labels, ids, properties: Vec::new() };
    changes.vertices = created.into_iter().map(block).collect();
    changes.vertex_properties = blocks(values);
    Ok(())
}

fn add_edges(frozen: &Frozen, ordinal: u32, changes: &mut Changes) -> Result<()> {
    for (run, edges) in &frozen.runs {
        let slot = |index: usize| run << EDGE_RUN_BITS | index as u32;
        let lives = |index: usize| frozen.edges.get(&slot(index)).is_none_or(|own| own.exists);
        let alive: Vec<(usize, (u16, u32))> =
            edges.created_ends(frozen.cut).filter(|(index, _)| lives(*index)).collect();
        if alive.is_empty() {
            continue;
        }
        let column = |key| {
            let mut column = Column::default();
            alive.iter().for_each(|(index, _)| column.push_entry(edges.get(*index, key)));
            (key, column)
        };
        changes.edges.push(EdgeBlock {
            edge_type: edges.edge_type,
            ids: alive.iter().map(|(index, _)| edge(ordinal, slot(*index))).collect(),
            sources: alive.iter().map(|(_, (source, _))| vertex(ordinal, *source)).collect(),
            targets: alive.iter().map(|(_, (_, to))| VertexId(u64::from(*to))).collect(),
            properties: edges.keys().map(column).collect(),
        });
    }
    let mut values = Values::new();
    for (slot, version) in &frozen.edges {
        if version.exists {
            add_values(&mut values, edge(ordinal, *slot), &version.fields);
        } else {
            changes.deleted_edges.extend(ends_in_base(frozen, ordinal, *slot)?);
        }
    }
    changes.edge_properties = blocks(values);
    Ok(())
}

/// The ends of an edge of the base that is deleted; `None` if the base has no such edge.
fn ends_in_base(frozen: &Frozen, ordinal: u32, slot: u32) -> Result<Option<EdgeEnds>> {
    let Some(edge_type) = frozen.base.runs.edge_type(slot) else { return Ok(None) };
    let ends = frozen.base.ends(edge_type, &[slot])?[0];
    Ok(ends.map(|(source, target)| EdgeEnds {
        edge: edge(ordinal, slot),
        edge_type,
        source: vertex(ordinal, source),
        target: VertexId(u64::from(target)),
    }))
}

impl Incoming {
    fn of(root: &Root, key: (EdgeTypeId, Half), cut: Position, ordinal: u32) -> Result<Incoming> {
        let mut incoming = Incoming::default();
        let Some(lists) = root.delta.lists.get(&key) else { return Ok(incoming) };
        incoming.reserve(lists.iter().map(|(_, list)| list.tail_len()).sum());
        let (edge_type, home) = (key.0, home(ordinal));
        let ends = |local: u16, (neighbour, slot): (u32, u32)| EdgeEnds {
            edge: edge(ordinal - home + (neighbour >> PARTITION_BITS), slot),
            edge_type,
            source: VertexId(u64::from(neighbour)),
            target: vertex(ordinal, local),
        };
        let from_elsewhere = |entry: &(u32, u32)| entry.0 >> PARTITION_BITS != home;
        let sections = Sections::of(root, key, cut)?;
        for (local, list) in lists.iter() {
            let view = list.view(cut);
            if matches!(view.prefix, PrefixView::Root) {
                let tail = view.tail.iter().filter(from_elsewhere);
                tail.for_each(|entry| incoming.push(&ends(local, entry)));
                continue;
            }
            let stored = sections.lists(local);
            let before: Vec<(u32, u32)> = stored.base_entries().collect();
            let now = view.entries(stored);
            let gone = |left: &[(u32, u32)], right: &[(u32, u32)]| {
                let missing = |entry: &&(u32, u32)| right.binary_search(entry).is_err();
                let entries = left.iter().filter(missing).copied().filter(from_elsewhere);
                entries.map(|entry| ends(local, entry)).collect::<Vec<_>>()
            };
            incoming.removed.extend(gone(&before, &now));
            gone(&now, &before).iter().for_each(|added| incoming.push(added));
        }
        Ok(incoming)
    }

    fn reserve(&mut self, edges: usize) {
        self.added.ids.reserve(edges);
        self.added.sources.reserve(edges);
        self.added.targets.reserve(edges);
    }

    #[inline]
    fn push(&mut self, added: &EdgeEnds) {
        self.added.ids.push(added.edge);
        self.added.sources.push(added.source);
        self.added.targets.push(added.target);
    }

    fn add_to(self, edge_type: EdgeTypeId, changes: &mut Changes) {
        changes.deleted_edges.extend(self.removed);
        if !self.added.ids.is_empty() {
            changes.edges.push(EdgeBlock { edge_type, ..self.added });
        }
    }
}
