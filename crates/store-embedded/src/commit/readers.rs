//! Who reads where: the positions of all open snapshots, so that nothing they see is freed.
//!
//! A snapshot is registered *before* its position is read, under one lock, so whoever asks for the
//! oldest reader never overlooks one that is being made. Positions only rise, so registering is an
//! append.

use std::collections::VecDeque;

use parking_lot::Mutex;

use super::watermark::Progress;

/// The positions of all open snapshots.
#[derive(Default)]
pub(crate) struct Readers {
    /// (position, how many read there), positions ascending.
    open: Mutex<VecDeque<(u64, u32)>>,
}

impl Readers {
    /// Registers a reader at what is visible now, and returns where that is.
    pub(crate) fn enter(&self, progress: &Progress) -> u64 {
        let mut open = self.open.lock();
        let position = progress.visible();
        match open.back_mut() {
            Some((last, count)) if *last == position => *count += 1,
            _ => open.push_back((position, 1)),
        }
        position
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

    /// No reader, now or later, is before this position.
    pub(crate) fn oldest(&self, progress: &Progress) -> u64 {
        let open = self.open.lock();
        open.front().map_or_else(|| progress.visible(), |(position, _)| *position)
    }

    /// How many readers there are.
    pub(crate) fn len(&self) -> usize {
        self.open.lock().iter().map(|(_, count)| *count as usize).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::Durability;

    #[test]
    fn the_oldest_reader_counts_until_it_leaves() {
        let progress = Progress::new(Durability::Async, 5);
        let readers = Readers::default();
        let (first, second) = (readers.enter(&progress), readers.enter(&progress));
        progress.publish_applied(9);
        let third = readers.enter(&progress);
        assert_eq!((first, second, third, readers.len()), (5, 5, 9, 3));
        readers.leave(first);
        assert_eq!(readers.oldest(&progress), 5);
        readers.leave(second);
        assert_eq!(readers.oldest(&progress), 9);
        readers.leave(third);
        progress.publish_applied(12);
        assert_eq!(readers.oldest(&progress), 12);
    }
}
