//! A machine in memory, driven by a seed, that does everything a real one may do to us.
//!
//! For the simulator: tests of this crate, and of whatever is built on it. The same seed and the
//! same calls give the same disk, bit for bit.
//!
//! | it can | how |
//! |---|---|
//! | lose power, keeping any unsynced sectors and names | [`SimDisk::power_loss`] |
//! | end the process, keeping everything | [`SimDisk::process_kill`] |
//! | do either before, in the midst of or right after the n-th operation | [`SimDisk::crash_after`] |
//! | fail a sync, and lose its writes | [`SimDisk::fail_sync_after`] |
//! | be full at any write, and have room again | [`SimDisk::full_after`], [`SimDisk::free_room`] |
//! | suspend a thread between two operations | [`Coroutine`] |
//! | damage bytes at rest | [`SimDisk::flip_bit`], [`SimDisk::corrupt`] |
//! | inject a bug into the store, to prove that a test would notice | [`SimDisk::inject`] |
//!
//! After a crash every open handle and lock is dead; its operations fail, as those of a process
//! that is gone would.

mod coroutine;
mod disk;
mod inode;
mod names;
mod random;
#[cfg(test)]
mod tests;
mod trace;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

pub use coroutine::Coroutine;
pub use random::{SimClock, SimRandom};

pub use crate::base::random::SimNumbers;
pub use trace::{CrashPlace, Operation};

use crate::io::{Bug, FileKind, Machine};
use inode::Inode;
use names::{InodeId, Names};
use trace::Trace;

const SECTOR_BYTES: usize = 512;

/// A disk in memory. Clones are the same disk.
#[derive(Clone)]
pub struct SimDisk {
    state: Arc<Mutex<SimState>>,
}

#[derive(Clone)]
struct SimState {
    sector_bytes: usize,
    names_begin_at: u64,
    inodes: Vec<Inode>,
    names: Names,
    locked: Vec<(PathBuf, String)>,
    random: SimNumbers,
    /// Handles of an earlier process are dead.
    process: u64,
    faults: Faults,
    free_bytes: u64,
    copies_on_write: bool,
    operation_count: u64,
    trace: Trace,
    failed_syncs: Vec<Operation>,
}

/// When a crash comes, as seen from the operation it was counted down to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CrashMoment {
    /// Before it, or in its midst if it is a write.
    Before,
    /// As soon as it is done, and before any caller learns of it.
    After,
}

/// The writes that power loss left in pieces.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct PowerLossReport {
    /// Batches of the log that are there in part.
    pub torn_batches: u64,
    /// Batches of which a sector is there, and one before it is not.
    pub reordered_batches: u64,
    /// Other files of which a write is there in part.
    pub torn_files: u64,
}

/// The operations that a disk refuses, until it is healed or the machine restarts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refused {
    /// New files: the process has no descriptors left.
    NewFiles,
    /// Every change: it is mounted read-only.
    Changes,
}

/// Countdowns, in operations of their kind; `None` is never.
#[derive(Debug, Default, Clone)]
struct Faults {
    crash_after: Option<(u64, CrashMoment)>,
    crashed: bool,
    fail_sync_after: Option<u64>,
    full_after: Option<u64>,
    injected: Option<Bug>,
    refused: Option<Refused>,
}

impl SimDisk {
    /// An empty disk with random faults from `seed`.
    pub fn new(seed: u64) -> Self {
        let state = SimState {
            sector_bytes: SECTOR_BYTES,
            names_begin_at: 1,
            inodes: Vec::new(),
            names: Names::default(),
            locked: Vec::new(),
            random: SimNumbers::new(seed),
            process: 0,
            faults: Faults::default(),
            free_bytes: 1 << 40,
            copies_on_write: false,
            operation_count: 0,
            trace: Trace::default(),
            failed_syncs: Vec::new(),
        };
        Self { state: Arc::new(Mutex::new(state)) }
    }

    /// Sectors of this many bytes in files made from now on: 512 (as at first) or 4,096.
    pub fn set_sector_bytes(&self, bytes: usize) {
        self.lock_state().sector_bytes = bytes;
    }

    /// From now on the disk is shared by owners that follow one another: names begin at `number`,
    /// which is not 1, and no file is recycled.
    pub fn begin_names_at(&self, number: u64) {
        self.lock_state().names_begin_at = number;
    }

    /// From now on bad luck comes from this seed.
    pub fn reseed(&self, seed: u64) {
        self.lock_state().random = SimNumbers::new(seed);
    }

    /// Another disk with the same files, after its programs have ended.
    pub fn copy(&self) -> SimDisk {
        let mut state = self.lock_state().clone();
        state.restart();
        SimDisk { state: Arc::new(Mutex::new(state)) }
    }

    /// A whole machine around this disk, its random source seeded with `seed`.
    pub fn machine(&self, seed: u64) -> Machine {
        Machine {
            disk: Arc::new(self.clone()),
            clock: Arc::new(SimClock),
            random: Arc::new(SimRandom::new(seed)),
        }
    }

    /// simulates power loss now and starts the machine again. Writes that no sync covered may or
    /// may not be there, sector by sector and name by name.
    pub fn power_loss(&self) -> PowerLossReport {
        let mut state = self.lock_state();
        let SimState { inodes, names, random, .. } = &mut *state;
        let logs: Vec<InodeId> = names
            .paths()
            .filter(|(path, _)| Operation::new("", path).file == Some(FileKind::Log))
            .map(|(_, inode)| inode)
            .collect();
        let mut report = PowerLossReport::default();
        for (id, inode) in inodes.iter_mut().enumerate() {
            let torn = inode.power_loss(random);
            if logs.contains(&id) {
                report.torn_batches += u64::from(torn.within_a_write);
                report.reordered_batches += u64::from(torn.out_of_order);
            } else {
                report.torn_files += u64::from(torn.within_a_write);
            }
        }
        names.power_loss(random);
        state.restart();
        report
    }

    /// Ends the process now and starts another: the system's memory keeps all that was written.
    pub fn process_kill(&self) {
        self.lock_state().restart();
    }

    /// Lets `operations` more changing operations through, then fails that and every later one
    /// until [`SimDisk::power_loss`] or [`SimDisk::process_kill`]. A write that fails may be half
    /// done.
    pub fn crash_after(&self, operations: u64) {
        self.crash_at(operations, CrashMoment::Before);
    }

    /// The same, with the choice that the crash comes as soon as the operation is done.
    pub fn crash_at(&self, operations: u64, moment: CrashMoment) {
        self.lock_state().faults.crash_after = Some((operations, moment));
    }

    /// Ends everything now, until [`SimDisk::power_loss`] or [`SimDisk::process_kill`].
    pub fn crash_now(&self) {
        self.lock_state().faults.crashed = true;
    }

    /// Forgets the operations of this thread so far: [`CrashPlace::done`] counts from here.
    pub fn begin_trace(&self) {
        self.lock_state().trace.begin();
    }

    /// Where the crash fell that was counted down to, since it was asked for last.
    pub fn take_crash_place(&self) -> Option<CrashPlace> {
        self.lock_state().trace.crash.take()
    }

    /// The syncs that failed, since they were asked for last.
    pub fn take_failed_syncs(&self) -> Vec<Operation> {
        std::mem::take(&mut self.lock_state().failed_syncs)
    }

    /// Whether the crash that was asked for has come.
    pub fn is_crashed(&self) -> bool {
        self.lock_state().faults.crashed
    }

    /// Lets `syncs` file syncs through, then fails one. Its writes may be lost, though later syncs
    /// succeed.
    pub fn fail_sync_after(&self, syncs: u64) {
        self.lock_state().faults.fail_sync_after = Some(syncs);
    }

    /// Lets `writes` writes that take room through, then the disk is full until the next restart.
    /// A write within a file takes none, unless [the disk copies](SimDisk::copy_on_write).
    pub fn full_after(&self, writes: u64) {
        self.lock_state().faults.full_after = Some(writes);
    }

    /// Takes back all faults that are still to come, and makes room.
    pub fn heal(&self) {
        let mut state = self.lock_state();
        let crashed = state.faults.crashed;
        state.faults = Faults { crashed, injected: state.faults.injected, ..Faults::default() };
    }

    /// From now on every write takes room, as on a file system that writes nothing in its place.
    pub fn copy_on_write(&self) {
        self.lock_state().copies_on_write = true;
    }

    /// From now on the disk refuses this.
    pub fn refuse(&self, refused: Refused) {
        self.lock_state().faults.refused = Some(refused);
    }

    /// Whether every write takes room.
    pub fn copies_on_write(&self) -> bool {
        self.lock_state().copies_on_write
    }

    /// Whether the disk is full.
    pub fn is_full(&self) -> bool {
        self.lock_state().faults.full_after == Some(0)
    }

    /// Makes room on a full disk.
    pub fn free_room(&self) {
        self.lock_state().faults.full_after = None;
    }

    /// Sets the answer of [`free_space`](crate::io::Disk::free_space).
    pub fn set_free_space(&self, bytes: u64) {
        self.lock_state().free_bytes = bytes;
    }

    /// From now on the program on this disk has a bug.
    pub fn inject(&self, bug: Bug) {
        self.lock_state().faults.injected = Some(bug);
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

    /// Whether the crash came before the operation that it was counted down to.
    fn crashed_before(&self) -> bool {
        let state = self.lock_state();
        state.faults.crashed && state.trace.crash.is_some_and(|place| place.undone.is_some())
    }

    fn lock_state(&self) -> MutexGuard<'_, SimState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl SimState {
    fn restart(&mut self) {
        self.process += 1;
        self.locked.clear();
        self.faults = Faults { injected: self.faults.injected, ..Faults::default() };
    }
}
