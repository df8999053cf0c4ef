//! Seeded randomness and a clock that moves when told.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::io::{Clock, Random};

/// The SplitMix64 generator: small, and good enough to be the machine's bad luck.
#[derive(Debug, Clone)]
pub struct SplitMix64 {
    state: u64,
}

impl SplitMix64 {
    /// The sequence that belongs to a seed.
    pub fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// The next 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(INCREMENT);
        mix(self.state)
    }

    /// A number below `bound`, which is not 0. The bias of the remainder does not matter here.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.next_u64() % bound
    }

    /// True `numerator` times in `denominator`.
    pub fn chance(&mut self, numerator: u64, denominator: u64) -> bool {
        self.below(denominator) < numerator
    }

    /// Fills `bytes`.
    pub fn fill(&mut self, bytes: &mut [u8]) {
        for chunk in bytes.chunks_mut(8) {
            chunk.copy_from_slice(&self.next_u64().to_le_bytes()[..chunk.len()]);
        }
    }
}

const INCREMENT: u64 = 0x9e37_79b9_7f4a_7c15;

fn mix(state: u64) -> u64 {
    let state = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let state = (state ^ (state >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    state ^ (state >> 31)
}

/// A [`Random`] that gives the same numbers for the same seed.
#[derive(Debug)]
pub struct SimRandom {
    state: AtomicU64,
}

impl SimRandom {
    /// The sequence that belongs to a seed.
    pub fn new(seed: u64) -> Self {
        Self { state: AtomicU64::new(seed) }
    }
}

impl Random for SimRandom {
    fn next_u64(&self) -> u64 {
        mix(self.state.fetch_add(INCREMENT, Ordering::Relaxed).wrapping_add(INCREMENT))
    }
}

/// A [`Clock`] that stands still until it is moved.
#[derive(Debug, Default)]
pub struct SimClock {
    now_ns: AtomicU64,
}

impl SimClock {
    /// Moves both times forward.
    pub fn advance_ns(&self, by: u64) {
        self.now_ns.fetch_add(by, Ordering::Relaxed);
    }
}

impl Clock for SimClock {
    fn monotonic_ns(&self) -> u64 {
        self.now_ns.load(Ordering::Relaxed)
    }

    fn wall_ms(&self) -> u64 {
        // Some day in 2026, so that a date made from it looks like one.
        1_767_225_600_000 + self.monotonic_ns() / 1_000_000
    }

    fn give_way(&self) {
        assert!(super::coroutine::give_way(), "it waits for what nobody will ever give back");
    }
}
