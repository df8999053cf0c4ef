//! Random numbers of a query: the n-th number of a stream is a function of seed, stream and n.
//!
//! So the numbers of one operator do not depend on those of another, nor on the rows of a batch.
//! The mixing is that of SplitMix64 (Steele, Lea and Flood, 2014); nothing secret hangs on it.

const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// The random numbers of one operator.
pub(crate) struct RandomStream {
    start: u64,
    position: u64,
}

impl RandomStream {
    /// A stream that continues after `position` numbers.
    pub(crate) fn new(seed: u64, stream: u32, position: u64) -> RandomStream {
        RandomStream { start: mixed(seed ^ mixed(u64::from(stream) + 1)), position }
    }

    /// The next number.
    pub(crate) fn next(&mut self) -> u64 {
        self.position = self.position.wrapping_add(1);
        mixed(self.start.wrapping_add(self.position.wrapping_mul(STEP)))
    }

    /// The next number, from 0 to below 1.
    pub(crate) fn next_share(&mut self) -> f64 {
        // As many bits as a double holds.
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// How many numbers were taken.
    pub(crate) fn position(&self) -> u64 {
        self.position
    }
}

/// A number in which every bit hangs on every bit of `number`.
pub(crate) fn mixed(number: u64) -> u64 {
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}
