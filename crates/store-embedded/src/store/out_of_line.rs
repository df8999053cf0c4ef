//! Out-of-line commits: their writes go to files beside the log, which one small frame names.
//!
//! ```text
//!   created vertices and edges ── BulkBuilder ──> a transaction layer for each partition: segment files
//!   everything else, index entries ─────────────> spill files
//!   all synced, then the folder ──> a place behind earlier transaction layers ──> one frame
//! ```
//!
//! A partition has at most one transaction layer, so an out-of-line commit waits until the one
//! before it is merged; small commits do not. The files count for nothing until their frame is in
//! the log. Those of a commit that lost are removed here, those of a crash at the next open.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use millrace_model::{Bits, Error, ErrorKind, Phase, Result, VertexId};
use millrace_store::{Changes, WriteBatch};
use parking_lot::{MutexGuard, RwLockReadGuard};

use crate::base::commit_limits::SPILL_PART_ENTRIES;
use crate::checkpoint::OpenFolder;
use crate::commit::prepare::Prepared;
use crate::commit::{Effect, Footprint, OutOfLineFiles, Physical, Purpose, Record, Submission};
use crate::graph::Graph;
use crate::io::FileName;
use crate::persistent::bulk::{BulkBuilder, BulkError, LoadTarget, write_durable_spill_file};
use crate::persistent::image::Image;
use crate::persistent::segment::write_image;

/// An out-of-line commit on its way: parts are sorted out as they are judged, so that only one is
/// in memory at a time, and the elements that they create become transaction layers within a bound
/// on memory. Nothing is made before the first part comes.
pub(crate) struct OutOfLine<'a> {
    files: Files<'a>,
    /// Made when there are enough rows for transaction layers; those before it are in spill files.
    builder: Option<BulkBuilder>,
    created_rows: usize,
}

impl<'a> OutOfLine<'a> {
    pub(crate) fn new(open: &'a OpenFolder, graph: &'a Arc<Graph>) -> Self {
        Self { files: Files::new(open, graph), builder: None, created_rows: 0 }
    }

    /// Takes a part.
    pub(crate) fn push(&mut self, mut changes: Changes) -> Result<()> {
        let open = self.files.open;
        self.created_rows += created_rows(&changes);
        // Few rows are applied faster than a transaction layer is merged.
        if self.builder.is_none() && open.options.layer_rows_min <= self.created_rows {
            self.builder = Some(open.bulk_builder());
        }
        // A transaction layer lies below the delta, where a vertex with an id that is given again
        // is still gone.
        let partitions = &self.files.graph.partitions;
        let again = || changes.vertices.iter().any(|block| partitions.any_in_delta(&block.ids));
        if let Some(builder) = self.builder.as_mut().filter(|_| !again()) {
            builder.push(&mut changes).map_err(load_error)?;
        }
        self.files.add_part(Physical { changes, ..Physical::default() })
    }

    /// Takes the part in memory and the index entries of all parts, and orders the commit. `alone`:
    /// the caller holds the graph so that no other commit writes.
    pub(crate) fn finish(
        mut self,
        batch: WriteBatch,
        prepared: Prepared,
        alone: bool,
    ) -> Result<u64> {
        self.files.alone = alone;
        let Prepared { index_delta, mut footprint } = prepared;
        // The holder of the ticket may wait for this commit: its ticket would end only by lapsing.
        footprint.ignores_queue |= alone;
        self.files.named.small.origin = batch.origin;
        self.push(batch.changes)?;
        if let Some(builder) = self.builder {
            builder.finish(&mut self.files).map_err(load_error)?;
        }
        self.files.add_part(index_delta.of(Changes::default()))?;
        self.files.sequence(footprint, batch.snapshot.0)
    }
}

/// Held by the out-of-line commit that is ordered next, with its graph unless that is held alone.
type First<'a> = (MutexGuard<'a, ()>, Option<RwLockReadGuard<'a, ()>>);

/// The files of an out-of-line commit; removed again unless its frame is queued.
pub(crate) struct Files<'a> {
    open: &'a OpenFolder,
    graph: &'a Arc<Graph>,
    named: OutOfLineFiles,
    kept: bool,
    /// Whether the committer holds the graph alone.
    alone: bool,
    /// Partitions that remember a deleted vertex with an id that is given again.
    merged_before: BTreeSet<u32>,
}

impl<'a> Files<'a> {
    pub(crate) fn new(open: &'a OpenFolder, graph: &'a Arc<Graph>) -> Self {
        let merged_before = BTreeSet::new();
        Self {
            open,
            graph,
            named: OutOfLineFiles::default(),
            kept: false,
            alone: false,
            merged_before,
        }
    }

    /// A partition must forget the state before its transaction layer.
    pub(crate) fn merge_before(&mut self, ordinal: u32) {
        self.merged_before.insert(ordinal);
    }

    /// Writes a part to spill files. Schema changes stay in the frame: they are few, and first.
    pub(crate) fn add_part(&mut self, mut part: Physical) -> Result<()> {
        self.named.small.changes.catalog.append(&mut part.changes.catalog);
        pieces(part).iter().try_for_each(|piece| self.write_part(piece))
    }

    /// Orders the commit, after all its files are durable and earlier transaction layers are
    /// merged.
    pub(crate) fn sequence(mut self, mut footprint: Footprint, snapshot: u64) -> Result<u64> {
        self.open.folder.sync()?;
        let (_only_one, shared) = self.pass(&footprint)?;
        // Too much work to be sent back because another commit was granted a ticket since.
        footprint.ignores_queue = true;
        let files: Vec<FileName> = self.named.files().collect();
        let effect = Effect::OutOfLine(Box::new(std::mem::take(&mut self.named)));
        let record = Record::new(self.graph, effect).inspect_err(|_| self.remove(&files))?;
        self.graph.check_there().inspect_err(|_| self.remove(&files))?;
        let position = self
            .open
            .sequence(Submission { record, footprint, snapshot }, Purpose::Change)
            .inspect_err(|_| self.remove(&files))?;
        drop(shared);
        self.kept = true;
        self.open.checkpoints.add_files(position, files);
        // The next out-of-line commit must see these transaction layers in place.
        self.open
            .pipeline
            .progress
            .wait(None, || position <= self.open.pipeline.progress.applied())?;
        Ok(position)
    }

    /// Comes first of the out-of-line commits, when no ticket is held for the keys that this one
    /// changes: so of all that were begun before a ticket was granted, one may still overtake it.
    fn pass(&self, footprint: &Footprint) -> Result<First<'a>> {
        let queue = &self.open.pipeline.sequencer.table.queue;
        loop {
            let first = self.come_first()?;
            let keys = footprint.set_keys();
            if footprint.ignores_queue || queue.pass(footprint.ticket, false, &keys).is_ok() {
                return Ok(first);
            }
            drop(first);
            queue.pass(footprint.ticket, self.open.threaded, &keys)?;
        }
    }

    /// Waits until earlier transaction layers are merged, and holds the graph. The commit that is
    /// first never waits for a drop of the graph.
    fn come_first(&self) -> Result<First<'a>> {
        let (open, graph): (&'a OpenFolder, &'a Arc<Graph>) = (self.open, self.graph);
        let ordinals: Vec<u32> = self.named.layers.iter().map(|(ordinal, _)| *ordinal).collect();
        let mut shared = None;
        loop {
            let first = open.acquire(|| open.out_of_line.lock(), || open.out_of_line.try_lock());
            open.merge_layers(graph, &ordinals, &self.merged_before)?;
            if self.alone {
                return Ok((first, None));
            }
            if let Some(shared) = shared.take().or_else(|| graph.dropping.try_read()) {
                return Ok((first, Some(shared)));
            }
            drop(first);
            shared = Some(open.lock_shared(graph));
        }
    }

    /// Writes the elements that the commit creates in a partition; returns the image as stored on
    /// disk.
    pub(crate) fn write_layer(&mut self, image: &Image) -> Result<Arc<Image>> {
        let (file, stored) = write_image(&self.open.folder, self.graph.id, image)?;
        let stored = Arc::new(stored);
        self.named.layers.push((stored.ordinal, file.name));
        self.named.images.push(Arc::clone(&stored));
        Ok(stored)
    }

    fn write_part(&mut self, part: &Physical) -> Result<()> {
        let mut bytes = Vec::new();
        part.encode(&mut bytes)?;
        let name = write_durable_spill_file(&self.open.folder, self.graph.id, &bytes)?;
        self.named.parts.push(name);
        Ok(())
    }

    fn remove(&self, files: &[FileName]) {
        for name in files.iter().filter(|_| self.open.folder.is_open()) {
            // Best effort: a file left behind is unreferenced and goes at the next open.
            let _ = self.open.machine.disk.remove(&self.open.folder.path_of(*name));
        }
    }
}

impl Drop for Files<'_> {
    fn drop(&mut self) {
        if !self.kept {
            let files: Vec<FileName> = self.named.files().collect();
            self.remove(&files);
        }
    }
}

impl LoadTarget for Files<'_> {
    fn exist(&mut self, vertices: &[VertexId]) -> Result<Bits> {
        // Judged before, and some may be in spill files of the same commit.
        let mut exist = Bits::default();
        vertices.iter().for_each(|_| exist.push(true));
        Ok(exist)
    }

    fn lease_runs(&mut self, ordinal: u32, runs: u32) -> Result<Range<u32>> {
        self.graph.partitions.lease_runs(ordinal, runs)
    }

    fn take(&mut self, image: Image) -> Result<()> {
        self.write_layer(&image).map(|_| ())
    }
}

fn created_rows(changes: &Changes) -> usize {
    let vertices: usize = changes.vertices.iter().map(|block| block.ids.len()).sum();
    vertices + changes.edges.iter().map(|block| block.ids.len()).sum::<usize>()
}

/// A part without nothing, its index entries in pieces that fit a spill file.
fn pieces(part: Physical) -> Vec<Physical> {
    let Physical { changes, index_added, index_removed, ordered_added, ordered_removed, origin: _ } =
        part;
    let mut pieces = Vec::new();
    if !changes.is_empty() {
        pieces.push(Physical { changes, ..Physical::default() });
    }
    for removed in index_removed.chunks(SPILL_PART_ENTRIES) {
        pieces.push(Physical { index_removed: removed.to_vec(), ..Physical::default() });
    }
    for added in index_added.chunks(SPILL_PART_ENTRIES) {
        pieces.push(Physical { index_added: added.to_vec(), ..Physical::default() });
    }
    for removed in ordered_removed.chunks(SPILL_PART_ENTRIES) {
        pieces.push(Physical { ordered_removed: removed.to_vec(), ..Physical::default() });
    }
    for added in ordered_added.chunks(SPILL_PART_ENTRIES) {
        pieces.push(Physical { ordered_added: added.to_vec(), ..Physical::default() });
    }
    pieces
}

/// The client's error when a load fails.
pub(crate) fn load_error(error: BulkError) -> Error {
    match error {
        BulkError::Store(error) => error.into(),
        BulkError::Target(error) => error,
        missing @ BulkError::MissingEnd { .. } => {
            Error::new(ErrorKind::NotFound, missing.to_string()).in_phase(Phase::Commit)
        }
        beyond @ BulkError::BeyondRange { .. } => {
            Error::new(ErrorKind::LimitReached, beyond.to_string()).in_phase(Phase::Commit)
        }
    }
}
