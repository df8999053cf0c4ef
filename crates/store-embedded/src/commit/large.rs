//! Large commits: what they write goes beside the log, and one small frame names the files.
//!
//! ```text
//!   created vertices and edges ── BulkBuilder ──> an overlay for each partition: segment files
//!   everything else, index entries ─────────────> side files
//!   all synced, then the folder ──> a place behind earlier overlays ──> one frame
//! ```
//!
//! A partition has at most one overlay, so a large commit waits until the one before it is merged;
//! nobody else does. What a reader would get wrong: the files are worth nothing until their frame
//! is in the log. Those of a commit that lost are removed here, those of a crash at the next open.

use std::sync::Arc;

use millrace_model::{Bits, EdgeTypeId, Error, ErrorKind, Phase, Result, VertexId};
use millrace_store::Changes;

use super::conflict::Footprint;
use super::frame::{Effect, LargeFiles, Record};
use super::limits::{LOAD_BYTES_MAX, SIDE_PART_ENTRIES};
use super::physical::Physical;
use super::prepare::Prepared;
use super::sequencer::Submission;
use crate::bulk::{BulkBuilder, BulkError, LoadTarget, write_side_file};
use crate::folder::FileName;
use crate::graph::Graph;
use crate::image::Image;
use crate::open::OpenFolder;
use crate::segment::write_image;

/// Commits prepared parts beside the log.
pub(crate) fn submit(
    open: &OpenFolder,
    graph: &Arc<Graph>,
    prepared: Prepared,
    snapshot: u64,
) -> Result<u64> {
    let Prepared { mut parts, footprint } = prepared;
    let created: usize = parts.iter().map(|part| created_rows(&part.changes)).sum();
    let mut files = Files::new(open, graph);
    if open.options.overlay_rows_min <= created {
        let mut builder = BulkBuilder::new(Arc::clone(&open.folder), LOAD_BYTES_MAX);
        for part in &mut parts {
            builder.push(&mut part.changes).map_err(load_error)?;
        }
        builder.finish(&mut files).map_err(load_error)?;
    }
    files.add_parts(parts)?;
    files.sequence(footprint, snapshot)
}

/// The files of a large commit; removed again unless its frame is queued.
pub(crate) struct Files<'a> {
    open: &'a OpenFolder,
    graph: &'a Arc<Graph>,
    large: LargeFiles,
    kept: bool,
}

impl<'a> Files<'a> {
    pub(crate) fn new(open: &'a OpenFolder, graph: &'a Arc<Graph>) -> Self {
        Self { open, graph, large: LargeFiles::default(), kept: false }
    }

    /// Writes parts to side files. Declarations stay in the frame: they are few, and first.
    pub(crate) fn add_parts(&mut self, parts: Vec<Physical>) -> Result<()> {
        for mut part in parts {
            self.large.small.changes.catalog.append(&mut part.changes.catalog);
            for piece in pieces(part) {
                self.add_part(piece)?;
            }
        }
        Ok(())
    }

    /// Orders the commit, after all its files are durable and earlier overlays are merged.
    pub(crate) fn sequence(mut self, footprint: Footprint, snapshot: u64) -> Result<u64> {
        self.open.folder.sync()?;
        let _turn = self.open.large.lock();
        let ordinals: Vec<u32> = self.large.overlays.iter().map(|(ordinal, _)| *ordinal).collect();
        self.open.merge_overlays(self.graph, &ordinals)?;
        let files: Vec<FileName> = self.large.files().collect();
        let effect = Effect::Large(Box::new(std::mem::take(&mut self.large)));
        let record = Record::new(self.graph, effect).inspect_err(|_| self.remove(&files))?;
        let sequencer = &self.open.pipeline.sequencer;
        let position = sequencer
            .sequence(Submission { record, footprint, snapshot })
            .inspect_err(|_| self.remove(&files))?;
        self.kept = true;
        self.open.checkpoints.add_files(position, files);
        // The next large commit must see these overlays in place.
        self.open
            .pipeline
            .progress
            .wait(None, || position <= self.open.pipeline.progress.applied())?;
        Ok(position)
    }

    /// Leases runs of edge slots of a partition for good.
    pub(crate) fn lease_runs(
        &mut self,
        ordinal: u32,
        edge_type: EdgeTypeId,
        runs: u32,
    ) -> Result<u32> {
        self.graph.partitions.get_or_create(ordinal).lease_runs(edge_type, runs)
    }

    /// Writes what the commit creates in a partition, and gives it back as it is on disk.
    pub(crate) fn write_overlay(&mut self, image: &Image) -> Result<Arc<Image>> {
        let (file, stored) = write_image(&self.open.folder, self.graph.id, image)?;
        let stored = Arc::new(stored);
        self.large.overlays.push((stored.ordinal, file.name));
        self.large.images.push(Arc::clone(&stored));
        Ok(stored)
    }

    fn add_part(&mut self, part: Physical) -> Result<()> {
        let mut bytes = Vec::new();
        part.encode(&mut bytes)?;
        let (name, file) = write_side_file(&self.open.folder, self.graph.id, &bytes)?;
        self.large.parts.push(name);
        self.large.parts_read.push(part);
        file.sync_data()?;
        Ok(())
    }

    fn remove(&self, files: &[FileName]) {
        for name in files.iter().filter(|_| self.open.folder.is_open()) {
            // Best effort: what stays is named by nothing and goes at the next open.
            let _ = self.open.machine.disk.remove(&self.open.folder.path_of(*name));
        }
    }
}

impl Drop for Files<'_> {
    fn drop(&mut self) {
        if !self.kept {
            let files: Vec<FileName> = self.large.files().collect();
            self.remove(&files);
        }
    }
}

impl LoadTarget for Files<'_> {
    fn exist(&mut self, vertices: &[VertexId]) -> Result<Bits> {
        let pin = self.open.pin();
        let view = pin.view(self.graph);
        view.graph.partitions.exist(view.at, millrace_store::Elements::Vertices(vertices))
    }

    fn lease_runs(&mut self, ordinal: u32, edge_type: EdgeTypeId, runs: u32) -> Result<u32> {
        Files::lease_runs(self, ordinal, edge_type, runs)
    }

    fn take(&mut self, image: Image) -> Result<()> {
        self.write_overlay(&image).map(|_| ())
    }
}

fn created_rows(changes: &Changes) -> usize {
    let vertices: usize = changes.vertices.iter().map(|block| block.ids.len()).sum();
    vertices + changes.edges.iter().map(|block| block.ids.len()).sum::<usize>()
}

/// A part without nothing, its index entries in pieces that fit a side file.
fn pieces(part: Physical) -> Vec<Physical> {
    let Physical { changes, index_added, index_removed, ordered_added, ordered_removed } = part;
    let mut pieces = Vec::new();
    if !changes.is_empty() {
        pieces.push(Physical { changes, ..Physical::default() });
    }
    for removed in index_removed.chunks(SIDE_PART_ENTRIES) {
        pieces.push(Physical { index_removed: removed.to_vec(), ..Physical::default() });
    }
    for added in index_added.chunks(SIDE_PART_ENTRIES) {
        pieces.push(Physical { index_added: added.to_vec(), ..Physical::default() });
    }
    for removed in ordered_removed.chunks(SIDE_PART_ENTRIES) {
        pieces.push(Physical { ordered_removed: removed.to_vec(), ..Physical::default() });
    }
    for added in ordered_added.chunks(SIDE_PART_ENTRIES) {
        pieces.push(Physical { ordered_added: added.to_vec(), ..Physical::default() });
    }
    pieces
}

/// What a client is told when a load fails.
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
