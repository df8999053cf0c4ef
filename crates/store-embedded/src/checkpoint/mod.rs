//! Checkpoints: dirty shards become segments, so that the log may go and the next start is fast.
//!
//! ```text
//!   shard at one position ──> segment, synced ──> install record, durable ──> pointer swap
//!                                          │ all dirty shards
//!                                          v
//!                        next manifest ──> old segments, spill files and log files are removed
//! ```
//!
//! A checkpoint position is durable *and* applied, on an `async` folder too: a segment must never hold a commit that the log
//! may lose. Files go only when neither of the two manifests on disk needs them, and log files only below the position from
//! which the older of the two would replay.
//!
//! A partition with few changes beside its base is not merged: the changes go to a *delta layer*, the base stays where it is,
//! and nothing moves in memory. It is merged when its delta layers together cost as much as a merge, when an out-of-line
//! commit left a transaction layer, or when memory asks. The same holds for a shard of an ordered index; that of vectors is
//! merged, too, when searches have compared its changes often enough.
//!
//! A crash between any two of these steps is harmless: a segment is found by its install record or
//! by a manifest, and is garbage until then.
//!
//! The open folder is here because a writer at a bound waits for a checkpoint, and a checkpoint
//! needs the pipeline: [`OpenFolder`] has both. No operation of a client and no recovery enters.

mod closing;
mod contents;
mod files;
mod neighbours;
mod open;
mod roots;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use millrace_model::{Error, ErrorKind, GraphId, IndexId, Result};
use parking_lot::{Mutex, MutexGuard};

use crate::base::commit_limits::{
    DELAY_FROM_PERCENT, DELTA_LOOK_BYTES, DELTA_PER_LOG_BYTE, INSTALL_LOG_BYTES, INSTALLS_TOGETHER,
};
use crate::commit::WakeUp;
use crate::folder::Event;
use crate::graph::Graph;
use crate::io::{Bug, FileName, is_injected};
use crate::live::Partition;
use crate::persistent::{Installed, ShardName};

pub(crate) use contents::{CONTENTS_FORMAT, Contents, GraphContents, NAMES};
use files::ShardKey;
pub(crate) use files::{Files, RootFiles};
pub(crate) use open::{OpenFolder, OwnedPin};

/// The state of checkpoints: the files of the folder, and measurements.
pub(crate) struct Checkpoints {
    /// Notified when one is due before its time.
    pub(crate) wakeup: WakeUp,
    /// Whether one would pay for readers.
    is_wanted: AtomicBool,
    files: Mutex<Files>,
    /// Held by the one checkpoint under way.
    pub(crate) running: Mutex<()>,
    /// Bytes of changes in memory, as of the last look.
    delta_bytes: AtomicU64,
    /// Of those, the bytes that a checkpoint may free.
    fresh_bytes: AtomicU64,
    /// Bytes of commits in the log, and bytes of its files, when the last one began.
    written_before: AtomicU64,
    appended_before: AtomicU64,
    /// Bytes of the log's files that were used while the last one was under way.
    grew: AtomicU64,
    /// The position up to which the last one wrote everything.
    last_position: AtomicU64,
    /// Bytes written to the log when the deltas were measured last.
    looked_at: AtomicU64,
    count: AtomicU64,
    /// Delta layers written since the folder was opened.
    delta_layers: AtomicU64,
    /// Roots put in place since the folder was opened.
    installs: AtomicU64,
    failures: AtomicU64,
    last_failure: Mutex<Option<Error>>,
    pinned: Mutex<Pinned>,
}

/// Files that a backup copies, and that must not go before it is done.
#[derive(Default)]
struct Pinned {
    backups: usize,
    /// Files that went out of use meanwhile.
    waiting: Vec<FileName>,
}

/// Keeps every file of the folder but those of the log, until it is dropped.
pub(crate) struct PinnedFiles<'a> {
    open: &'a OpenFolder,
}

impl Drop for PinnedFiles<'_> {
    fn drop(&mut self) {
        let waiting = {
            let mut pinned = self.open.checkpoints.pinned.lock();
            pinned.backups -= 1;
            if pinned.backups == 0 { std::mem::take(&mut pinned.waiting) } else { Vec::new() }
        };
        for name in waiting.iter().filter(|_| self.open.folder.is_open()) {
            // Best effort: a file left behind is unreferenced and goes at the next open.
            let _ = self.open.machine.disk.remove(&self.open.folder.path_of(*name));
        }
    }
}

impl Checkpoints {
    /// Goes on with the files that recovery found.
    pub(crate) fn new(files: Files) -> Self {
        Self {
            wakeup: WakeUp::default(),
            is_wanted: AtomicBool::new(false),
            files: Mutex::new(files),
            running: Mutex::new(()),
            delta_bytes: AtomicU64::new(0),
            fresh_bytes: AtomicU64::new(0),
            written_before: AtomicU64::new(0),
            appended_before: AtomicU64::new(0),
            grew: AtomicU64::new(0),
            last_position: AtomicU64::new(0),
            looked_at: AtomicU64::new(0),
            count: AtomicU64::new(0),
            delta_layers: AtomicU64::new(0),
            installs: AtomicU64::new(0),
            failures: AtomicU64::new(0),
            last_failure: Mutex::new(None),
            pinned: Mutex::default(),
        }
    }

    /// A checkpoint would pay for readers.
    pub(crate) fn want(&self) {
        self.is_wanted.store(true, Ordering::Relaxed);
        self.wakeup.notify();
    }

    /// Waits for the checkpoint under way and keeps the next from beginning.
    pub(crate) fn pause(&self) -> MutexGuard<'_, ()> {
        self.running.lock()
    }

    /// Whether a backup is under way. None begins during a checkpoint.
    fn is_pinned(&self) -> bool {
        self.pinned.lock().backups != 0
    }

    /// The files that may be removed now; if a backup is under way they wait for its end.
    fn unless_pinned(&self, gone: Vec<FileName>) -> Vec<FileName> {
        let mut pinned = self.pinned.lock();
        if pinned.backups == 0 {
            return gone;
        }
        pinned.waiting.extend(gone);
        Vec::new()
    }

    /// Notes the root that takes the place of another.
    pub(crate) fn replace(&self, key: ShardKey, root: RootFiles) {
        self.files.lock().replace(key, root);
        self.installs.fetch_add(1, Ordering::Relaxed);
    }

    /// Notes a delta layer.
    pub(crate) fn note_delta_layer(&self) {
        self.delta_layers.fetch_add(1, Ordering::Relaxed);
    }

    /// Notes the files of an out-of-line commit: the log names them as long as it holds the commit.
    pub(crate) fn add_files(&self, position: u64, files: Vec<FileName>) {
        self.files.lock().out_of_line.insert(position, files);
    }

    /// Keeps the error of the last checkpoint, if it failed, for `/metrics` and other callers.
    pub(crate) fn note_outcome(&self, outcome: Result<()>) {
        if outcome.is_err() {
            self.failures.fetch_add(1, Ordering::Relaxed);
        }
        *self.last_failure.lock() = outcome.err();
    }

    /// The error of the last checkpoint, if it failed.
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

    /// The most bytes of changes that are in memory only: those of the last look, and an estimate for the log since.
    pub(crate) fn delta_estimate(&self, written: u64) -> u64 {
        let since = written.saturating_sub(self.looked_at.load(Ordering::Relaxed));
        self.delta_bytes() + since * DELTA_PER_LOG_BYTE
    }

    /// The same as of the last look: of partitions and of indexes, with the versions that both keep for older readers.
    pub(crate) fn delta_bytes(&self) -> u64 {
        self.delta_bytes.load(Ordering::Relaxed)
    }

    /// Delta layers written since the folder was opened.
    pub(crate) fn delta_layers(&self) -> u64 {
        self.delta_layers.load(Ordering::Relaxed)
    }

    /// Checkpoints done since the folder was opened.
    pub(crate) fn count(&self) -> u64 {
        self.count.load(Ordering::Relaxed)
    }
}

impl OpenFolder {
    /// Keeps the current files, except those of the log, until the returned value is dropped.
    pub(crate) fn pin_files(&self) -> PinnedFiles<'_> {
        self.checkpoints.pinned.lock().backups += 1;
        PinnedFiles { open: self }
    }

    /// Looks at the changes in memory, and returns whether a checkpoint is due.
    pub(crate) fn checkpoint_due(&self) -> bool {
        let (written, appended) = (self.pipeline.written_bytes(), self.pipeline.appended_bytes());
        let since = appended - self.checkpoints.appended_before.load(Ordering::Relaxed);
        let is_something_new = self.checkpoints.written_before.load(Ordering::Relaxed) < written;
        self.look_at_deltas(written);
        let fresh = self.checkpoints.fresh_bytes.load(Ordering::Relaxed);
        let is_wanted = self.checkpoints.is_wanted.load(Ordering::Relaxed);
        is_wanted
            || self.options.checkpoint_log_bytes <= since
            || self.options.checkpoint_delta_bytes <= fresh
            // Writers are stalled, perhaps by versions that only readers keep: the checkpoint ends
            // those readers.
            || self.is_delta_full()
            || (is_something_new && self.log_would_delay())
            || self.fills_the_disk()
            // At the bound writers are stalled, and nothing more is written that would end it: so
            // after a crash with a full log.
            || self.options.log_bytes_max <= self.pipeline.log_bytes()
    }

    /// Whether the disk is nearly full and a checkpoint would free a part of the log, which may be
    /// the cause. Writers are refused, so nothing else would end that.
    fn fills_the_disk(&self) -> bool {
        let is_something_new = self.checkpoints.last_position.load(Ordering::Relaxed)
            < self.pipeline.progress.applied();
        is_something_new && self.admission.checkpoint_helps()
    }

    /// Whether the log would grow beyond where writers are delayed, if a checkpoint took twice as
    /// long as the last one.
    fn log_would_delay(&self) -> bool {
        let grows = 2 * self.checkpoints.grew.load(Ordering::Relaxed);
        let delays_at = self.options.log_bytes_max / 100 * DELAY_FROM_PERCENT;
        delays_at <= self.pipeline.log_bytes() + grows
    }

    /// Measures the changes in memory if it is time. That is a walk over all partitions and
    /// indexes, so it needs enough writes since the last one, or an estimate by which a checkpoint
    /// is due. It is done too while the disk is too full for a checkpoint of the last measurement:
    /// fewer changes may be left, because versions that no reader needs are freed, and no write
    /// would cause another look.
    pub(crate) fn look_at_deltas(&self, written: u64) {
        let too_large = self.admission.is_read_only() && !self.admission.checkpoint_helps();
        let looked = self.checkpoints.looked_at.load(Ordering::Relaxed);
        let seems_due =
            self.options.checkpoint_delta_bytes <= self.checkpoints.delta_estimate(written);
        if looked + DELTA_LOOK_BYTES <= written || (looked < written && seems_due) || too_large {
            self.measure_deltas();
        }
    }

    /// Measures the changes in memory, the largest file that a checkpoint would write, and the room
    /// that its records need.
    pub(crate) fn measure_deltas(&self) {
        let written = self.pipeline.written_bytes();
        let (mut fresh, mut older, mut largest, mut installs) = (0, 0, 0, 0);
        for graph in self.graphs.all() {
            for partition in graph.partitions.iter() {
                let delta = partition.delta_bytes() as u64;
                fresh += delta;
                older += partition.older_bytes() as u64;
                if delta != 0 {
                    largest = largest.max(delta + partition.stored_bytes());
                }
            }
            installs += graph.partitions.iter().count().div_ceil(INSTALLS_TOGETHER);
            for index in graph.indexes.founded(&graph.catalog.newest()) {
                let bytes = graph.indexes.delta_bytes(index.id);
                fresh += bytes.fresh as u64;
                older += (bytes.all - bytes.fresh) as u64;
                let shards = graph.indexes.ordered(index.id).map_or(0, |index| index.all().len());
                installs += shards.div_ceil(INSTALLS_TOGETHER).max(1);
            }
        }
        self.checkpoints.looked_at.store(written, Ordering::Relaxed);
        self.checkpoints.delta_bytes.store(fresh + older, Ordering::Relaxed);
        self.checkpoints.fresh_bytes.store(fresh, Ordering::Relaxed);
        self.admission.note_pending(largest);
        self.pipeline.sequencer.room.keep(installs as u64 * INSTALL_LOG_BYTES);
    }

    fn is_delta_full(&self) -> bool {
        self.options.delta_bytes_max <= self.checkpoints.delta_bytes()
    }

    /// Frees older roots and index entries that only readers keep, if writers would be stalled
    /// although everything is written: a reader may stay for good, and writers may not wait so
    /// long.
    fn end_readers_if_full(&self) {
        if !self.is_delta_full() {
            return;
        }
        self.forget();
        self.measure_deltas();
        if !self.is_delta_full() {
            return;
        }
        for graph in self.graphs.all() {
            graph.partitions.iter().for_each(|partition| partition.end_readers());
            for index in graph.indexes.founded(&graph.catalog.newest()) {
                graph.indexes.end_readers(index.id);
            }
        }
        self.measure_deltas();
    }

    /// Writes every dirty shard to a segment, then a manifest, then frees files and log that are no
    /// longer needed.
    pub(crate) fn checkpoint(&self) -> Result<()> {
        let _running = self.lock_checkpoints();
        self.checkpoints.is_wanted.store(false, Ordering::Relaxed);
        self.pipeline.sequencer.check_taking()?;
        let (written, appended) = (self.pipeline.written_bytes(), self.pipeline.appended_bytes());
        let began = self.folder.watch().is_on().then(|| self.machine.clock.monotonic_ns());
        let segments_before = self.folder.segment_bytes_written();
        // Nothing that the checkpoint sees is freed until its segments are written.
        let pin = self.pin_checkpoint();
        let checkpoint = pin.position();
        self.write_all(checkpoint)?;
        // Twice: the one to fall back on needs no older log and no older files either, so both go.
        self.write_manifest()?;
        self.write_manifest()?;
        self.store_neighbours();
        self.sweep_neighbours();
        self.checkpoints.written_before.store(written, Ordering::Relaxed);
        self.checkpoints.appended_before.store(appended, Ordering::Relaxed);
        let grew = self.pipeline.appended_bytes() - appended;
        self.checkpoints.grew.store(grew, Ordering::Relaxed);
        self.checkpoints.last_position.store(checkpoint, Ordering::Relaxed);
        drop(pin);
        self.measure_deltas();
        self.end_readers_if_full();
        self.checkpoints.count.fetch_add(1, Ordering::Relaxed);
        began
            .into_iter()
            .for_each(|began_ns| self.note_checkpoint(checkpoint, began_ns, segments_before));
        Ok(())
    }

    fn note_checkpoint(&self, position: u64, began_ns: u64, segments_before: u64) {
        let took = Duration::from_nanos(self.machine.clock.monotonic_ns() - began_ns);
        let written_bytes = self.folder.segment_bytes_written() - segments_before;
        let log_bytes = self.pipeline.log_bytes();
        let event = Event::Checkpoint { position, took, written_bytes, log_bytes };
        self.folder.watch().note(event);
    }

    /// Writes every shard that is dirty at a checkpoint position. Where the disk fills up on the
    /// way, files replaced so far are freed, and the remaining shards are tried again.
    fn write_all(&self, checkpoint: u64) -> Result<()> {
        loop {
            let before = self.checkpoints.installs.load(Ordering::Relaxed);
            let outcome = self.write_dirty(checkpoint);
            let went_on = before < self.checkpoints.installs.load(Ordering::Relaxed);
            match outcome {
                Err(full) if full.kind == ErrorKind::ReadOnly && went_on => {
                    self.write_manifest()?;
                    self.write_manifest()?;
                }
                Ok(()) | Err(_) => return outcome,
            }
        }
    }

    fn write_dirty(&self, checkpoint: u64) -> Result<()> {
        let merged = self.merges_for_memory();
        for graph in self.graphs.all() {
            let merges = |partition: &Partition| {
                merged.contains(&(graph.id, ShardName::Partition(partition.ordinal())))
            };
            let dirty = graph.partitions.iter().filter(|partition| {
                merges(partition)
                    || partition.dirty_from().is_some_and(|dirty| dirty.0 <= checkpoint)
            });
            let ordinals: Vec<(u32, bool)> =
                dirty.map(|partition| (partition.ordinal(), merges(partition))).collect();
            self.write_partitions(&graph, &ordinals, checkpoint)?;
            self.write_indexes(&graph, checkpoint, &merged)?;
        }
        Ok(())
    }

    /// Makes sure that none of these partitions has a transaction layer: an out-of-line commit
    /// brings the next. Some are merged in any case.
    pub(crate) fn merge_layers(
        &self,
        graph: &Arc<Graph>,
        ordinals: &[u32],
        merged: &BTreeSet<u32>,
    ) -> Result<()> {
        let has_layer = |ordinal: &u32| {
            let partition = graph.partitions.get(Some(*ordinal));
            merged.contains(ordinal) || partition.is_some_and(|partition| partition.has_layer())
        };
        let has_layer: Vec<(u32, bool)> =
            ordinals.iter().copied().filter(has_layer).map(|ordinal| (ordinal, true)).collect();
        if has_layer.is_empty() {
            return Ok(());
        }
        let applied = self.pipeline.progress.applied();
        self.pipeline.progress.wait_durable(applied)?;
        let _running = self.lock_checkpoints();
        let pin = self.pin_checkpoint();
        self.write_partitions(graph, &has_layer, pin.position())
    }

    /// Writes a manifest of the current state, and frees files that neither it nor the one before
    /// needs.
    pub(crate) fn write_manifest(&self) -> Result<()> {
        let contents = self.pipeline.between_records(|applied| self.contents(applied));
        // The manifest must not be ahead of the log.
        self.pipeline.progress.wait_durable(contents.position)?;
        if is_injected(self.folder.disk(), Bug::FilesFreedEarly) {
            self.free_after(&contents)?;
        }
        contents.store(&self.folder)?;
        self.free_after(&contents)
    }

    /// The contents of the folder; to be called between two records.
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
            if !is_injected(self.folder.disk(), Bug::LogFreedEarly) {
                let dirty = founded.iter().filter_map(|index| graph.indexes.dirty_from(*index));
                replay_from = dirty.fold(replay_from, u64::min);
            }
            let range = (graph.id, ShardName::Partition(0))
                ..(GraphId(graph.id.0 + 1), ShardName::Partition(0));
            let installed = files.roots.range(range).map(|(_, root)| root.installed);
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
        let (gone, replay_from) = self.checkpoints.files.lock().rotate(contents);
        for name in self.checkpoints.unless_pinned(gone) {
            self.folder.remove_freed(name)?;
        }
        let released = self.pipeline.release_log(replay_from);
        // A backup reads files of the log by the handles that it has.
        let released = if self.checkpoints.is_pinned() { released.for_good() } else { released };
        if self.admission.is_read_only() { released.remove_all() } else { released.remove() }?;
        self.admission.look_soon();
        Ok(())
    }
}
