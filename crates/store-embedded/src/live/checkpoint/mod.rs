//! How a partition's roots change: a new base after a checkpoint, a transaction layer of an
//! out-of-line commit, and the versions freed when the oldest reader moves on.

pub(super) mod delta_at;
pub(super) mod edge_rows;
pub(super) mod image_at;
pub(super) mod imaging;
pub(super) mod moving;

use std::sync::Arc;

use millrace_model::{Error, ErrorKind, LogPosition, Result};

use crate::base::limits::ROOTS_MAX;
use crate::base::merge_cost::layer_bytes_max;
use crate::live::Partition;
use crate::live::checkpoint::moving::Moving;
use crate::live::versions::pinned::PinnedSnapshots;
use crate::live::versions::root::{Root, TransactionLayer};
use crate::live::versions::state::State;
use crate::persistent::image::Image;

impl Partition {
    /// Puts a base in place that [`image_at`](Self::image_at) made, perhaps written and read again.
    /// Readers at its checkpoint position or later take it from now on, with the changes after the
    /// checkpoint position above it; earlier ones go on with the root before. The roots of readers
    /// older than that are dropped: such a reader gets the error that its snapshot is too old.
    ///
    /// Readers and appliers go on meanwhile, up to the swap of a few pointers.
    pub fn install_base(&self, base: Arc<Image>) {
        assert!(
            self.checkpoint() <= base.checkpoint,
            "bases are installed in the order of their checkpoint positions"
        );
        let mut moving = self.begin_move(base.checkpoint);
        while self.move_piece(&mut moving) {}
        self.follow_move(&mut moving);
        let dropped = self.swap_base(base, moving);
        // Freeing a delta takes as long as filling it: not while others wait.
        drop(dropped);
    }

    /// The part of an install that others wait for.
    pub(in crate::live) fn swap_base(&self, base: Arc<Image>, moving: Moving) -> Vec<Root> {
        let mut state = self.state.write();
        let layer = state.newest().layer.clone().filter(|layer| base.checkpoint < layer.at);
        let mut delta = moving.finish(&mut state);
        if let Some(layer) = &layer {
            delta.note(layer.at);
        }
        state.roots.insert(0, Root { base, layer, delta });
        let kept = state.roots_taken().min(ROOTS_MAX);
        state.roots.split_off(kept)
    }

    /// Installs the vertices and edges that an out-of-line commit created as a transaction layer.
    /// Its other writes are applied at the same position, like those of any commit. There is at
    /// most one layer until the next base. A transaction layer that the base holds already is
    /// skipped.
    pub fn install_layer(&self, at: LogPosition, image: Arc<Image>) -> Result<()> {
        // Read without the lock.
        let records = image.records.get()?;
        let mut state = self.state.write();
        if at <= state.newest().checkpoint() {
            return Ok(());
        }
        if let Some(layer) = &state.newest().layer {
            let detail = format!(
                "partition {} has a transaction layer of commit {}; the one of commit {at} must wait for \
                 a checkpoint",
                self.ordinal, layer.at,
            );
            return Err(Error::new(ErrorKind::Unavailable, detail));
        }
        self.live.add(&records);
        self.slots.note_runs(image.runs.next_run());
        let State { counts, pinned, .. } = &mut *state;
        counts.add(at, &image.counts, pinned);
        state.roots[0].layer = Some(TransactionLayer { at, image });
        state.roots[0].delta.note(at);
        Ok(())
    }

    /// Sets the pinned snapshots and frees the versions that no reader sees. The lock is released
    /// between pieces, so others wait for one piece at most.
    pub fn forget(&self, pinned: &Arc<PinnedSnapshots>) {
        let dropped = {
            let mut state = self.state.write();
            state.pin(pinned.clone());
            let kept = state.roots_taken();
            let State { counts, pinned, .. } = &mut *state;
            counts.forget(pinned);
            state.roots.split_off(kept)
        };
        drop(dropped);
        while self.state.write().forget_some() {}
    }

    /// The checkpoint position of the newest base.
    pub fn checkpoint(&self) -> LogPosition {
        self.state.read().newest().checkpoint()
    }

    /// The most bytes that the next delta layer may have. Each holds all changes since the base, so
    /// they grow. A merge is due when they have cost as much as a merge (`merge_percent` of the
    /// base).
    pub fn delta_layer_bytes_max(&self, merge_percent: u64) -> u64 {
        let paid = self.state.read().newest().delta.saved_bytes;
        layer_bytes_max((self.stored_bytes(), paid), merge_percent, self.ordinal)
    }

    /// Notes that the changes up to a checkpoint position are in a durable delta layer of so many
    /// bytes.
    pub fn note_saved(&self, checkpoint: LogPosition, bytes: u64) {
        let mut state = self.state.write();
        let delta = &mut state.newest_mut().delta;
        delta.saved_bytes = delta.saved_bytes.saturating_add(bytes);
        delta.saved = delta.saved.max(checkpoint);
        let next = LogPosition(delta.saved.0 + 1);
        delta.first = delta.first.filter(|_| next <= delta.last).map(|first| first.max(next));
    }

    /// A position at or before the first change that is neither in the newest base nor in a delta
    /// image: the log is needed from there. `None` if they hold everything.
    pub fn dirty_from(&self) -> Option<LogPosition> {
        self.state.read().newest().delta.first
    }

    /// Whether the newest root has a transaction layer, so that the next out-of-line commit must
    /// wait.
    pub fn has_layer(&self) -> bool {
        self.state.read().newest().layer.is_some()
    }

    /// Bytes of lists and their directories that deletes and merges copied, since the start.
    pub fn copied_bytes(&self) -> u64 {
        self.state.read().copied_bytes
    }

    /// Bytes in memory of the changes that are in no segment.
    pub fn delta_bytes(&self) -> usize {
        let state = self.state.read();
        let delta = &state.newest().delta;
        if delta.is_empty() { 0 } else { delta.byte_size() }
    }

    /// Bytes that older roots hold for their readers, beside sections of segments.
    pub fn older_bytes(&self) -> usize {
        self.state.read().roots.iter().skip(1).map(|root| root.delta.byte_size()).sum()
    }

    /// Drops older roots: their readers get the error that their snapshots are too old.
    pub fn end_readers(&self) {
        let dropped = self.state.write().roots.split_off(1);
        // Freeing a delta takes as long as filling it: not while others wait.
        drop(dropped);
    }

    /// Bytes of the newest base in files.
    pub fn stored_bytes(&self) -> u64 {
        self.state.read().newest().base.extents().map(|extent| extent.length).sum()
    }

    /// Bytes in memory: sections that are loaded, and deltas. Sections that two roots share count
    /// for both.
    pub fn byte_size(&self) -> usize {
        let state = self.state.read();
        let root = |root: &Root| {
            let layer = root.layer.as_ref().map_or(0, |layer| layer.image.byte_size());
            root.base.byte_size() + layer + root.delta.byte_size()
        };
        size_of::<Partition>() + state.roots.iter().map(root).sum::<usize>()
    }
}
