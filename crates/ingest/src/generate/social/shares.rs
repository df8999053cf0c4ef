//! Draws by weight.

use super::super::random::Random;

/// Numbers that are drawn as often as their weights say.
pub(super) struct Shares {
    /// The sum of weights up to and with each.
    sums: Vec<f64>,
}

impl Shares {
    /// There must be a weight above zero.
    pub(super) fn new(weights: impl IntoIterator<Item = f64>) -> Shares {
        let sums = weights.into_iter().scan(0.0, |sum, weight| {
            *sum += weight;
            Some(*sum)
        });
        Shares { sums: sums.collect() }
    }

    /// One of them.
    pub(super) fn pick(&self, random: &mut Random) -> u32 {
        let total = self.sums.last().copied().unwrap_or(0.0);
        let sum = random.unit() * total;
        let drawn = self.sums.partition_point(|before| *before <= sum);
        drawn.min(self.sums.len() - 1) as u32
    }
}
