//! Checkpoints: dirty shards become segments, so that the log may go and the next start is fast.
//!
//! ```text
//!   shard at one cut ──> segment, synced ──> install record, durable ──> pointer swap
//!                                     │ all dirty shards
//!                                     v
//!                   next manifest ──> old segments, side files and log files are removed
//! ```
//!
//! A cut is a position that is durable *and* applied, on an `async` folder too: a segment must
//! never hold what the log may lose. Files go only when neither of the two manifests that are kept
//! needs them, and log files only below what the older of the two would replay.
//!
//! What a reader would get wrong: a crash between any two of these steps is harmless, because a
//! segment is found by its install record or by a manifest, and is garbage until then.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use millrace_model::{Error, GraphId, IndexId, Position, Result};
use parking_lot::{Mutex, MutexGuard};

use crate::commit::limits::{DELTA_LOOK_BYTES, INSTALLS_TOGETHER};
use crate::commit::{Bell, Effect, Installed, Record, ShardName};
use crate::contents::{Contents, GraphContents};
use crate::folder::FileName;
use crate::graph::Graph;
use crate::image::Image;
use crate::index::{IndexBase, IndexShard, RangeIndex, RangePart, RangeShard};
use crate::open::OpenFolder;
use crate::segment::{self, write_image, write_index_base, write_range_base};

/// What checkpoints know of the files of a folder.
pub(crate) struct Checkpoints {
    /// Rung when one is due before its time.
    pub(crate) bell: Bell,
    files: Mutex<Files>,
    /// Held by the one checkpoint under way.
    running: Mutex<()>,
    delta_bytes: AtomicU64,
    /// Bytes written to the log when the last one began.
    written_before: AtomicU64,
    /// Bytes written to the log when the deltas were measured last.
    looked_at: AtomicU64,
    count: AtomicU64,
    failures: AtomicU64,
    last_failure: Mutex<Option<Error>>,
}

/// Which files hold what.
#[derive(Default)]
pub(crate) struct Files {
    /// The newest segment of each shard.
    pub(crate) installed: BTreeMap<(GraphId, ShardName), Installed>,
    /// Files of large commits, by position.
    pub(crate) large: BTreeMap<u64, Vec<FileName>>,
    /// Segments replaced since the newest manifest: it, or the log after it, may name them.
    pub(crate) replaced: BTreeSet<FileName>,
    /// Segments replaced before the newest manifest and after the one before: that one, or the log
    /// after it, may name them, and it is what an open falls back on.
    pub(crate) retiring: BTreeSet<FileName>,
    /// What the newest manifest names, and from where it replays.
    pub(crate) manifest: (BTreeSet<FileName>, u64),
}

/// A shard with its new segment, to be put in place once its record is durable.
enum Written {
    Partition(Arc<Graph>, Installed, Arc<Image>),
    Index(Arc<Graph>, IndexId, u32, Installed, Arc<IndexBase>),
    Ordered(Arc<Graph>, IndexId, Vec<(Installed, RangePart)>),
}

impl Checkpoints {
    /// Goes on with the files that recovery found.
    pub(crate) fn new(files: Files) -> Self {
        Self {
            bell: Bell::default(),
            files: Mutex::new(files),
            running: Mutex::new(()),
            delta_bytes: AtomicU64::new(0),
            written_before: AtomicU64::new(0),
            looked_at: AtomicU64::new(0),
            count: AtomicU64::new(0),
            failures: AtomicU64::new(0),
            last_failure: Mutex::new(None),
        }
    }

    /// Waits for the checkpoint under way and keeps the next from beginning.
    pub(crate) fn pause(&self) -> MutexGuard<'_, ()> {
        self.running.lock()
    }

    /// Notes the files of a large commit: the log names them as long as it holds the commit.
    pub(crate) fn add_files(&self, position: u64, files: Vec<FileName>) {
        self.files.lock().large.insert(position, files);
    }

    /// Keeps what went wrong with the last one, for `/metrics` and whoever asks.
    pub(crate) fn note_outcome(&self, outcome: Result<()>) {
        if outcome.is_err() {
            self.failures.fetch_add(1, Ordering::Relaxed);
        }
        *self.last_failure.lock() = outcome.err();
    }

    /// What went wrong with the last one.
    pub(crate) fn last_failure(&self) -> Option<Error> {
        self.last_failure.lock().clone()
    }

    /// Checkpoints that failed since the folder was opened.
    pub(crate) fn failures(&self) -> u64 {
        self.failures.load(Ordering::Relaxed)
    }

    /// Looks at the files.
    pub(crate) fn with_files<T>(&self, look: impl FnOnce(&Files) -> T) -> T {
        look(&self.files.lock())
    }

    /// Bytes of what is in memory only, as of the last look.
    pub(crate) fn delta_bytes(&self) -> u64 {
        self.delta_bytes.load(Ordering::Relaxed)
    }

    /// Checkpoints done since the folder was opened.
    pub(crate) fn count(&self) -> u64 {
        self.count.load(Ordering::Relaxed)
    }
}

impl OpenFolder {
    /// Looks at what is in memory, and says whether a checkpoint is due.
    pub(crate) fn checkpoint_due(&self) -> bool {
        let written = self.pipeline.written_bytes();
        let since = written - self.checkpoints.written_before.load(Ordering::Relaxed);
        self.look_at_deltas(written);
        let delta = self.checkpoints.delta_bytes();
        self.options.checkpoint_log_bytes <= since
            || self.options.checkpoint_delta_bytes <= delta
            || (self.options.log_bytes_max / 2 <= self.pipeline.log_bytes() && since != 0)
            // At the bound writers are held, and nothing more is written that would end it: so
            // after a crash with a full log.
            || self.options.log_bytes_max <= self.pipeline.log_bytes()
    }

    /// Measures what is in memory only: a walk over all that was touched, so only when enough was
    /// written since the last one.
    fn look_at_deltas(&self, written: u64) {
        let looked = self.checkpoints.looked_at.load(Ordering::Relaxed);
        if looked + DELTA_LOOK_BYTES <= written {
            self.checkpoints.looked_at.store(written, Ordering::Relaxed);
            let delta = self.graphs.all().iter().map(|graph| graph.delta_bytes()).sum();
            self.checkpoints.delta_bytes.store(delta, Ordering::Relaxed);
        }
    }

    /// Writes every dirty shard to a segment, then a manifest, then frees what nobody needs.
    pub(crate) fn checkpoint(&self) -> Result<()> {
        let _running = self.checkpoints.running.lock();
        self.pipeline.sequencer.check_taking()?;
        let written = self.pipeline.written_bytes();
        // Nothing that the cut sees is freed until its segments are written.
        let pin = self.pin_cut();
        let cut = pin.position();
        for graph in self.graphs.all() {
            let dirty =
                graph.partitions.iter().filter(|p| p.dirty_from().is_some_and(|d| d.0 <= cut));
            let ordinals: Vec<u32> = dirty.map(|partition| partition.ordinal()).collect();
            self.write_partitions(&graph, &ordinals, cut)?;
            self.write_indexes(&graph, cut)?;
        }
        self.write_manifest()?;
        self.checkpoints.written_before.store(written, Ordering::Relaxed);
        self.checkpoints.looked_at.store(written, Ordering::Relaxed);
        let delta = self.graphs.all().iter().map(|graph| graph.delta_bytes()).sum();
        self.checkpoints.delta_bytes.store(delta, Ordering::Relaxed);
        self.checkpoints.count.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }

    /// Makes sure that none of these partitions has an overlay: a large commit brings the next.
    pub(crate) fn merge_overlays(&self, graph: &Arc<Graph>, ordinals: &[u32]) -> Result<()> {
        let overlaid =
            |ordinal: &u32| graph.partitions.get(Some(*ordinal)).is_some_and(|p| p.has_overlay());
        let overlaid: Vec<u32> = ordinals.iter().copied().filter(overlaid).collect();
        if overlaid.is_empty() {
            return Ok(());
        }
        let applied = self.pipeline.progress.applied();
        self.pipeline.progress.wait_durable(applied)?;
        let _running = self.checkpoints.running.lock();
        let pin = self.pin_cut();
        self.write_partitions(graph, &overlaid, pin.position())
    }

    fn write_partitions(&self, graph: &Arc<Graph>, ordinals: &[u32], cut: u64) -> Result<()> {
        for some in ordinals.chunks(INSTALLS_TOGETHER) {
            let mut written = Vec::with_capacity(some.len());
            let outcome: Result<()> = some.iter().try_for_each(|ordinal| {
                written.push(self.write_partition(graph, *ordinal, cut)?);
                Ok(())
            });
            // What was written counts, though the next one failed: nothing lies about for nobody.
            self.install(written)?;
            outcome?;
        }
        Ok(())
    }

    fn write_partition(&self, graph: &Arc<Graph>, ordinal: u32, cut: u64) -> Result<Written> {
        let image = graph.partitions.get_or_create(ordinal).image_at(Position(cut))?;
        let (file, stored) = write_image(&self.folder, graph.id, &image)?;
        self.admission.note_segment(image.byte_size() as u64);
        let installed = Installed { shard: ShardName::Partition(ordinal), cut, file: file.name };
        // What was merged is counted from here on, and goes if it is too much.
        drop(image);
        self.folder.memory().make_room();
        Ok(Written::Partition(Arc::clone(graph), installed, Arc::new(stored)))
    }

    fn write_indexes(&self, graph: &Arc<Graph>, cut: u64) -> Result<()> {
        let catalog = graph.catalog.at(cut);
        let founded: Vec<IndexId> = graph.indexes.founded(&catalog).map(|index| index.id).collect();
        founded.into_iter().try_for_each(|index| {
            self.write_index(graph, index, cut, false)?;
            self.write_ordered(graph, index, cut, false)
        })
    }

    /// Makes an index that was built durable, and from then on a part of every checkpoint.
    pub(crate) fn found_index(&self, graph: &Arc<Graph>, index: IndexId, cut: u64) -> Result<()> {
        // On an `async` folder the cut may be ahead of the disk.
        self.pipeline.progress.wait_durable(cut)?;
        let _running = self.checkpoints.running.lock();
        let pin = self.pin_cut();
        self.write_index(graph, index, pin.position(), true)?;
        self.write_ordered(graph, index, pin.position(), true)?;
        // No log after the pinned position is given up before `running` is free.
        graph.indexes.found(index);
        Ok(())
    }

    /// Writes the shards of an index by hash: those that are dirty, or all that hold something.
    fn write_index(&self, graph: &Arc<Graph>, index: IndexId, cut: u64, all: bool) -> Result<()> {
        let Some(shards) = graph.indexes.get(index) else { return Ok(()) };
        let mut written = Vec::new();
        let is_due = |shard: &IndexShard| {
            all && shard.has_base() || shard.dirty_from().is_some_and(|dirty| dirty.0 <= cut)
        };
        let mut due = (0..).zip(shards.iter()).filter(|(_, shard)| is_due(shard));
        let outcome: Result<()> = due.try_for_each(|(number, shard)| {
            let base = shard.base_at(Position(cut), |_| true);
            written.push(self.write_shard(graph, (index, number), base)?);
            Ok(())
        });
        self.install(written)?;
        outcome
    }

    /// Writes the shards of an ordered index; those that grew too large in parts.
    fn write_ordered(&self, graph: &Arc<Graph>, index: IndexId, cut: u64, all: bool) -> Result<()> {
        let Some(ordered) = graph.indexes.ordered(index) else { return Ok(()) };
        let is_due = |shard: &RangeShard| {
            all && shard.has_base() || shard.dirty_from().is_some_and(|dirty| dirty.0 <= cut)
        };
        let due: Vec<_> = ordered.all().into_iter().filter(|shard| is_due(shard)).collect();
        for some in due.chunks(INSTALLS_TOGETHER) {
            let mut written = Vec::with_capacity(some.len());
            let outcome: Result<()> = some.iter().try_for_each(|shard| {
                written.push(self.write_range_shard(graph, (index, &ordered), shard, cut)?);
                Ok(())
            });
            self.install(written)?;
            outcome?;
        }
        Ok(())
    }

    fn write_range_shard(
        &self,
        graph: &Arc<Graph>,
        (index, ordered): (IndexId, &RangeIndex),
        shard: &RangeShard,
        cut: u64,
    ) -> Result<Written> {
        let bases = shard.bases_at(Position(cut), self.options.range_shard_bytes)?;
        let numbers = [shard.number].into_iter().chain(ordered.new_numbers(bases.len() - 1));
        let mut parts = Vec::with_capacity(bases.len());
        for (number, (lower, base)) in numbers.zip(bases) {
            let name = (graph.id, index, number);
            let (file, base) =
                write_range_base(&self.folder, name, Position(cut), (&lower, &base))?;
            let shard = ShardName::Index(index, number);
            let installed = Installed { shard, cut, file: file.name };
            parts.push((installed, RangePart { number, lower, base: Arc::new(base) }));
        }
        Ok(Written::Ordered(Arc::clone(graph), index, parts))
    }

    fn write_shard(
        &self,
        graph: &Arc<Graph>,
        (index, number): (IndexId, u32),
        base: IndexBase,
    ) -> Result<Written> {
        let cut = base.cut;
        let pairs = base.entries.iter().map(|entry| (entry.hash, entry.id)).collect();
        let stored = segment::IndexBase::of(pairs);
        let file = write_index_base(&self.folder, (graph.id, index, number), cut, &stored)?;
        let shard = ShardName::Index(index, number);
        let installed = Installed { shard, cut: cut.0, file: file.name };
        Ok(Written::Index(Arc::clone(graph), index, number, installed, Arc::new(base)))
    }

    /// Logs that segments are there, waits until that is durable, and swaps the pointers.
    fn install(&self, written: Vec<Written>) -> Result<()> {
        let mut last = 0;
        for shard in &written {
            let (graph, mut installed) = shard.named();
            let effect = match installed.len() {
                1 => Effect::Installed(installed.remove(0)),
                _ => Effect::Split(installed),
            };
            let record = Record::new(graph, effect)?;
            last = self.pipeline.sequence_freely(record)?;
        }
        self.pipeline.progress.wait_durable(last)?;
        for shard in written {
            let (graph, installed) = shard.named();
            let mut files = self.checkpoints.files.lock();
            for installed in installed {
                let key = (graph.id, installed.shard);
                if let Some(before) = files.installed.insert(key, installed) {
                    files.replaced.insert(before.file);
                }
            }
            drop(files);
            shard.swap();
        }
        Ok(())
    }

    /// Writes a manifest of what there is, and frees what neither it nor the one before needs.
    pub(crate) fn write_manifest(&self) -> Result<()> {
        let contents = self.pipeline.between_records(|applied| self.contents(applied));
        // What the manifest says must not be ahead of the log.
        self.pipeline.progress.wait_durable(contents.position)?;
        contents.store(&self.folder)?;
        self.free_after(&contents)
    }

    /// What the folder holds; to be called between two records.
    fn contents(&self, position: u64) -> Contents {
        let files = self.checkpoints.files.lock();
        let mut replay_from = position + 1;
        let mut graphs = Vec::new();
        for graph in self.graphs.all() {
            let dirty = graph.partitions.iter().filter_map(|partition| partition.dirty_from());
            replay_from = dirty.map(|dirty| dirty.0).fold(replay_from, u64::min);
            let catalog = graph.catalog.newest();
            let founded: Vec<IndexId> =
                graph.indexes.founded(&catalog).map(|index| index.id).collect();
            let dirty = founded.iter().filter_map(|index| graph.indexes.dirty_from(*index));
            replay_from = dirty.fold(replay_from, u64::min);
            let range = (graph.id, ShardName::Partition(0))
                ..(GraphId(graph.id.0 + 1), ShardName::Partition(0));
            let installed = files.installed.range(range).map(|(_, installed)| *installed);
            let lives = |installed: &Installed| match installed.shard {
                ShardName::Partition(_) => true,
                ShardName::Index(index, _) => founded.contains(&index),
            };
            graphs.push(GraphContents {
                id: graph.id,
                name: graph.name.clone(),
                leased_end: graph.leases.leased_end(),
                next_index: graph.next_index(),
                catalog: (*catalog).clone(),
                installed: installed.filter(lives).collect(),
            });
        }
        let last_graph_id = self.graphs.last_id();
        Contents { durability: self.durability, position, replay_from, last_graph_id, graphs }
    }

    /// Frees the files that only an older manifest named, now that a newer one is durable.
    fn free_after(&self, contents: &Contents) -> Result<()> {
        let (gone, replay_from) = self.checkpoints.files.lock().turn(contents);
        for name in gone {
            self.machine.disk.remove(&self.folder.path_of(name))?;
        }
        self.pipeline.release_log(replay_from).remove()?;
        self.admission.look_soon();
        Ok(())
    }
}

impl Files {
    /// Goes over to a new manifest: what is needed no more, and from where on the log still is.
    fn turn(&mut self, contents: &Contents) -> (Vec<FileName>, u64) {
        let shards = contents.graphs.iter().flat_map(|graph| &graph.installed);
        let named: BTreeSet<FileName> = shards.map(|installed| installed.file).collect();
        let (before, before_from) =
            std::mem::replace(&mut self.manifest, (named.clone(), contents.replay_from));
        // Shards of graphs and indexes that are no more.
        let ids: BTreeSet<GraphId> = contents.graphs.iter().map(|graph| graph.id).collect();
        let lost: Vec<_> = self
            .installed
            .iter()
            .filter(|((graph, _), installed)| {
                !ids.contains(graph) || !named.contains(&installed.file)
            })
            .map(|(key, installed)| (*key, installed.file))
            .collect();
        for (key, file) in lost {
            self.installed.remove(&key);
            self.replaced.insert(file);
        }
        let retired = std::mem::replace(&mut self.retiring, std::mem::take(&mut self.replaced));
        let needed = |file: &FileName| named.contains(file) || before.contains(file);
        let mut gone: Vec<FileName> = retired.into_iter().filter(|file| !needed(file)).collect();
        let replay_from = before_from.min(contents.replay_from);
        let kept = self.large.split_off(&replay_from);
        gone.extend(std::mem::replace(&mut self.large, kept).into_values().flatten());
        (gone, replay_from)
    }
}

impl Written {
    fn named(&self) -> (&Arc<Graph>, Vec<Installed>) {
        match self {
            Written::Partition(graph, installed, _) | Written::Index(graph, _, _, installed, _) => {
                (graph, vec![*installed])
            }
            Written::Ordered(graph, _, parts) => {
                (graph, parts.iter().map(|(installed, _)| *installed).collect())
            }
        }
    }

    fn swap(self) {
        match self {
            Written::Partition(graph, _, image) => {
                graph.partitions.get_or_create(image.ordinal).install_base(image);
            }
            Written::Index(graph, index, number, _, base) => {
                // An index that was dropped meanwhile needs no base.
                if let Some(shards) = graph.indexes.get(index) {
                    shards[number as usize].install_base(base);
                }
            }
            Written::Ordered(graph, index, parts) => {
                if let Some(ordered) = graph.indexes.ordered(index) {
                    let cut = Position(parts[0].0.cut);
                    ordered.install(parts.into_iter().map(|(_, part)| part).collect(), cut);
                }
            }
        }
    }
}
