//! Phrases: words at positions to each other, with moves allowed.
//!
//! Each occurrence of a word counts by its position less the word's position in the phrase; in an exact phrase these numbers are
//! equal. The slop bounds their spread, as in Lucene: two words that changed positions are a spread of 2. A word that the
//! phrase has twice needs two occurrences.

/// How often the phrase occurs, in decreasing weight: an occurrence with a spread of d counts 1 / (1 + d).
/// `positions` has, for each word of the phrase, its position in the phrase and the positions of the text where it stands, sorted.
pub(super) fn frequency(positions: &[(u32, &[u32])], slop: u32) -> f64 {
    let mut next = vec![0usize; positions.len()];
    let mut frequency = 0.0;
    // The least number goes on; no set of occurrences with a smaller spread is left behind it.
    loop {
        let mut low = (i64::MAX, 0);
        let mut high = i64::MIN;
        for (word, (offset, own)) in positions.iter().enumerate() {
            let Some(position) = own.get(next[word]) else { return frequency };
            let number = i64::from(*position) - i64::from(*offset);
            low = low.min((number, word));
            high = high.max(number);
        }
        let spread = high - low.0;
        if spread <= i64::from(slop) {
            match twice_used(positions, &next) {
                // Two words of the phrase stand on one of the text: the later one needs another occurrence.
                Some(word) => {
                    next[word] += 1;
                    continue;
                }
                None => frequency += 1.0 / (1.0 + spread as f64),
            }
        }
        next[low.1] += 1;
    }
}

/// A word of the phrase whose occurrence another one has.
fn twice_used(positions: &[(u32, &[u32])], next: &[usize]) -> Option<usize> {
    let mut used: Vec<(u32, usize)> = positions
        .iter()
        .zip(next)
        .enumerate()
        .map(|(word, ((_, own), at))| (own[*at], word))
        .collect();
    used.sort_unstable();
    used.windows(2).find(|pair| pair[0].0 == pair[1].0).map(|pair| pair[1].1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_in_their_order_and_out_of_it() {
        // a b . a c b
        let (a, b, c): (&[u32], &[u32], &[u32]) = (&[0, 3], &[1, 5], &[4]);
        assert_eq!(frequency(&[(0, a), (1, b)], 0), 1.0);
        assert_eq!(frequency(&[(0, a), (1, c)], 0), 1.0);
        assert_eq!(frequency(&[(0, c), (1, a)], 1), 0.0);
        // Changed positions are a spread of two.
        assert_eq!(frequency(&[(0, c), (1, a)], 2), 1.0 / 3.0);
        assert!(1.0 < frequency(&[(0, a), (1, b)], 1));
        assert_eq!(frequency(&[(0, a), (1, &[])], 9), 0.0);
    }

    #[test]
    fn a_word_twice_needs_two_occurrences() {
        let one: &[u32] = &[4];
        let two: &[u32] = &[4, 5];
        assert_eq!(frequency(&[(0, one), (1, one)], 3), 0.0);
        assert_eq!(frequency(&[(0, two), (1, two)], 0), 1.0);
    }
}
