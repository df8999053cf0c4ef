//! Seeded random numbers: a seed gives the same numbers on every machine and in every version.
//!
//! SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", OOPSLA 2014).
//! Small, equally distributed over 64 bits, and any seed is a good one. Not for secrets. Queries with a
//! seed, generated files and the seeds that tests print depend on the exact numbers, so they never
//! change. Only [`SplitMix64::rank`] uses floating-point powers, and the last bit of these may differ
//! between platforms.

/// What a state grows by from one number to the next.
pub const STEP: u64 = 0x9E37_79B9_7F4A_7C15;

/// The number that belongs to a state: each of its bits depends on each bit of `state`.
pub fn mix(state: u64) -> u64 {
    let bits = (state ^ (state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    bits ^ (bits >> 31)
}

/// A float in `0.0..1.0`, from as many of `bits` as one holds (53).
pub fn fraction(bits: u64) -> f64 {
    (bits >> 11) as f64 / (1_u64 << 53) as f64
}

/// A deterministic generator.
#[derive(Clone, Debug)]
pub struct SplitMix64 {
    state: u64,
}

impl SplitMix64 {
    /// A generator of numbers that depend on `seed` alone.
    pub fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// The next 64 random bits.
    pub fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(STEP);
        mix(self.state)
    }

    /// A generator for a part of the test, so that taking more there changes nothing here.
    pub fn fork(&mut self) -> Self {
        Self::new(self.next_u64())
    }

    /// A number in `0..bound`; `bound` must not be 0.
    ///
    /// The high half of a product, rejecting the few that would bias (Lemire, "Fast random integer
    /// generation in an interval", 2019).
    pub fn below(&mut self, bound: u64) -> u64 {
        assert!(0 < bound, "no number lies below 0");
        loop {
            let product = u128::from(self.next_u64()) * u128::from(bound);
            let low = product as u64;
            // The remainder is below the bound, and seldom has to be computed.
            if bound <= low || bound.wrapping_neg() % bound <= low {
                return (product >> 64) as u64;
            }
        }
    }

    /// A number in `first..end`, which must not be empty.
    pub fn range(&mut self, range: std::ops::Range<u64>) -> u64 {
        range.start + self.below(range.end - range.start)
    }

    /// A position in a sequence of `length` items; `length` must not be 0.
    pub fn index(&mut self, length: usize) -> usize {
        self.below(length as u64) as usize
    }

    /// A float in `0.0..1.0`.
    pub fn unit(&mut self) -> f64 {
        fraction(self.next_u64())
    }

    /// True with this probability: never at 0.0, always at 1.0.
    pub fn chance(&mut self, probability: f64) -> bool {
        self.unit() < probability
    }

    /// True once in so many times; `times` must not be 0.
    pub fn one_in(&mut self, times: u64) -> bool {
        self.below(times) == 0
    }

    /// One item of a sequence that is not empty.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.index(items.len())]
    }

    /// Puts the items in a random order (Fisher and Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for end in (1..items.len()).rev() {
            items.swap(end, self.index(end + 1));
        }
    }

    /// A rank in `0..count` by a power law: rank r about as often as `(r + 1)^-exponent`.
    ///
    /// Rank 0 is the most frequent; exponent 1.0 is Zipf's law, 0.0 is uniform. The distribution is
    /// the continuous one cut into ranks, which is close enough for hubs in test graphs.
    pub fn rank(&mut self, count: u64, exponent: f64) -> u64 {
        assert!(0 < count, "a power law needs at least one rank");
        let end = (count + 1) as f64;
        let unit = self.unit();
        let flatness = 1.0 - exponent;
        let point = if flatness.abs() < 1e-9 {
            end.powf(unit)
        } else {
            (1.0 + unit * (end.powf(flatness) - 1.0)).powf(1.0 / flatness)
        };
        (point as u64 - 1).min(count - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_numbers_are_those_of_the_reference_implementation() {
        let mut random = SplitMix64::new(1_234_567);
        let numbers = [random.next_u64(), random.next_u64(), random.next_u64()];
        assert_eq!(
            numbers,
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]
        );
    }

    #[test]
    fn below_reaches_every_number_and_no_other() {
        let mut random = SplitMix64::new(1);
        let mut counts = [0; 6];
        for _ in 0..6_000 {
            counts[random.below(6) as usize] += 1;
        }
        assert!(counts.iter().all(|&count| (850..1_150).contains(&count)), "{counts:?}");
    }

    #[test]
    fn chance_is_exact_at_both_ends() {
        let mut random = SplitMix64::new(2);
        assert!((0..1_000).all(|_| !random.chance(0.0) && random.chance(1.0)));
    }

    #[test]
    fn a_shuffle_keeps_the_items_and_moves_them() {
        let mut items: Vec<u32> = (0..100).collect();
        SplitMix64::new(3).shuffle(&mut items);
        assert_ne!(items, (0..100).collect::<Vec<_>>());
        items.sort_unstable();
        assert_eq!(items, (0..100).collect::<Vec<_>>());
    }

    #[test]
    fn ranks_of_a_power_law_fall_and_stay_inside() {
        for exponent in [0.0, 0.8, 1.0, 1.5] {
            let mut random = SplitMix64::new(4);
            let mut counts = [0_u32; 10];
            for _ in 0..10_000 {
                counts[random.rank(10, exponent) as usize] += 1;
            }
            assert!(counts.iter().all(|&count| 0 < count), "{exponent}: {counts:?}");
            if 0.0 < exponent {
                assert!(counts[9] * 3 < counts[0], "{exponent}: {counts:?}");
            }
        }
    }

    #[test]
    fn a_fork_does_not_disturb_its_parent() {
        let (mut short, mut long) = (SplitMix64::new(5), SplitMix64::new(5));
        short.fork().next_u64();
        let mut part = long.fork();
        (0..100).for_each(|_| assert_ne!(part.next_u64(), 0));
        assert_eq!(short.next_u64(), long.next_u64());
    }
}
