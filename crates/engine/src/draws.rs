//! Random numbers of a query: the n-th draw of a stream is a function of seed, stream and n.
//!
//! So draws of one operator do not depend on those of another, nor on how many rows a batch has.
//! The mixing is that of SplitMix64 (Steele, Lea and Flood, 2014); nothing secret hangs on it.

const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// The draws of one operator.
pub(crate) struct Stream {
    start: u64,
    drawn: u64,
}

impl Stream {
    /// A stream that goes on after so many draws.
    pub(crate) fn new(seed: u64, stream: u32, drawn: u64) -> Stream {
        Stream { start: mixed(seed ^ mixed(u64::from(stream) + 1)), drawn }
    }

    /// The next draw.
    pub(crate) fn next(&mut self) -> u64 {
        self.drawn = self.drawn.wrapping_add(1);
        mixed(self.start.wrapping_add(self.drawn.wrapping_mul(STEP)))
    }

    /// The next draw, from 0 to below 1.
    pub(crate) fn next_share(&mut self) -> f64 {
        // As many bits as a double holds.
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// How many draws there were.
    pub(crate) fn drawn(&self) -> u64 {
        self.drawn
    }
}

/// A number in which every bit hangs on every bit of `number`.
pub(crate) fn mixed(number: u64) -> u64 {
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}
