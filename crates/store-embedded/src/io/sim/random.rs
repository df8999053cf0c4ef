//! Seeded randomness and a clock that stands still.

use std::sync::atomic::{AtomicU64, Ordering};

use millrace_model::random::{STEP, mix};

use crate::io::{Clock, Random};

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
        mix(self.state.fetch_add(STEP, Ordering::Relaxed).wrapping_add(STEP))
    }
}

/// A [`Clock`] that stands still.
#[derive(Debug)]
pub struct SimClock;

impl Clock for SimClock {
    fn monotonic_ns(&self) -> u64 {
        0
    }

    fn give_way(&self) {
        assert!(super::coroutine::give_way(), "it waits for what nobody will ever give back");
    }
}
