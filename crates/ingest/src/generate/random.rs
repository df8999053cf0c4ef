//! Random numbers that never change between versions, since generated data is compared by content.
//! (Powers are the platform's: their last bit may differ elsewhere, and then so may a rank.)

use millrace_model::random::{STEP, SplitMix64};

/// How much low ranks are preferred: of 1,500 the first gets 1.7 %, of 20 it gets 19 %.
const SKEW: f64 = 1.8;

/// The numbers of one purpose.
#[derive(Clone, Debug)]
pub(super) struct Random {
    numbers: SplitMix64,
}

impl Random {
    /// A stream for each pair of `seed` and `purpose`.
    pub(super) fn new(seed: u64, purpose: u64) -> Self {
        let start = seed ^ purpose.wrapping_mul(0xa076_1d64_78bd_642f);
        Self { numbers: SplitMix64::new(start.wrapping_add(STEP)) }
    }

    /// A number in `0..bound`, which must not be empty.
    pub(super) fn below(&mut self, bound: u32) -> u32 {
        self.numbers.below(u64::from(bound)) as u32
    }

    /// True in so many of a hundred cases.
    pub(super) fn percent(&mut self, chance: u32) -> bool {
        self.below(100) < chance
    }

    /// A number in `0.0..1.0`.
    pub(super) fn unit(&mut self) -> f64 {
        self.numbers.unit()
    }

    /// At least 1; P(X ≥ x) = x^-`exponent`, cut at `most`.
    pub(super) fn power_law(&mut self, exponent: f64, most: u32) -> u32 {
        let sample = (1.0 - self.unit()).powf(-1.0 / exponent);
        sample.min(f64::from(most)) as u32
    }

    /// A rank in `0..count` where low ranks come far more often.
    pub(super) fn skewed(&mut self, count: u32) -> u32 {
        let sample = self.unit().powf(SKEW) * f64::from(count);
        (sample as u32).min(count - 1)
    }

    pub(super) fn choose<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        self.numbers.pick(items)
    }
}
