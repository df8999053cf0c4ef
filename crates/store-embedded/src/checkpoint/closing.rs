//! The end of an open folder: an orderly close leaves a small folder, and loses nothing if it fails
//! or is cut off.
//!
//! ```text
//!   threads                     here
//!   helpers end ──────────────> checkpoint    a checkpoint, if the log is long and the changes are few
//!   commits are refused
//!   log and applier end ──────> give_back     leased ids, and the room of the log that no batch took
//! ```
//!
//! Each is best effort: a folder that was killed has the same commits, in more and larger files.

use millrace_model::{Error, ErrorKind, Phase, Result};

use super::OpenFolder;
use crate::base::commit_limits::CLOSING_CHECKPOINT_BYTES;

impl OpenFolder {
    /// Writes a checkpoint if the log is too long to be carried over to one file by the next opening, and
    /// goes on in a small file, so that no other is left. Not where the changes are so many that a
    /// close would take long: the next opening replays them. The log must be written meanwhile.
    pub(crate) fn checkpoint_at_close(&self) -> Result<()> {
        if self.is_read_only() {
            return Ok(());
        }
        let is_long = self.options.log.carried_bytes_max() < self.pipeline.log_used_bytes();
        if !is_long || self.write_refusal().is_some() {
            return Ok(());
        }
        self.measure_deltas();
        if CLOSING_CHECKPOINT_BYTES < self.checkpoints.delta_bytes() {
            return Ok(());
        }
        self.checkpoint()?;
        self.pipeline.begin_small_log_file()?;
        self.write_manifest()
    }

    /// Gives back what the next opening takes anew: ids that were leased and not given, and room of
    /// the log. The last thing an orderly close does before it lets go.
    pub(crate) fn give_back(&self) -> Result<()> {
        if self.is_read_only() {
            return Ok(());
        }
        self.give_back_ids()?;
        self.pipeline.trim_log()
    }

    /// Refuses writers for good and lets go of the folder; snapshots go on.
    pub(crate) fn close(&self) {
        let closed = Error::new(ErrorKind::Unavailable, "the data folder is closed");
        self.pipeline.sequencer.refuse(Some(closed.in_phase(Phase::Commit)));
        self.pipeline.progress.stop();
        self.folder.close();
    }

    /// Gives back vertex ids by a manifest that says so. Not where something accepted is missing in
    /// it.
    fn give_back_ids(&self) -> Result<()> {
        let position = self.pipeline.sequencer.position();
        let progress = &self.pipeline.progress;
        if progress.durable() < position || progress.applied() < position {
            return Ok(());
        }
        // The present holder writes a manifest of its own, or was interrupted.
        let Some(_running) = self.checkpoints.running.try_lock() else { return Ok(()) };
        let graphs = self.graphs.all();
        if graphs.iter().filter(|graph| graph.leases.give_back()).count() != 0 {
            self.write_manifest()?;
        }
        Ok(())
    }
}
