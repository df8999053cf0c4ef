//! Words within a few edits of each other.
//!
//! An edit inserts, deletes or replaces a character, or swaps two neighbours: the restricted Damerau–Levenshtein
//! distance, as in Lucene's fuzzy queries, counted in characters of Unicode. Only a diagonal band of the table can stay
//! within the bound, so a comparison costs the length of the word times the bound. An automaton for each question would
//! save comparisons only where a store can skip keys by it.

use crate::limits::{EDITS_MAX, FUZZY_CHARACTERS_MAX};

/// Whether one word becomes the other by at most so many edits, of which at most two are counted.
pub fn within(left: &str, right: &str, edits: u8) -> bool {
    let edits = usize::from(edits.min(EDITS_MAX));
    if left == right {
        return true;
    }
    // A character is four bytes at most, and most words are long apart.
    if edits == 0 || edits * 4 < left.len().abs_diff(right.len()) {
        return false;
    }
    let left: Vec<char> = left.chars().take(FUZZY_CHARACTERS_MAX + 1).collect();
    let right: Vec<char> = right.chars().take(FUZZY_CHARACTERS_MAX + 1).collect();
    if FUZZY_CHARACTERS_MAX < left.len().max(right.len())
        || edits < left.len().abs_diff(right.len())
    {
        return false;
    }
    distance_up_to(&left, &right, edits) <= edits
}

/// How like a word is to one that was wanted: 1 less the edits for each character of the shorter one, as in Lucene.
pub fn similarity(wanted: &str, word: &str) -> f64 {
    let length = wanted.chars().count().min(word.chars().count()).max(1) as f64;
    let edits = (0..=EDITS_MAX).find(|edits| within(wanted, word, *edits)).unwrap_or(0);
    (1.0 - f64::from(edits) / length).max(0.0)
}

/// Whether one text becomes the other by at most so many insertions, deletions and replacements of UTF-16 units, as
/// Apache's `LevenshteinDistance` counts. Both may be of any length: the diagonal band alone is kept.
pub fn within_without_swaps(left: &str, right: &str, edits: u8) -> bool {
    let edits = usize::from(edits.min(EDITS_MAX));
    if left == right {
        return true;
    }
    // A unit is three bytes at most.
    if edits * 3 < left.len().abs_diff(right.len()) {
        return false;
    }
    let length = |text: &str| text.encode_utf16().count();
    let (rows, columns) = (length(left), length(right));
    if edits < rows.abs_diff(columns) {
        return false;
    }
    // The entry at `width` is that of the column `row + width - edits`.
    let width = 2 * edits + 1;
    let far = edits + 1;
    let (mut before, mut band) = ([far; BAND], [far; BAND]);
    for (at, entry) in before[..width].iter_mut().enumerate() {
        *entry = at.checked_sub(edits).filter(|column| *column <= columns).unwrap_or(far);
    }
    // The units of the columns in the band; those before the first and behind the last are none.
    let mut units: [Option<u16>; BAND] = [None; BAND];
    let mut coming = right.encode_utf16();
    for unit in &mut units[edits + 1..width] {
        *unit = coming.next();
    }
    for (row, own) in left.encode_utf16().enumerate() {
        let row = row + 1;
        units.copy_within(1..width, 0);
        units[width - 1] = coming.next();
        for at in 0..width {
            band[at] = match (row + at).checked_sub(edits) {
                Some(column) if column <= columns => {
                    let replaced = before[at] + usize::from(units[at] != Some(own));
                    let deleted = if at + 1 < width { before[at + 1] + 1 } else { far };
                    let inserted = if 0 < at { band[at - 1] + 1 } else { far };
                    let least = if column == 0 { deleted } else { replaced.min(deleted) };
                    least.min(inserted).min(far)
                }
                _ => far,
            };
        }
        if band[..width].iter().all(|entry| edits < *entry) {
            return false;
        }
        before = band;
    }
    columns + edits >= rows && before[columns + edits - rows] <= edits
}

/// Columns of the widest band.
const BAND: usize = 2 * EDITS_MAX as usize + 1;

/// The edits that Lucene's and JanusGraph's users get for a word without a number: none below 3 characters, one below
/// 6, else two (JanusGraph's `textFuzzy`; characters are UTF-16 units there).
pub fn edits_of_length(word: &str) -> u8 {
    match word.encode_utf16().count() {
        0..3 => 0,
        3..6 => 1,
        _ => 2,
    }
}

/// The distance, or any number above the bound. Rows before: `[two, one]`.
fn distance_up_to(left: &[char], right: &[char], bound: usize) -> usize {
    let far = bound + 1;
    let width = right.len() + 1;
    let mut two_before = vec![far; width];
    let mut before: Vec<usize> = (0..width).map(|column| column.min(far)).collect();
    let mut row = vec![far; width];
    for (at, own) in left.iter().enumerate() {
        let line = at + 1;
        row.fill(far);
        row[0] = line.min(far);
        let (first, last) = (line.saturating_sub(bound).max(1), (line + bound).min(right.len()));
        for column in first..=last {
            let other = right[column - 1];
            let replaced = before[column - 1] + usize::from(*own != other);
            let mut least = replaced.min(before[column] + 1).min(row[column - 1] + 1);
            let are_swapped =
                1 < line && 1 < column && *own == right[column - 2] && left[line - 2] == other;
            if are_swapped {
                least = least.min(two_before[column - 2] + 1);
            }
            row[column] = least.min(far);
        }
        if row.iter().all(|edits| bound < *edits) {
            return far;
        }
        std::mem::swap(&mut two_before, &mut before);
        std::mem::swap(&mut before, &mut row);
    }
    before[right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use millrace_testkit::run_seeds;

    #[test]
    fn edits_are_counted_as_lucene_does() {
        let pairs = [
            ("kitten", "sitten", 1),
            ("abcd", "acbd", 1),
            ("ab", "ba", 1),
            ("flaw", "lawn", 2),
            ("", "ab", 2),
        ];
        for (left, right, edits) in pairs {
            assert!(
                within(left, right, edits) && !within(left, right, edits - 1),
                "{left} {right}"
            );
        }
        assert!(!within("kitten", "sitting", 9), "two edits are the most that are counted");
        assert!(within("müller", "muller", 1));
        // Restricted: a swapped pair is not edited again.
        assert!(!within("ca", "abc", 2));
    }

    /// The whole table, without a band.
    fn distance(left: &[char], right: &[char]) -> usize {
        let mut table = vec![vec![0; right.len() + 1]; left.len() + 1];
        for line in 0..=left.len() {
            for column in 0..=right.len() {
                table[line][column] = if line == 0 || column == 0 {
                    line + column
                } else {
                    let (own, other) = (left[line - 1], right[column - 1]);
                    let mut least = table[line - 1][column - 1] + usize::from(own != other);
                    least = least.min(table[line - 1][column] + 1).min(table[line][column - 1] + 1);
                    if 1 < line && 1 < column && own == right[column - 2] && left[line - 2] == other
                    {
                        least = least.min(table[line - 2][column - 2] + 1);
                    }
                    least
                };
            }
        }
        table[left.len()][right.len()]
    }

    #[test]
    fn the_band_agrees_with_the_whole_table() {
        run_seeds(2_000, |_, random| {
            let mut word = || {
                (0..random.below(8)).map(|_| *random.pick(&['a', 'b', 'ü'])).collect::<Vec<char>>()
            };
            let (left, right) = (word(), word());
            let [l, r] = [&left, &right].map(|word| word.iter().collect::<String>());
            for edits in 0..=2 {
                let expected = distance(&left, &right) <= usize::from(edits);
                assert_eq!(within(&l, &r, edits), expected, "{l:?} {r:?} {edits}");
            }
        });
    }

    /// The whole table, without swaps.
    fn plain_distance(left: &[u16], right: &[u16]) -> usize {
        let mut row: Vec<usize> = (0..=right.len()).collect();
        for (line, own) in left.iter().enumerate() {
            let mut corner = std::mem::replace(&mut row[0], line + 1);
            for column in 1..=right.len() {
                let replaced = corner + usize::from(*own != right[column - 1]);
                corner = row[column];
                row[column] = replaced.min(row[column] + 1).min(row[column - 1] + 1);
            }
        }
        row[right.len()]
    }

    #[test]
    fn the_band_without_swaps_agrees_with_the_whole_table() {
        run_seeds(4_000, |_, random| {
            let mut word =
                || (0..random.below(9)).map(|_| *random.pick(&['a', 'b', '𝒳'])).collect::<String>();
            let (left, right) = (word(), word());
            let units = |text: &str| text.encode_utf16().collect::<Vec<_>>();
            for edits in 0..=2 {
                let expected = plain_distance(&units(&left), &units(&right)) <= usize::from(edits);
                let found = within_without_swaps(&left, &right, edits);
                assert_eq!(found, expected, "{left:?} {right:?} {edits}");
            }
        });
        let long = "ab".repeat(500_000);
        assert!(within_without_swaps(&long, &long[1..], 1));
    }

    #[test]
    fn a_word_without_a_number_has_edits_by_its_length() {
        assert_eq!(["ab", "abc", "abcde", "abcdef"].map(edits_of_length), [0, 1, 1, 2]);
    }
}
