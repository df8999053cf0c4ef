//! A histogram of durations that keeps its precision from nanoseconds to hours, in the manner of
//! HdrHistogram: buckets that double, each in so many equal parts.
//!
//! A percentile is the *upper* end of the part it falls in, so it is never below the true value, and at
//! most one part in 128 above it.

use std::time::Duration;

/// Bits of a value that are kept below its highest one.
const PART_BITS: u32 = 7;

/// Parts of each doubling.
const PARTS: usize = 1 << PART_BITS;

/// Counts of durations.
#[derive(Clone, Debug, PartialEq)]
pub struct Histogram {
    counts: Vec<u64>,
    count: u64,
    max: u64,
}

impl Default for Histogram {
    fn default() -> Histogram {
        let doublings = (u64::BITS - PART_BITS) as usize;
        Histogram { counts: vec![0; (doublings + 1) * PARTS], count: 0, max: 0 }
    }
}

impl Histogram {
    /// Counts one duration.
    pub fn record(&mut self, duration: Duration) {
        let nanoseconds = u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX);
        self.counts[part_of(nanoseconds)] += 1;
        self.count += 1;
        self.max = self.max.max(nanoseconds);
    }

    /// Counts all that `other` counted.
    pub fn add(&mut self, other: &Histogram) {
        self.counts.iter_mut().zip(&other.counts).for_each(|(count, other)| *count += other);
        self.count += other.count;
        self.max = self.max.max(other.max);
    }

    /// How many durations were counted.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The longest of them, exactly.
    pub fn max(&self) -> Duration {
        Duration::from_nanos(self.max)
    }

    /// The duration that so many of a hundred do not exceed; zero if there is none.
    pub fn percentile(&self, percent: f64) -> Duration {
        let wanted = (percent / 100.0 * self.count as f64).ceil().max(1.0) as u64;
        let mut seen = 0;
        for (part, count) in self.counts.iter().enumerate() {
            seen += count;
            if wanted <= seen {
                return Duration::from_nanos(end_of(part).min(self.max));
            }
        }
        Duration::ZERO
    }
}

/// The part a value falls in.
fn part_of(value: u64) -> usize {
    let doublings = (u64::BITS - value.leading_zeros()).saturating_sub(PART_BITS + 1);
    doublings as usize * PARTS + (value >> doublings) as usize
}

/// The largest value that falls in a part.
fn end_of(part: usize) -> u64 {
    let doublings = (part / PARTS).saturating_sub(1) as u32;
    let first = (part - doublings as usize * PARTS) as u64;
    ((first + 1) << doublings).wrapping_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use millrace_db::model::random::SplitMix64;

    #[test]
    fn each_value_falls_in_a_part_that_ends_at_most_a_128th_above_it() {
        let mut random = SplitMix64::new(1);
        let edges = [0, 1, 127, 128, 255, 256, 257, 511, 512, u64::MAX - 1, u64::MAX];
        let samples = (0..10_000).map(|_| random.next_u64() >> (random.next_u64() % 64));
        for value in edges.into_iter().chain(samples.collect::<Vec<_>>()) {
            let end = end_of(part_of(value));
            assert!(value <= end && end - value <= value / 128, "{value} ends at {end}");
        }
    }

    #[test]
    fn percentiles_are_those_of_the_sorted_values() {
        let mut random = SplitMix64::new(2);
        let mut values: Vec<u64> = (0..5_000).map(|_| random.next_u64() % 3_000_000).collect();
        let mut histogram = Histogram::default();
        values.iter().for_each(|value| histogram.record(Duration::from_nanos(*value)));
        values.sort_unstable();
        for (percent, at) in [(50.0, 2_499), (99.0, 4_949), (99.9, 4_994), (100.0, 4_999)] {
            let (exact, found) = (values[at], histogram.percentile(percent).as_nanos() as u64);
            assert!(exact <= found && found <= exact + exact / 128, "p{percent}: {exact} {found}");
        }
        assert_eq!(histogram.max().as_nanos() as u64, values[4_999]);
        assert_eq!(histogram.count(), 5_000);
        let (mut low, mut high) = (Histogram::default(), Histogram::default());
        values[..4_000].iter().for_each(|value| low.record(Duration::from_nanos(*value)));
        values[4_000..].iter().for_each(|value| high.record(Duration::from_nanos(*value)));
        low.add(&high);
        assert_eq!(low, histogram, "both parts together");
        assert_eq!(Histogram::default().percentile(99.9), Duration::ZERO);
    }
}
