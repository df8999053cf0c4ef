//! The memory of sections: how many bytes are loaded, how many may be, and which are evicted when
//! there are too many.
//!
//! ```text
//!   load ──> Charge (counted while the body is pinned) ────────> ring of loaded sections
//!                                                                 │ over the budget
//!                                  second chance: used since? ──> spared, to the end of the ring
//!                                  pinned by a reader?        ──> spared
//!                                  else                       ──> dropped; read again on access
//! ```
//!
//! A body is counted from its load until its last holder lets go, so the count is exact and needs
//! no walk. The budget bounds sections that are *not being read*. A pinned section is never
//! evicted, so the total may exceed the budget by the sections that readers pin.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Weak};

use parking_lot::Mutex;

use crate::folder::Watch;

/// Dead sections in the ring are looked for when it has grown to this many.
const RING_PRUNE_MIN: usize = 1_024;

/// The largest room that is kept for the next section to be read.
const ROOM_KEPT_MAX: usize = 128 << 20;

/// The loaded sections of a folder's segments.
#[derive(Debug)]
pub struct SectionMemory {
    budget_bytes: AtomicU64,
    loaded_bytes: AtomicU64,
    read_count: AtomicU64,
    read_bytes: AtomicU64,
    eviction_count: AtomicU64,
    damage_count: AtomicU64,
    ring: Mutex<Ring>,
    room: Mutex<Room>,
    /// The watch that is given damage.
    watch: Arc<Watch>,
}

/// The buffer into which sections are read before they are decoded: one for many, since a fresh one
/// for each is cleared by the system first, and leaves a hole between the sections that stay.
#[derive(Debug, Default)]
struct Room {
    bytes: Vec<u8>,
    /// Whether it was used since housekeeping looked last.
    used: bool,
}

#[derive(Debug, Default)]
struct Ring {
    /// Loaded sections that could be read again; the next to be looked at is in front.
    sections: VecDeque<Weak<dyn Evict>>,
    prune_at: usize,
}

/// A section that may be dropped from memory.
pub(crate) trait Evict: std::fmt::Debug + Send + Sync {
    /// Drops the body, unless it was used since the last time, or is pinned.
    fn evict(&self) -> EvictOutcome;
}

/// The outcome of an eviction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EvictOutcome {
    /// It stays.
    Spared,
    /// It went.
    Evicted,
    /// It was not loaded.
    Absent,
}

/// Bytes that are counted until this is dropped.
#[derive(Debug)]
pub(crate) struct Charge {
    memory: Arc<SectionMemory>,
    bytes: u64,
}

impl Drop for Charge {
    fn drop(&mut self) {
        self.memory.loaded_bytes.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

impl SectionMemory {
    /// The watch of the folder of these sections.
    pub(crate) fn watch(&self) -> &Arc<Watch> {
        &self.watch
    }

    /// Room for at least so many bytes, of any content.
    pub(crate) fn take_room(&self, length: usize) -> Vec<u8> {
        let mut bytes = std::mem::take(&mut self.room.lock().bytes);
        if bytes.len() < length {
            bytes = vec![0; length];
        }
        bytes
    }

    /// Keeps room for the next, unless it is too much or there is more already.
    pub(crate) fn keep_room(&self, bytes: Vec<u8>) {
        let mut room = self.room.lock();
        room.used = true;
        if room.bytes.len() < bytes.len() && bytes.len() <= ROOM_KEPT_MAX {
            room.bytes = bytes;
        }
    }

    /// Gives up the room that was not used since the last time.
    pub fn forget_room(&self) {
        let mut room = self.room.lock();
        if !std::mem::take(&mut room.used) {
            room.bytes = Vec::new();
        }
    }

    /// A memory that keeps sections while at most so many bytes are loaded.
    pub fn new(budget_bytes: u64) -> Arc<SectionMemory> {
        Arc::new(SectionMemory {
            budget_bytes: AtomicU64::new(budget_bytes),
            loaded_bytes: AtomicU64::new(0),
            read_count: AtomicU64::new(0),
            read_bytes: AtomicU64::new(0),
            eviction_count: AtomicU64::new(0),
            damage_count: AtomicU64::new(0),
            watch: Arc::default(),
            room: Mutex::default(),
            ring: Mutex::default(),
        })
    }

    /// Sets the budget, in bytes.
    pub fn set_budget(&self, bytes: u64) {
        self.budget_bytes.store(bytes, Ordering::Relaxed);
        self.make_room();
    }

    /// The budget, in bytes.
    pub fn budget_bytes(&self) -> u64 {
        self.budget_bytes.load(Ordering::Relaxed)
    }

    /// Bytes in memory now, those that readers pin included.
    pub fn loaded_bytes(&self) -> u64 {
        self.loaded_bytes.load(Ordering::Relaxed)
    }

    /// Sections read from files so far.
    pub fn read_count(&self) -> u64 {
        self.read_count.load(Ordering::Relaxed)
    }

    /// Bytes of them.
    pub fn read_bytes(&self) -> u64 {
        self.read_bytes.load(Ordering::Relaxed)
    }

    /// Sections that were read and are damaged; one that is read again counts again.
    pub fn damage_count(&self) -> u64 {
        self.damage_count.load(Ordering::Relaxed)
    }

    /// Sections dropped to keep to the budget so far.
    pub fn eviction_count(&self) -> u64 {
        self.eviction_count.load(Ordering::Relaxed)
    }

    /// Drops sections that are not pinned until the budget is kept, roughly the least recently used
    /// first. Ends when all that is left is pinned.
    pub fn make_room(&self) {
        if !self.is_over() {
            return;
        }
        let mut ring = self.ring.lock();
        // Twice around: the first pass takes the marks of use away.
        let mut visits = 2 * ring.sections.len();
        while self.is_over() && visits != 0 {
            visits -= 1;
            let Some(weak) = ring.sections.pop_front() else { return };
            let Some(section) = weak.upgrade() else { continue };
            match section.evict() {
                EvictOutcome::Spared => ring.sections.push_back(weak),
                EvictOutcome::Evicted => {
                    self.eviction_count.fetch_add(1, Ordering::Relaxed);
                }
                EvictOutcome::Absent => {}
            }
        }
    }

    /// Counts bytes from now on.
    pub(crate) fn charge(self: &Arc<Self>, bytes: usize) -> Charge {
        let bytes = bytes as u64;
        self.loaded_bytes.fetch_add(bytes, Ordering::Relaxed);
        Charge { memory: Arc::clone(self), bytes }
    }

    /// Notes a read of a file.
    pub(crate) fn note_read(&self, bytes: usize) {
        self.read_count.fetch_add(1, Ordering::Relaxed);
        self.read_bytes.fetch_add(bytes as u64, Ordering::Relaxed);
    }

    /// Notes that a section that was read is damaged.
    pub(crate) fn note_damage(&self) {
        self.damage_count.fetch_add(1, Ordering::Relaxed);
    }

    /// Takes a section that was just loaded into the ring.
    pub(crate) fn enter(&self, section: Weak<dyn Evict>) {
        let mut ring = self.ring.lock();
        if ring.prune_at.max(RING_PRUNE_MIN) <= ring.sections.len() {
            ring.sections.retain(|section| 0 < section.strong_count());
            ring.prune_at = 2 * ring.sections.len();
        }
        ring.sections.push_back(section);
    }

    /// Sections in the ring, gone ones included.
    #[cfg(test)]
    pub(crate) fn ring_len(&self) -> usize {
        self.ring.lock().sections.len()
    }

    fn is_over(&self) -> bool {
        self.budget_bytes() < self.loaded_bytes()
    }
}
