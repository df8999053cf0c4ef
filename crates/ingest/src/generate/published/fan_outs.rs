//! Fan-outs: how many of something each element has. They are the values of a law at evenly spaced ranks, in random
//! order, so that their sum is exact at every scale and their shape is the law's even for few elements.

use super::super::random::Random;

/// The most performances of an actor.
pub(super) const PERFORMANCES_AN_ACTOR_MAX: u32 = 400;

/// The most performances in a film.
pub(super) const PERFORMANCES_A_FILM_MAX: u32 = 200;

/// The most genres of a film.
pub(super) const GENRES_A_FILM_MAX: u32 = 12;

/// A law, as pairs of a value x and P(X ≥ x); straight lines between them where both are logarithms. What the real
/// data has of films per director: 66 % have one, one percent more than 25, one in a thousand more than 73, the busiest 363.
pub(super) const FILMS_A_DIRECTOR: [(f64, f64); 5] =
    [(1.0, 1.0), (2.0, 0.34), (25.0, 0.0115), (73.0, 0.001), (363.0, 0.00001)];

/// The value of a law that a share of all reach, or exceed.
pub(super) fn of_law(law: &[(f64, f64)], share: f64) -> u32 {
    let Some(pair) = law.windows(2).find(|pair| pair[1].1 <= share) else {
        return law.last().map_or(1, |(most, _)| *most as u32);
    };
    let [(x, p), (next_x, next_p)] = [pair[0], pair[1]];
    let way = (p.ln() - share.ln()) / (p.ln() - next_p.ln());
    (x.ln() + way * (next_x.ln() - x.ln())).exp() as u32
}

/// A power law from 1 to a maximum: P(X ≥ x) is `x^-exponent`, less what lies above the maximum.
#[derive(Clone, Copy, Debug)]
pub(super) struct PowerLaw {
    exponent: f64,
    most: u32,
}

impl PowerLaw {
    /// The one with a mean, which is between 1 and half of the maximum.
    pub(super) fn of_mean(mean: f64, most: u32) -> Self {
        let (mut low, mut high) = (0.01, 20.0);
        for _ in 0..60 {
            let exponent = (low + high) / 2.0;
            match mean < (Self { exponent, most }).mean() {
                true => low = exponent,
                false => high = exponent,
            }
        }
        Self { exponent: high, most }
    }

    /// What lies above the maximum.
    fn beyond(self) -> f64 {
        f64::from(self.most + 1).powf(-self.exponent)
    }

    fn mean(self) -> f64 {
        let beyond = self.beyond();
        let reach = |x: u32| (f64::from(x).powf(-self.exponent) - beyond) / (1.0 - beyond);
        (1..=self.most).map(reach).sum()
    }

    /// The value that a share of all reach, or exceed.
    pub(super) fn of_share(self, share: f64) -> u32 {
        let beyond = self.beyond();
        let value = (share * (1.0 - beyond) + beyond).powf(-1.0 / self.exponent);
        (value as u32).clamp(1, self.most)
    }
}

/// Fan-outs of `count` elements with a sum, which is not below `count`.
pub(super) fn fan_outs(
    count: u32,
    sum: u32,
    of_share: impl Fn(f64) -> u32,
    random: &mut Random,
) -> Vec<u32> {
    let share = |rank: u32| (f64::from(rank) + 0.5) / f64::from(count);
    let mut fan_outs: Vec<u32> = (0..count).map(|rank| of_share(share(rank))).collect();
    shuffle(&mut fan_outs, random);
    let mut found: u64 = fan_outs.iter().map(|fan_out| u64::from(*fan_out)).sum();
    // Rounding leaves a little: in random order, the small ones take it up first.
    let mut small = 8;
    while found != u64::from(sum) {
        for fan_out in fan_outs.iter_mut().filter(|fan_out| **fan_out <= small) {
            if found < u64::from(sum) {
                (*fan_out, found) = (*fan_out + 1, found + 1);
            } else if u64::from(sum) < found && 1 < *fan_out {
                (*fan_out, found) = (*fan_out - 1, found - 1);
            }
        }
        small *= 2;
    }
    fan_outs
}

/// Each element as often as its fan-out says, in random order.
pub(super) fn repeated(fan_outs: &[u32], random: &mut Random) -> Vec<u32> {
    let elements =
        (0..).zip(fan_outs).flat_map(|(element, count)| (0..*count).map(move |_| element));
    let mut all: Vec<u32> = elements.collect();
    shuffle(&mut all, random);
    all
}

fn shuffle(items: &mut [u32], random: &mut Random) {
    for at in (1..items.len()).rev() {
        items.swap(at, random.below(at as u32 + 1) as usize);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_power_law_has_its_mean_and_ends_at_its_maximum() {
        for (mean, most) in [(2.9, 400), (5.8, 200), (2.3, 12)] {
            let law = PowerLaw::of_mean(mean, most);
            assert!((law.mean() - mean).abs() < 0.001, "{law:?}: {}", law.mean());
            assert_eq!(law.of_share(0.999_999), 1);
            assert!(law.of_share(1e-9) <= most && most / 2 < law.of_share(1e-6));
        }
    }

    #[test]
    fn fan_outs_have_their_sum_and_each_element_comes_as_often() {
        let mut random = Random::new(1, 9);
        for (count, sum) in [(1, 1), (1, 5), (7, 7), (1_000, 2_917), (1_000, 9_000)] {
            let law = PowerLaw::of_mean(2.9, 400);
            let fan_outs = fan_outs(count, sum, |share| law.of_share(share), &mut random);
            assert_eq!(fan_outs.iter().sum::<u32>(), sum, "{count}");
            let all = repeated(&fan_outs, &mut random);
            let first = all.iter().filter(|element| **element == 0).count();
            assert_eq!((all.len(), first), (sum as usize, fan_outs[0] as usize));
        }
    }
}
