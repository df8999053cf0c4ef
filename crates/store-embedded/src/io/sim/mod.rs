//! A machine in memory, driven by a seed, that does everything a real one may do to us.
//!
//! For the simulator: tests of this crate, and of whatever is built on it. The same seed and the
//! same calls give the same disk, bit for bit.
//!
//! | it can | how |
//! |---|---|
//! | cut the power, keeping any unsynced sectors and names | [`SimDisk::power_cut`] |
//! | end the process, keeping everything | [`SimDisk::process_kill`] |
//! | do either at the n-th operation from now | [`SimDisk::crash_after`] |
//! | fail a sync, and lose what it was to write | [`SimDisk::fail_sync_after`] |
//! | be full at any write | [`SimDisk::full_after`] |
//! | damage what is at rest | [`SimDisk::flip_bit`], [`SimDisk::corrupt`] |
//! | forget syncs, to prove that a test would notice | [`SimDisk::plant`] |
//!
//! What a reader would get wrong: after a crash every open handle and lock is dead; its operations
//! fail, as those of a process that is gone would.

mod disk;
mod inode;
mod names;
mod random;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

pub use random::{SimClock, SimRandom, SplitMix64};

use crate::io::Machine;
use inode::Inode;
use names::{InodeId, Names};

/// A disk in memory. Clones are the same disk.
#[derive(Clone)]
pub struct SimDisk {
    state: Arc<Mutex<SimState>>,
}

struct SimState {
    inodes: Vec<Inode>,
    names: Names,
    locked: Vec<(PathBuf, String)>,
    random: SplitMix64,
    /// Handles of an earlier process are dead.
    process: u64,
    faults: Faults,
    free_bytes: u64,
    operation_count: u64,
}

/// Countdowns, in operations of their kind; `None` is never.
#[derive(Debug, Default)]
struct Faults {
    crash_after: Option<u64>,
    crashed: bool,
    fail_sync_after: Option<u64>,
    full_after: Option<u64>,
    planted: Option<PlantedFault>,
}

/// A fault of the program above, acted out by the disk: a test that does not find it is blind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlantedFault {
    /// It never syncs a file.
    NoFileSync,
    /// It gives files their names without having synced them.
    NoTemporarySync,
    /// It never syncs a folder.
    NoFolderSync,
}

impl SimDisk {
    /// An empty disk whose bad luck comes from `seed`.
    pub fn new(seed: u64) -> Self {
        let state = SimState {
            inodes: Vec::new(),
            names: Names::default(),
            locked: Vec::new(),
            random: SplitMix64::new(seed),
            process: 0,
            faults: Faults::default(),
            free_bytes: 1 << 40,
            operation_count: 0,
        };
        Self { state: Arc::new(Mutex::new(state)) }
    }

    /// A whole machine around this disk, its random source seeded with `seed`.
    pub fn machine(&self, seed: u64) -> Machine {
        Machine {
            disk: Arc::new(self.clone()),
            clock: Arc::new(SimClock::default()),
            random: Arc::new(SimRandom::new(seed)),
        }
    }

    /// Cuts the power now and starts the machine again. What no sync covered may or may not be
    /// there, sector by sector and name by name.
    pub fn power_cut(&self) {
        let mut state = self.lock_state();
        let SimState { inodes, names, random, .. } = &mut *state;
        inodes.iter_mut().for_each(|inode| inode.power_cut(random));
        names.power_cut(random);
        state.restart();
    }

    /// Ends the process now and starts another: the system's memory keeps all that was written.
    pub fn process_kill(&self) {
        self.lock_state().restart();
    }

    /// Lets `operations` more changing operations through, then fails that and every later one
    /// until [`SimDisk::power_cut`] or [`SimDisk::process_kill`]. The one that fails may be half done.
    pub fn crash_after(&self, operations: u64) {
        self.lock_state().faults.crash_after = Some(operations);
    }

    /// Whether the crash that was asked for has come.
    pub fn is_crashed(&self) -> bool {
        self.lock_state().faults.crashed
    }

    /// Lets `syncs` file syncs through, then fails one. What it was to write may be lost, though
    /// later syncs succeed.
    pub fn fail_sync_after(&self, syncs: u64) {
        self.lock_state().faults.fail_sync_after = Some(syncs);
    }

    /// Lets `writes` writes through, then the disk is full until the next restart.
    pub fn full_after(&self, writes: u64) {
        self.lock_state().faults.full_after = Some(writes);
    }

    /// What [`free_space`](crate::io::Disk::free_space) answers.
    pub fn set_free_space(&self, bytes: u64) {
        self.lock_state().free_bytes = bytes;
    }

    /// From now on behaves as if the program on this disk had a certain fault.
    pub fn plant(&self, fault: PlantedFault) {
        self.lock_state().faults.planted = Some(fault);
    }

    /// Flips one bit at rest; nothing happens beyond the end of the file or without it.
    pub fn flip_bit(&self, path: &Path, offset: u64, bit: u8) {
        self.damage(path, offset, 1, |byte, _| *byte ^= 1 << (bit % 8));
    }

    /// Overwrites `length` bytes at rest with noise.
    pub fn corrupt(&self, path: &Path, offset: u64, length: u64) {
        self.damage(path, offset, length, |byte, noise| *byte ^= noise);
    }

    /// Every file there is, with its length, by path.
    pub fn files(&self) -> Vec<(PathBuf, u64)> {
        let state = self.lock_state();
        let size = |inode: InodeId| state.inodes[inode].seen.len() as u64;
        state.names.paths().map(|(path, inode)| (path.clone(), size(inode))).collect()
    }

    /// The bytes of a file as reads see them.
    pub fn contents(&self, path: &Path) -> Option<Vec<u8>> {
        let state = self.lock_state();
        state.names.get(path).map(|inode| state.inodes[inode].seen.clone())
    }

    /// How many changing operations there have been: where a crash can be put.
    pub fn operation_count(&self) -> u64 {
        self.lock_state().operation_count
    }

    fn damage(&self, path: &Path, offset: u64, length: u64, change: impl Fn(&mut u8, u8)) {
        let mut state = self.lock_state();
        let Some(inode) = state.names.get(path) else { return };
        for offset in offset..offset + length {
            let noise = state.random.below(255) as u8 + 1;
            state.inodes[inode].damage(offset as usize, |byte| change(byte, noise));
        }
    }

    fn lock_state(&self) -> MutexGuard<'_, SimState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl SimState {
    fn restart(&mut self) {
        self.process += 1;
        self.locked.clear();
        self.faults = Faults { planted: self.faults.planted, ..Faults::default() };
    }
}
