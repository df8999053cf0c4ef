//! A histogram of durations that keeps its precision from nanoseconds to hours: HdrHistogram, with its
//! longest duration beside it, exactly.
//!
//! A percentile is the *upper* end of the part it falls in, so it is never below the true value, and at
//! most one part in 128 above it.

use std::time::Duration;

/// Decimal digits of a duration that are kept: doublings in 128 parts each.
const DIGITS: u8 = 2;

/// Counts of durations. The parts grow to what is recorded, so that nothing is refused.
#[derive(Clone, Debug, PartialEq)]
pub struct Histogram {
    counts: hdrhistogram::Histogram<u64>,
    max: u64,
}

impl Default for Histogram {
    fn default() -> Histogram {
        let counts = hdrhistogram::Histogram::new(DIGITS).expect("up to five digits may be kept");
        Histogram { counts, max: 0 }
    }
}

impl Histogram {
    /// Counts one duration.
    pub fn record(&mut self, duration: Duration) {
        let nanoseconds = u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX);
        self.counts += nanoseconds;
        self.max = self.max.max(nanoseconds);
    }

    /// Counts all that `other` counted.
    pub fn add(&mut self, other: &Histogram) {
        self.counts += &other.counts;
        self.max = self.max.max(other.max);
    }

    /// How many durations were counted.
    pub fn count(&self) -> u64 {
        self.counts.len()
    }

    /// The longest of them, exactly.
    pub fn max(&self) -> Duration {
        Duration::from_nanos(self.max)
    }

    /// The mean, as near as the parts are; zero if there is none.
    pub fn mean(&self) -> Duration {
        Duration::from_nanos(self.counts.mean() as u64)
    }

    /// The duration that so many of a hundred do not exceed; zero if there is none.
    pub fn percentile(&self, percent: f64) -> Duration {
        Duration::from_nanos(self.counts.value_at_percentile(percent).min(self.max))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use millrace_model::random::SplitMix64;

    #[test]
    fn each_value_falls_in_a_part_that_ends_at_most_a_128th_above_it() {
        let mut random = SplitMix64::new(1);
        let edges = [0, 1, 127, 128, 255, 256, 257, 511, 512, u64::MAX - 1];
        let samples = (0..500).map(|_| random.next_u64() >> (random.next_u64() % 64));
        for value in edges.into_iter().chain(samples.collect::<Vec<_>>()) {
            let mut histogram = Histogram::default();
            for value in [value, u64::MAX] {
                histogram.record(Duration::from_nanos(value));
            }
            let end = histogram.percentile(50.0).as_nanos() as u64;
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
        let mean = values.iter().sum::<u64>() as f64 / 5_000.0;
        let found = histogram.mean().as_nanos() as f64;
        assert!((found / mean - 1.0).abs() < 1.0 / 128.0, "{found} {mean}");
        let (mut low, mut high) = (Histogram::default(), Histogram::default());
        values[..4_000].iter().for_each(|value| low.record(Duration::from_nanos(*value)));
        values[4_000..].iter().for_each(|value| high.record(Duration::from_nanos(*value)));
        low.add(&high);
        assert_eq!(low, histogram, "both parts together");
        assert_eq!(Histogram::default().percentile(99.9), Duration::ZERO);
    }
}
