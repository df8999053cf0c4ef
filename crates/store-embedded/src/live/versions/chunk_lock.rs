//! The lock of a partition: readers hold it for a chunk of rows, writers for a group of commits.
//!
//! It must do two things that contradict each other. A sink may ask the store again while it looks
//! at a run, so a read under a read must pass even if a writer waits. And a writer must get its
//! turn although readers overlap without end. So a reader that holds no partition yet lets waiting
//! writers go first; one that holds one already goes ahead of them. A sink that waits for *another
//! thread* which reads the store may wait forever.

use std::cell::Cell;
use std::ops::Deref;

use crate::sync::atomic::{AtomicU32, Ordering};
use crate::sync::{
    Mutex, RecursiveRwLock, RecursiveRwLockReadGuard, RecursiveRwLockWriteGuard, thread_local,
};

thread_local! {
    /// How many partitions this thread reads just now.
    static READS: Cell<u32> = const { Cell::new(0) };
}

/// A lock that favours readers within a read, and writers otherwise.
#[derive(Debug, Default)]
pub(crate) struct ChunkLock<T> {
    content: RecursiveRwLock<T>,
    /// Writers that wait for readers to leave.
    waiting: AtomicU32,
    /// Held by the writer that is next, while it waits.
    next_writer: Mutex<()>,
}

/// Shared content, until dropped.
pub(crate) struct ReadGuard<'a, T> {
    content: RecursiveRwLockReadGuard<'a, T>,
}

impl<T> ChunkLock<T> {
    pub(crate) fn new(content: T) -> ChunkLock<T> {
        let content = RecursiveRwLock::new(content);
        ChunkLock { content, waiting: AtomicU32::new(0), next_writer: Mutex::new(()) }
    }

    #[inline]
    pub(crate) fn read(&self) -> ReadGuard<'_, T> {
        self.give_way();
        READS.with(|reads| reads.set(reads.get() + 1));
        ReadGuard { content: self.content.read() }
    }

    /// Lets a waiting writer go first, unless this thread reads a partition already. A thread that
    /// reads several at once gives way at all of them before the first.
    #[inline]
    pub(crate) fn give_way(&self) {
        // A stale count costs one reader's turn, nothing else: the lock itself orders the memory.
        if self.waiting.load(Ordering::Relaxed) != 0 && READS.with(Cell::get) == 0 {
            drop(self.next_writer.lock());
        }
    }

    pub(crate) fn write(&self) -> RecursiveRwLockWriteGuard<'_, T> {
        self.waiting.fetch_add(1, Ordering::Relaxed);
        let next_writer = self.next_writer.lock();
        let content = self.content.write();
        self.waiting.fetch_sub(1, Ordering::Relaxed);
        drop(next_writer);
        content
    }
}

impl<T> Deref for ReadGuard<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.content
    }
}

impl<T> Drop for ReadGuard<'_, T> {
    fn drop(&mut self) {
        READS.with(|reads| reads.set(reads.get() - 1));
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;
    use std::time::{Duration, Instant};

    use super::*;

    #[test]
    fn a_read_within_a_read_passes_a_waiting_writer() {
        let lock = ChunkLock::new(1);
        std::thread::scope(|threads| {
            let external = lock.read();
            let writer = threads.spawn(|| *lock.write() = 2);
            while lock.waiting.load(Ordering::Relaxed) == 0 {
                std::thread::yield_now();
            }
            assert_eq!(*lock.read(), 1);
            drop(external);
            writer.join().unwrap();
            assert_eq!(*lock.read(), 2);
        });
    }

    #[test]
    fn a_writer_gets_its_turn_among_readers_that_overlap() {
        let (lock, stop) = (ChunkLock::new(0u32), AtomicBool::new(false));
        std::thread::scope(|threads| {
            for _ in 0..4 {
                threads.spawn(|| {
                    while !stop.load(Ordering::Relaxed) {
                        let read = lock.read();
                        let until = Instant::now() + Duration::from_micros(50);
                        while Instant::now() < until {
                            std::hint::black_box(&*read);
                        }
                    }
                });
            }
            (0..200).for_each(|_| *lock.write() += 1);
            stop.store(true, Ordering::Relaxed);
        });
        assert_eq!(*lock.read(), 200);
    }
}
