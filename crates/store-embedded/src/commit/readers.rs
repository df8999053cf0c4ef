//! The open readers: the positions of all open snapshots, so that nothing they see is freed.
//!
//! A snapshot is registered *before* its position is read, under one lock, so a query for the
//! oldest reader never overlooks one that is being made. Positions only rise, so registering is an
//! append.

use std::collections::VecDeque;

use millrace_model::LogPosition;

use crate::commit::watermark::Progress;
use crate::live::PinnedSnapshots;
use crate::sync::Mutex;

/// The positions of all open snapshots.
#[derive(Default)]
pub(crate) struct Readers {
    /// (position, how many read there), positions ascending.
    open: Mutex<VecDeque<(u64, u32)>>,
}

impl Readers {
    /// Registers a reader at the visible position, and returns it.
    pub(crate) fn enter(&self, progress: &Progress) -> u64 {
        let mut open = self.open.lock();
        let position = progress.visible();
        match open.back_mut() {
            Some((last, count)) if *last == position => *count += 1,
            _ => open.push_back((position, 1)),
        }
        position
    }

    /// Registers a checkpoint as a reader at its checkpoint position, which is durable *and*
    /// applied, and returns it. On an `async` folder snapshots may be ahead of it.
    pub(crate) fn enter_checkpoint(&self, progress: &Progress) -> u64 {
        let mut open = self.open.lock();
        let checkpoint = progress.durable().min(progress.applied());
        let index = open.partition_point(|(at, _)| *at < checkpoint);
        match open.get_mut(index) {
            Some((at, count)) if *at == checkpoint => *count += 1,
            _ => open.insert(index, (checkpoint, 1)),
        }
        checkpoint
    }

    /// The reader at `position` is done.
    pub(crate) fn leave(&self, position: u64) {
        let mut open = self.open.lock();
        let index = open.partition_point(|(at, _)| *at < position);
        open[index].1 -= 1;
        while open.front().is_some_and(|(_, count)| *count == 0) {
            open.pop_front();
        }
    }

    /// Where readers are, and positions of checkpoints; and from where on the next ones may be.
    pub(crate) fn pinned(&self, progress: &Progress) -> PinnedSnapshots {
        let open = self.open.lock();
        let positions = open.iter().filter(|(_, count)| *count != 0);
        let positions = positions.map(|(position, _)| LogPosition(*position));
        PinnedSnapshots::new(
            positions.collect(),
            LogPosition(progress.visible().min(progress.durable())),
        )
    }

    /// How many readers there are.
    pub(crate) fn len(&self) -> usize {
        self.open.lock().iter().map(|(_, count)| *count as usize).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::options::Durability;

    #[test]
    fn the_oldest_reader_counts_until_it_leaves() {
        let progress = Progress::new(Durability::Async, 5);
        progress.publish_durable(20);
        let readers = Readers::default();
        let (first, second) = (readers.enter(&progress), readers.enter(&progress));
        progress.publish_applied(9);
        let third = readers.enter(&progress);
        assert_eq!((first, second, third, readers.len()), (5, 5, 9, 3));
        readers.leave(first);
        assert_eq!(readers.pinned(&progress).oldest().0, 5);
        readers.leave(second);
        assert_eq!(readers.pinned(&progress).oldest().0, 9);
        readers.leave(third);
        progress.publish_applied(12);
        assert_eq!(readers.pinned(&progress).oldest().0, 12);
    }

    #[test]
    fn the_checkpoint_position_is_pinned_though_snapshots_are_ahead_of_it() {
        let progress = Progress::new(Durability::Async, 5);
        let readers = Readers::default();
        progress.publish_applied(9);
        let ahead = readers.enter(&progress);
        assert_eq!((ahead, readers.pinned(&progress).oldest().0), (9, 5));
        let checkpoint = readers.enter_checkpoint(&progress);
        progress.publish_durable(9);
        assert_eq!((checkpoint, readers.pinned(&progress).oldest().0), (5, 5));
        readers.leave(checkpoint);
        assert_eq!(readers.pinned(&progress).oldest().0, 9);
        readers.leave(ahead);
    }
}
