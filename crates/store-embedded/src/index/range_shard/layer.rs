//! The delta layer of a shard of an ordered index: its changes since the base, durable beside it.
//!
//! A checkpoint of few changes writes these and no base; they stay in memory too, and the log is needed from behind them.
//! Each layer holds all changes since the base, so the next takes the place of the one before.

use millrace_model::LogPosition;

use super::{Applied, RangeShard};
use crate::base::error::Result;
use crate::base::merge_cost::layer_bytes_max;
use crate::index::postings::IdRange;
use crate::persistent::image::Extent;
use crate::persistent::segment::{RangeBaseBuilder, RangeChanges};

/// What delta layers hold above the base.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Saved {
    /// Changes up to here.
    pub(super) at: LogPosition,
    /// Bytes of all layers that were written.
    bytes: u64,
}

/// What a delta layer is made of.
#[derive(Debug)]
pub struct RangeLayer {
    /// Where the base is, and stays.
    pub base: Extent,
    /// How many entries it has.
    pub entries: u64,
    /// The last position that is in it.
    pub base_position: LogPosition,
    /// All changes since.
    pub changes: RangeChanges,
}

impl RangeShard {
    /// The changes since the base up to a checkpoint position; `None` if all should become a base: where the base is in no
    /// file, or the layers would cost more than `merge_percent` of it.
    pub fn layer_at(
        &self,
        checkpoint: LogPosition,
        merge_percent: u64,
    ) -> Result<Option<RangeLayer>> {
        let state = self.state.read();
        let Some(base) = state.base.extent().cloned() else { return Ok(None) };
        let cost = (base.length, state.saved.bytes);
        let bytes_max = layer_bytes_max(cost, merge_percent, self.number);
        let (mut came, mut went) = (RangeBaseBuilder::default(), RangeBaseBuilder::default());
        let mut ids = Vec::new();
        for (key, postings) in &state.delta {
            ids.clear();
            postings.ids(checkpoint, IdRange::ALL, (false, usize::MAX), &mut ids);
            ids.iter().for_each(|id| came.push(key, *id));
            ids.clear();
            let ended = postings.ending().filter(|span| span.ends_base(checkpoint));
            ids.extend(ended.map(|span| span.what));
            ids.dedup();
            ids.iter().for_each(|id| went.push(key, *id));
            if bytes_max <= (came.byte_size() + went.byte_size()) as u64 {
                return Ok(None);
            }
        }
        let changes = RangeChanges { came: came.finish(), went: went.finish() };
        let (entries, base_position) = (state.entries.0, state.checkpoint);
        Ok(Some(RangeLayer { base, entries, base_position, changes }))
    }

    /// Notes that the changes up to a checkpoint position are in a durable delta layer of so many bytes.
    pub fn note_saved(&self, checkpoint: LogPosition, bytes: u64) {
        let mut state = self.state.write();
        state.saved.bytes = state.saved.bytes.saturating_add(bytes);
        state.saved.at = state.saved.at.max(checkpoint);
        let next = LogPosition(state.saved.at.0 + 1);
        state.first = state.first.filter(|_| next <= state.last).map(|first| first.max(next));
    }

    /// Takes the changes of a delta layer that was found in a file, before anything else is applied.
    pub fn restore(&self, checkpoint: LogPosition, changes: &RangeChanges, bytes: u64) {
        let mut state = self.state.write();
        // What went and came again is ended first.
        for (entries, added) in [(&changes.went, false), (&changes.came, true)] {
            entries.each(|key, id| {
                state.change(key, [Applied { at: checkpoint, added, key, id }].iter());
            });
        }
        state.saved = Saved { at: checkpoint, bytes };
        state.last = state.last.max(checkpoint);
    }
}
