//! Random numbers of a query: the n-th number of a stream is a function of seed, stream and n.
//!
//! So the numbers of one operator do not depend on those of another, nor on the rows of a batch.
//! The mixing is that of SplitMix64 (Steele, Lea and Flood, 2014); nothing secret hangs on it.

use millrace_model::random::{STEP, fraction, mix};

/// The random numbers of one operator.
pub(crate) struct RandomStream {
    start: u64,
    position: u64,
}

impl RandomStream {
    /// A stream that continues after `position` numbers.
    pub(crate) fn new(seed: u64, stream: u32, position: u64) -> RandomStream {
        RandomStream { start: mix(seed ^ mix(u64::from(stream) + 1)), position }
    }

    /// The next number.
    pub(crate) fn next(&mut self) -> u64 {
        self.position = self.position.wrapping_add(1);
        mix(self.start.wrapping_add(self.position.wrapping_mul(STEP)))
    }

    /// The next number, from 0 to below 1.
    pub(crate) fn next_share(&mut self) -> f64 {
        fraction(self.next())
    }

    /// How many numbers were taken.
    pub(crate) fn position(&self) -> u64 {
        self.position
    }
}
