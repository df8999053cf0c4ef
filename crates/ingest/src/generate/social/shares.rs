//! Draws by weight, and totals shared out by weight.

use super::super::random::Random;

/// Numbers that are drawn as often as their weights say.
pub(super) struct Shares {
    /// The sum of weights up to and with each.
    sums: Vec<f64>,
}

impl Shares {
    pub(super) fn new(weights: impl IntoIterator<Item = f64>) -> Shares {
        let sums = weights.into_iter().scan(0.0, |sum, weight| {
            *sum += weight;
            Some(*sum)
        });
        Shares { sums: sums.collect() }
    }

    /// Weights of a power law: P(weight ≥ x) = x^-`exponent`, cut at `most`.
    pub(super) fn power_law(count: u32, exponent: f64, most: f64, random: &mut Random) -> Vec<f64> {
        (0..count).map(|_| (1.0 - random.unit()).powf(-1.0 / exponent).min(most)).collect()
    }

    fn total(&self) -> f64 {
        self.sums.last().copied().unwrap_or(0.0)
    }

    /// One of them.
    pub(super) fn draw(&self, random: &mut Random) -> u32 {
        self.at(random.unit() * self.total())
    }

    /// One near another: the distance has an exponential distribution with this mean share of the whole.
    pub(super) fn draw_near(&self, other: u32, mean: f64, random: &mut Random) -> u32 {
        let far = -(1.0 - random.unit()).ln() * mean * self.total();
        let signed = if random.percent(50) { far } else { -far };
        let from = self.sums[other as usize];
        self.at((from + signed).rem_euclid(self.total()))
    }

    fn at(&self, sum: f64) -> u32 {
        let place = self.sums.partition_point(|before| *before <= sum);
        place.min(self.sums.len() - 1) as u32
    }

    /// A total in whole parts, each as near to its share as all parts before leave it.
    pub(super) fn parts(&self, whole: u32) -> impl Iterator<Item = u32> {
        let scale = f64::from(whole) / self.total();
        let until = move |sum: &f64| (sum * scale).round() as u32;
        let mut before = 0;
        self.sums.iter().map(move |sum| {
            let until = until(sum);
            until - std::mem::replace(&mut before, until)
        })
    }
}
