//! The generator of the simulated machine and of tests.

use millrace_model::random::SplitMix64;

/// Random numbers by remainders. The seeds that find injected bugs depend on each of them.
#[derive(Debug, Clone)]
pub struct SimNumbers {
    numbers: SplitMix64,
}

impl SimNumbers {
    /// The sequence that belongs to a seed.
    pub fn new(seed: u64) -> Self {
        Self { numbers: SplitMix64::new(seed) }
    }

    /// The next 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        self.numbers.next_u64()
    }

    /// A number below `bound`, which is not 0. The bias of the remainder does not matter here.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.next_u64() % bound
    }

    /// True `numerator` times in `denominator`.
    pub fn chance(&mut self, numerator: u64, denominator: u64) -> bool {
        self.below(denominator) < numerator
    }
}
