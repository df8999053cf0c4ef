//! The changes since the base, as the changes of one commit. A checkpoint writes them as a delta
//! layer where a merge would cost too much.
//!
//! ```text
//!   base ──(changes of a delta layer, applied at its checkpoint position)──> the partition at the checkpoint position
//! ```
//!
//! It holds the final state only: an edge that was created and deleted since the base is not in it.
//! It holds *this* partition's part only. An edge from elsewhere is in it for the sake of its list
//! here, and its values are in the partition of its source.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use millrace_model::{Column, EdgeId, EdgeTypeId, KeyId, LogPosition, Result, Value, VertexId};
use millrace_store::run::{EDGE_SLOT_BITS, PARTITION_BITS};
use millrace_store::{Changes, EdgeBlock, EdgeEnds, Labels, PropertyBlock, VertexBlock};

use crate::base::limits::EDGE_RUN_BITS;
use crate::live::checkpoint::image_at::Frozen;
use crate::live::checkpoint::moving::pieces_of_pages;
use crate::live::list::prefix::PrefixView;
use crate::live::versions::edge_run::EdgeRun;
use crate::live::versions::root::{Entry, Sections};
use crate::live::write::route::{Commit, route};
use crate::live::{Partition, View};
use crate::persistent::home;
use crate::persistent::image::{Half, Image, RunTable};

/// A partition at a checkpoint position as its base and the changes since.
#[derive(Debug)]
pub struct DeltaLayer {
    /// The base.
    pub base: Arc<Image>,
    /// The leased runs of edge slots, including runs that have lost all their edges.
    pub runs: RunTable,
    /// The changes since the base.
    pub changes: Changes,
}

/// Blocks of edges that were used, for those to come: at every checkpoint they are as large again.
#[derive(Default)]
pub struct EdgeRoom {
    blocks: Vec<EdgeBlock>,
}

impl EdgeRoom {
    /// An empty block.
    fn take(&mut self, edge_type: EdgeTypeId) -> EdgeBlock {
        let mut block = self.blocks.pop().unwrap_or_default();
        let EdgeBlock { ids, sources, targets, .. } = &mut block;
        ids.clear();
        sources.clear();
        targets.clear();
        EdgeBlock { edge_type, ..block }
    }

    /// Takes back the blocks of a delta layer that was encoded.
    pub fn give_back(&mut self, changes: Changes) {
        self.blocks.extend(changes.edges.into_iter().filter(|block| block.properties.is_empty()));
    }
}

/// Names the lists of a type in one direction.
type ListsKey = (EdgeTypeId, Half);

/// The entries of in lists from other partitions that are not as the base has them.
struct Incoming {
    added: EdgeBlock,
    removed: Vec<EdgeEnds>,
}

impl Partition {
    /// The changes between the base and a checkpoint position, which is visible and pinned
    /// meanwhile. `None` if only a merge will do: there is a transaction layer by then, or more
    /// edges came and went than `edges_max`. The lock is taken for a piece at a time: appliers and
    /// readers wait for one at most.
    pub fn delta_at(
        &self,
        checkpoint: LogPosition,
        edges_max: usize,
        room: &mut EdgeRoom,
    ) -> Result<Option<DeltaLayer>> {
        self.delta_in_pieces((checkpoint, edges_max), room, &mut || ())
    }

    /// The same; `between` is called before each piece but the first.
    pub(in crate::live) fn delta_in_pieces(
        &self,
        (checkpoint, edges_max): (LogPosition, usize),
        room: &mut EdgeRoom,
        between: &mut dyn FnMut(),
    ) -> Result<Option<DeltaLayer>> {
        let Some((frozen, keys)) = self.frozen_at(checkpoint, between)? else { return Ok(None) };
        let Some(mut left) = edges_max.checked_sub(frozen.edges_in_runs()) else {
            return Ok(None);
        };
        let mut changes = Changes::default();
        for key in keys {
            let incoming = Incoming { added: room.take(key.0), removed: Vec::new() };
            let Some(incoming) = self.incoming_at(key, (checkpoint, left), incoming, between)?
            else {
                return Ok(None);
            };
            left -= incoming.len();
            incoming.add_to(&mut changes);
        }
        add_vertices(&frozen, self.ordinal, &mut changes)?;
        add_edges(&frozen, self.ordinal, &mut changes, room)?;
        let mut runs = frozen.base.runs.clone();
        frozen.runs.iter().for_each(|(run, edges)| runs.lease(*run, edges.edge_type));
        Ok(Some(DeltaLayer { base: frozen.base, runs, changes }))
    }

    /// The delta's records of elements, and the edge types with modified in lists. `None` if there
    /// is a transaction layer.
    fn frozen_at(
        &self,
        checkpoint: LogPosition,
        between: &mut dyn FnMut(),
    ) -> Result<Option<(Frozen, Vec<ListsKey>)>> {
        let begun = self.with_view(checkpoint, |View { root, .. }| {
            if root.layer_at(checkpoint).is_some() {
                return Ok(None);
            }
            let keys = root.delta.lists.keys().filter(|(_, half)| *half == Half::In);
            let keys = keys.copied().collect();
            Ok(Some((Frozen::begin(root, checkpoint), Frozen::pieces(&root.delta), keys)))
        })?;
        let Some((mut frozen, pieces, keys)) = begun else { return Ok(None) };
        for piece in pieces {
            between();
            self.with_view(checkpoint, |view| {
                frozen.look(&view.root.delta, piece);
                Ok(())
            })?;
        }
        Ok(Some((frozen, keys)))
    }

    /// Takes in the entries that are not as in the base, a piece under each lock; `None` if they
    /// are more than `most`.
    fn incoming_at(
        &self,
        key: ListsKey,
        (checkpoint, most): (LogPosition, usize),
        mut incoming: Incoming,
        between: &mut dyn FnMut(),
    ) -> Result<Option<Incoming>> {
        for pages in pieces_of_pages() {
            between();
            let fits =
                self.with_view(checkpoint, |view| incoming.take_in(view, (key, pages), most))?;
            if !fits {
                return Ok(None);
            }
        }
        Ok(Some(incoming))
    }

    /// Applies the changes of a delta layer of so many bytes to the base that it was made on.
    pub fn restore(&self, checkpoint: LogPosition, changes: &Changes, bytes: u64) -> Result<()> {
        let group = [Commit::new(checkpoint, changes)];
        for part in route(&group).iter().filter(|part| part.ordinal == self.ordinal) {
            self.apply(&group, part)?;
        }
        self.note_saved(checkpoint, bytes);
        Ok(())
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

fn add_edges(
    frozen: &Frozen,
    ordinal: u32,
    changes: &mut Changes,
    room: &mut EdgeRoom,
) -> Result<()> {
    // Edges without properties of their own share a block for each type.
    let mut plain: BTreeMap<EdgeTypeId, EdgeBlock> = BTreeMap::new();
    for (run, edges) in &frozen.runs {
        let slot = |index: usize| run << EDGE_RUN_BITS | index as u32;
        let lives = |index: usize| frozen.edges.get(&slot(index)).is_none_or(|own| own.exists);
        let alive = edges.created_ends(frozen.checkpoint).filter(|(index, _)| lives(*index));
        let push = |block: &mut EdgeBlock| {
            for (index, (source, target)) in alive {
                block.ids.push(edge(ordinal, slot(index)));
                block.sources.push(vertex(ordinal, source));
                block.targets.push(VertexId(u64::from(target)));
            }
        };
        if edges.keys().next().is_none() {
            let take = || room.take(edges.edge_type);
            push(plain.entry(edges.edge_type).or_insert_with(take));
            continue;
        }
        let mut block = EdgeBlock { edge_type: edges.edge_type, ..EdgeBlock::default() };
        push(&mut block);
        block.properties =
            edges.keys().map(|key| (key, values_of(edges, key, &block.ids))).collect();
        changes.edges.push(block);
    }
    changes.edges.extend(plain.into_values());
    changes.edges.retain(|block| !block.ids.is_empty());
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

/// The values of one key that edges of a run were created with.
fn values_of(run: &EdgeRun, key: KeyId, edges: &[EdgeId]) -> Column {
    let mut column = Column::default();
    let index = |edge: &EdgeId| crate::live::slot(*edge) as usize & ((1 << EDGE_RUN_BITS) - 1);
    edges.iter().for_each(|edge| column.push_entry(run.get(index(edge), key)));
    column
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

impl Frozen {
    /// How many edges the runs have.
    fn edges_in_runs(&self) -> usize {
        self.runs.values().map(|run| run.created_ends(self.checkpoint).count()).sum()
    }
}

impl Incoming {
    /// Takes in the entries of some pages of lists that are not as in the base; says whether they
    /// are no more than `most`.
    fn take_in(
        &mut self,
        View { ordinal, at: checkpoint, root }: View<'_>,
        (key, pages): (ListsKey, Range<usize>),
        most: usize,
    ) -> Result<bool> {
        let Some(lists) = root.delta.lists.get(&key) else { return Ok(true) };
        let (edge_type, home) = (key.0, home(ordinal));
        let ends = |local: u16, (neighbour, slot): (u32, u32)| EdgeEnds {
            edge: edge(ordinal - home + (neighbour >> PARTITION_BITS), slot),
            edge_type,
            source: VertexId(u64::from(neighbour)),
            target: vertex(ordinal, local),
        };
        let from_elsewhere = |entry: &(u32, u32)| entry.0 >> PARTITION_BITS != home;
        let sections = Sections::of(root, key, checkpoint)?;
        let mut lists = pages.flat_map(|page| lists.page(page));
        Ok(lists.all(|(local, list)| {
            let view = list.view(checkpoint);
            if matches!(view.prefix, PrefixView::Root) {
                let tail = view.tail.iter().filter(from_elsewhere);
                tail.for_each(|entry| self.push(&ends(local, entry)));
                return self.len() <= most;
            }
            let stored = sections.lists(local);
            let changed = view.len(stored).abs_diff(stored.base_len());
            if most < self.len() + changed {
                return false;
            }
            let now = view.entries(stored);
            for (entry, side) in differences(stored.base_entries(), now.into_iter()) {
                match side {
                    _ if !from_elsewhere(&entry) => {}
                    Side::Left => self.removed.push(ends(local, entry)),
                    Side::Right => self.push(&ends(local, entry)),
                }
            }
            self.len() <= most
        }))
    }

    fn len(&self) -> usize {
        self.added.ids.len() + self.removed.len()
    }

    #[inline]
    fn push(&mut self, added: &EdgeEnds) {
        self.added.ids.push(added.edge);
        self.added.sources.push(added.source);
        self.added.targets.push(added.target);
    }

    fn add_to(self, changes: &mut Changes) {
        changes.deleted_edges.extend(self.removed);
        if !self.added.ids.is_empty() {
            changes.edges.push(self.added);
        }
    }
}

/// Which of two lists has an entry that the other has not.
enum Side {
    Left,
    Right,
}

/// The entries that only one of two ascending lists has.
fn differences(
    left: impl Iterator<Item = Entry>,
    right: impl Iterator<Item = Entry>,
) -> impl Iterator<Item = (Entry, Side)> {
    let (mut left, mut right) = (left.peekable(), right.peekable());
    std::iter::from_fn(move || {
        loop {
            let order = match (left.peek(), right.peek()) {
                (Some(one), Some(other)) => one.cmp(other),
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (None, None) => return None,
            };
            match order {
                Ordering::Less => return left.next().map(|entry| (entry, Side::Left)),
                Ordering::Greater => return right.next().map(|entry| (entry, Side::Right)),
                Ordering::Equal => _ = (left.next(), right.next()),
            }
        }
    })
}
