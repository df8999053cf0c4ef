//! The new roots of a checkpoint: written, logged, put in place.
//!
//! ```text
//!   partition ── few changes ──> delta layer ─┐
//!             └─ else: merged ─> image        ├─> files ──> install records, durable ──> pointers
//!   shard of an index ────────> its entries ──┤
//!   range of keys ─ few changes: delta layer ─┤
//!                 └ else: in parts if large ──┘
//! ```
//!
//! Files that were written before another file failed are installed all the same: they are durable,
//! and nothing else would ever remove them.

use std::collections::BTreeSet;
use std::sync::Arc;

use millrace_model::{IndexId, LogPosition, Result};

use crate::base::commit_limits::INSTALLS_TOGETHER;
use crate::base::limits::DELTA_EDGE_BYTES;
use crate::checkpoint::files::ShardKey;
use crate::checkpoint::{OpenFolder, RootFiles};
use crate::commit::{Effect, Pace, Physical, Purpose, Record};
use crate::graph::Graph;
use crate::index::{IndexBase, IndexShard, RangeIndex, RangeLayer, RangePart, RangeShard};
use crate::live::{DeltaLayer, EdgeRoom, Partition, PinnedSnapshots};
use crate::persistent::image::{Image, Section};
use crate::persistent::segment::{
    FilePositions, SegmentFile, stored_index_base, write_delta, write_image, write_index_base,
    write_range_base, write_range_changes,
};
use crate::persistent::{Installed, ShardName, segment};

/// A shard with its new segment, to be put in place once its record is durable.
struct Written {
    graph: Arc<Graph>,
    /// More than one if a shard of an ordered index was split.
    roots: Vec<RootFiles>,
    content: Content,
}

/// The content that is installed.
enum Content {
    /// A new base.
    Merged(Arc<Image>),
    /// Changes of a partition up to the checkpoint position, which stay in memory, and their bytes.
    Delta(u32, u64),
    /// A new base of a shard of an index.
    Index(IndexId, u32, Section<segment::IndexBase>),
    /// New bases of a shard of an ordered index, or of the parts it is split into.
    Ordered(IndexId, Vec<RangePart>),
    /// Changes of a shard of an ordered index, which stay in memory, and their bytes.
    OrderedDelta(IndexId, u32, u64),
}

/// Buffers in which delta layers are made, one after the other.
#[derive(Default)]
struct DeltaRoom {
    edges: EdgeRoom,
    bytes: Vec<u8>,
}

impl OpenFolder {
    /// The shards that must be merged because their deltas, together, are too large for memory: the largest, until half
    /// of the bound is left.
    pub(crate) fn merges_for_memory(&self) -> BTreeSet<ShardKey> {
        let mut deltas = Vec::new();
        for graph in self.graphs.all() {
            let of = |partition: &Arc<Partition>| {
                let shard = ShardName::Partition(partition.ordinal());
                (partition.delta_bytes() as u64, (graph.id, shard))
            };
            deltas.extend(graph.partitions.iter().map(of));
            for index in graph.indexes.founded(&graph.catalog.newest()) {
                let shards = graph.indexes.ordered(index.id).map(|ordered| ordered.all());
                let of = |shard: Arc<RangeShard>| {
                    let name = ShardName::Index(index.id, shard.number);
                    (shard.delta_bytes().fresh as u64, (graph.id, name))
                };
                deltas.extend(shards.into_iter().flatten().map(of));
            }
        }
        let mut left: u64 = deltas.iter().map(|(bytes, _)| *bytes).sum();
        let bound = self.options.checkpoint_delta_bytes;
        if left < bound {
            return BTreeSet::new();
        }
        deltas.sort_unstable_by(|one, other| other.cmp(one));
        let merged = deltas.into_iter().take_while(|(bytes, _)| {
            let goes_on = bound / 2 < left && *bytes != 0;
            left -= bytes;
            goes_on
        });
        merged.map(|(_, shard)| shard).collect()
    }

    /// Writes partitions, each with whether it must be merged.
    pub(crate) fn write_partitions(
        &self,
        graph: &Arc<Graph>,
        ordinals: &[(u32, bool)],
        checkpoint: u64,
    ) -> Result<()> {
        // Kept from one partition to the next: they are of similar size.
        let mut room = DeltaRoom::default();
        for some in ordinals.chunks(INSTALLS_TOGETHER) {
            let mut written = Vec::with_capacity(some.len());
            let outcome: Result<()> = some.iter().try_for_each(|(ordinal, merges)| {
                self.look_at_deltas(self.pipeline.written_bytes());
                self.folder.pacer().set_urgent(self.usage().pace() != Pace::Go);
                let delta = match *merges {
                    true => None,
                    false => self.write_delta(graph, *ordinal, checkpoint, &mut room)?,
                };
                written.push(match delta {
                    Some(delta) => delta,
                    None => self.write_partition(graph, *ordinal, checkpoint)?,
                });
                Ok(())
            });
            // Written files are installed even if the next one failed, so that no file is left
            // without an owner.
            self.install(written)?;
            // Writers that wait for memory go on as soon as there is some.
            self.measure_deltas();
            outcome?;
        }
        Ok(())
    }

    fn write_partition(
        &self,
        graph: &Arc<Graph>,
        ordinal: u32,
        checkpoint: u64,
    ) -> Result<Written> {
        let image = graph.partitions.get_or_create(ordinal).image_at(LogPosition(checkpoint))?;
        let (file, stored) = write_image(&self.folder, graph.id, &image)?;
        let roots = vec![root_files(ShardName::Partition(ordinal), &file)];
        // The merged sections are charged to the memory of segments, and are evicted if they exceed
        // its bound.
        drop(image);
        self.folder.memory().make_room();
        let content = Content::Merged(Arc::new(stored));
        Ok(Written { graph: Arc::clone(graph), roots, content })
    }

    /// Writes the changes of a partition since its base; `None` if it should be merged.
    fn write_delta(
        &self,
        graph: &Arc<Graph>,
        ordinal: u32,
        checkpoint: u64,
        room: &mut DeltaRoom,
    ) -> Result<Option<Written>> {
        let partition = graph.partitions.get_or_create(ordinal);
        let bytes_max = partition.delta_layer_bytes_max(self.options.merge_percent);
        let edges_max = usize::try_from(bytes_max / DELTA_EDGE_BYTES).unwrap_or(usize::MAX);
        let delta = partition.delta_at(LogPosition(checkpoint), edges_max, &mut room.edges)?;
        let Some(DeltaLayer { base, runs, changes }) = delta else { return Ok(None) };
        room.bytes.clear();
        let physical = Physical { changes, ..Physical::default() };
        physical.encode(&mut room.bytes)?;
        room.edges.give_back(physical.changes);
        if bytes_max <= room.bytes.len() as u64 {
            return Ok(None);
        }
        let delta = (LogPosition(checkpoint), room.bytes.as_slice());
        let file = write_delta(&self.folder, graph.id, (&base, &runs), delta)?;
        let roots = vec![root_files(ShardName::Partition(ordinal), &file)];
        let content = Content::Delta(ordinal, room.bytes.len() as u64);
        self.checkpoints.note_delta_layer();
        Ok(Some(Written { graph: Arc::clone(graph), roots, content }))
    }

    /// Writes the indexes of a graph; of the ordered ones some shards must be merged.
    pub(crate) fn write_indexes(
        &self,
        graph: &Arc<Graph>,
        checkpoint: u64,
        merged: &BTreeSet<ShardKey>,
    ) -> Result<()> {
        let catalog = graph.catalog.at(checkpoint);
        let founded: Vec<IndexId> = graph.indexes.founded(&catalog).map(|index| index.id).collect();
        founded.into_iter().try_for_each(|index| {
            let mut written = Vec::new();
            let outcome = self.write_index(graph, index, (checkpoint, false), &mut written);
            self.install(written)?;
            outcome?;
            let wants_merge =
                graph.indexes.ordered(index).is_some_and(|ordered| ordered.take_merge_wish());
            let merges = |shard: &RangeShard| {
                let key = (graph.id, ShardName::Index(index, shard.number));
                (wants_merge && shard.change_bytes() != 0) || merged.contains(&key)
            };
            let mut written = Vec::new();
            let outcome = self.write_ordered(graph, (index, checkpoint), &merges, &mut written);
            self.install(written)?;
            outcome
        })
    }

    /// Makes indexes that were built durable, and from then on a part of every checkpoint.
    pub(crate) fn found_indexes(
        &self,
        graph: &Arc<Graph>,
        indexes: &[IndexId],
        checkpoint: u64,
    ) -> Result<()> {
        // On an `async` folder the checkpoint position may be ahead of the disk.
        self.pipeline.progress.wait_durable(checkpoint)?;
        let _running = self.lock_checkpoints();
        let pin = self.pin_checkpoint();
        let mut written = Vec::new();
        let outcome = indexes.iter().try_for_each(|index| {
            self.write_index(graph, *index, (pin.position(), true), &mut written)?;
            let subject = (*index, pin.position());
            self.write_ordered(graph, subject, &RangeShard::has_base, &mut written)
        });
        self.install(written)?;
        outcome?;
        // No log after the pinned position is given up before `running` is free.
        indexes.iter().for_each(|index| graph.indexes.found(*index));
        Ok(())
    }

    /// Writes the shards of an index by hash: those that are dirty, or all that hold something.
    fn write_index(
        &self,
        graph: &Arc<Graph>,
        index: IndexId,
        (checkpoint, all): (u64, bool),
        written: &mut Vec<Written>,
    ) -> Result<()> {
        let Some(shards) = graph.indexes.get(index) else { return Ok(()) };
        let is_due = |shard: &IndexShard| {
            all && shard.has_base() || shard.dirty_from().is_some_and(|dirty| dirty.0 <= checkpoint)
        };
        let mut due = (0..).zip(shards.iter()).filter(|(_, shard)| is_due(shard));
        due.try_for_each(|(number, shard)| {
            let base = shard.base_at(LogPosition(checkpoint), |_| true)?;
            written.push(self.write_shard(graph, (index, number), &base)?);
            Ok(())
        })
    }

    /// Writes the shards of an ordered index that are dirty or must be merged; those that grew too large in parts.
    fn write_ordered(
        &self,
        graph: &Arc<Graph>,
        (index, checkpoint): (IndexId, u64),
        merges: &dyn Fn(&RangeShard) -> bool,
        written: &mut Vec<Written>,
    ) -> Result<()> {
        let Some(ordered) = graph.indexes.ordered(index) else { return Ok(()) };
        let is_due = |shard: &RangeShard| {
            merges(shard) || shard.dirty_from().is_some_and(|dirty| dirty.0 <= checkpoint)
        };
        let due: Vec<_> = ordered.all().into_iter().filter(|shard| is_due(shard)).collect();
        due.into_iter().try_for_each(|shard| {
            if INSTALLS_TOGETHER <= written.len() {
                self.install(std::mem::take(written))?;
            }
            let delta = match merges(&shard) {
                true => None,
                false => self.write_range_delta(graph, index, &shard, checkpoint)?,
            };
            written.push(match delta {
                Some(delta) => delta,
                None => self.write_range_shard(graph, (index, &ordered), &shard, checkpoint)?,
            });
            Ok(())
        })
    }

    /// Writes the changes of a shard since its base; `None` if it should be merged.
    fn write_range_delta(
        &self,
        graph: &Arc<Graph>,
        index: IndexId,
        shard: &RangeShard,
        checkpoint: u64,
    ) -> Result<Option<Written>> {
        let checkpoint = LogPosition(checkpoint);
        let Some(layer) = shard.layer_at(checkpoint, self.options.merge_percent)? else {
            return Ok(None);
        };
        let RangeLayer { base, entries, base_position, changes } = layer;
        let positions = FilePositions { checkpoint, base: base_position };
        let subject = (graph.id, index, shard.number);
        let below = (shard.lower.as_slice(), entries, &base);
        let (file, bytes) = write_range_changes(&self.folder, subject, positions, below, &changes)?;
        let roots = vec![root_files(ShardName::Index(index, shard.number), &file)];
        let content = Content::OrderedDelta(index, shard.number, bytes);
        self.checkpoints.note_delta_layer();
        Ok(Some(Written { graph: Arc::clone(graph), roots, content }))
    }

    fn write_range_shard(
        &self,
        graph: &Arc<Graph>,
        (index, ordered): (IndexId, &RangeIndex),
        shard: &RangeShard,
        checkpoint: u64,
    ) -> Result<Written> {
        let bases = shard.bases_at(LogPosition(checkpoint), self.options.range_shard_bytes)?;
        let numbers = [shard.number].into_iter().chain(ordered.new_numbers(bases.len() - 1));
        let (mut roots, mut parts) = (Vec::with_capacity(bases.len()), Vec::new());
        for (number, (lower, base)) in numbers.zip(bases) {
            let (name, entries) = ((graph.id, index, number), base.len() as u64);
            let (file, base) =
                write_range_base(&self.folder, name, LogPosition(checkpoint), (&lower, &base))?;
            roots.push(root_files(ShardName::Index(index, number), &file));
            parts.push(RangePart { number, lower, base: Arc::new(base), entries });
        }
        Ok(Written { graph: Arc::clone(graph), roots, content: Content::Ordered(index, parts) })
    }

    fn write_shard(
        &self,
        graph: &Arc<Graph>,
        (index, number): (IndexId, u32),
        base: &IndexBase,
    ) -> Result<Written> {
        let checkpoint = base.checkpoint;
        let pairs = base.entries.iter().map(|entry| (entry.hash, entry.id)).collect();
        let stored = segment::IndexBase::of(pairs);
        let file = write_index_base(&self.folder, (graph.id, index, number), checkpoint, &stored)?;
        let roots = vec![root_files(ShardName::Index(index, number), &file)];
        let content = Content::Index(index, number, stored_index_base(&file, stored)?);
        Ok(Written { graph: Arc::clone(graph), roots, content })
    }

    /// Logs that segments are there, waits until that is durable, and swaps the pointers.
    fn install(&self, written: Vec<Written>) -> Result<()> {
        if written.is_empty() {
            return Ok(());
        }
        if written.iter().any(|written| written.content.is_of_index()) {
            // Their names are not durable yet.
            self.folder.sync().inspect_err(|_| self.remove_unnamed(&written))?;
        }
        let records = written.iter().map(Written::record).collect::<Result<Vec<Record>>>();
        let last = records
            .and_then(|records| self.sequence_together(records, Purpose::Upkeep))
            .inspect_err(|_| self.remove_unnamed(&written))?;
        self.pipeline.progress.wait_durable(last)?;
        let pinned = self.pinned_snapshots();
        for Written { graph, roots, content } in written {
            let checkpoint = roots[0].installed.checkpoint;
            for root in roots {
                self.checkpoints.replace((graph.id, root.installed.shard), root);
            }
            content.swap(&graph, LogPosition(checkpoint), &pinned);
        }
        Ok(())
    }

    /// Removes written files that no record names.
    fn remove_unnamed(&self, written: &[Written]) {
        let roots = written.iter().flat_map(|written| &written.roots);
        for root in roots.filter(|_| self.folder.is_open()) {
            // Best effort: a file left behind is unreferenced and goes at the next open.
            let _ = self.machine.disk.remove(&self.folder.path_of(root.installed.file));
        }
    }
}

impl Written {
    /// Says that it is there.
    fn record(&self) -> Result<Record> {
        let effect = match self.roots.as_slice() {
            [root] => Effect::Installed(root.installed),
            parts => Effect::Split(parts.iter().map(|root| root.installed).collect()),
        };
        Ok(Record::new(&self.graph, effect)?)
    }
}

/// A root of a shard that was written.
fn root_files(shard: ShardName, file: &SegmentFile) -> RootFiles {
    let installed = Installed { shard, checkpoint: file.positions.checkpoint.0, file: file.name };
    RootFiles { installed, older: file.older() }
}

impl Content {
    fn is_of_index(&self) -> bool {
        match self {
            Content::Index(..) | Content::Ordered(..) | Content::OrderedDelta(..) => true,
            Content::Merged(_) | Content::Delta(..) => false,
        }
    }

    fn swap(self, graph: &Graph, checkpoint: LogPosition, pinned: &Arc<PinnedSnapshots>) {
        match self {
            Content::Merged(image) => {
                let partition = graph.partitions.get_or_create(image.ordinal);
                partition.install_base(image);
                // The root before it counts as memory that is used, and mostly no reader needs it.
                partition.forget(pinned);
            }
            Content::Delta(ordinal, bytes) => {
                graph.partitions.get_or_create(ordinal).note_saved(checkpoint, bytes);
            }
            Content::Index(index, number, stored) => {
                // An index that was dropped meanwhile needs no base.
                if let Some(shards) = graph.indexes.get(index) {
                    shards[number as usize].install_stored(checkpoint, index, stored);
                }
            }
            Content::OrderedDelta(index, number, bytes) => {
                if let Some(ordered) = graph.indexes.ordered(index) {
                    ordered.note_saved(number, checkpoint, bytes);
                }
            }
            Content::Ordered(index, parts) => {
                if let Some(ordered) = graph.indexes.ordered(index) {
                    ordered.install(parts, checkpoint);
                }
            }
        }
    }
}
