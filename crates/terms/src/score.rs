//! How well a text fits a query: BM25 (S. Robertson and H. Zaragoza, "The Probabilistic Relevance Framework: BM25 and
//! Beyond", 2009), as Lucene 9's `BM25Similarity` computes it.
//!
//! As in Lucene, the length of a text has one byte ([`LengthCode`]): exact below 40 words, and rounded down by an eighth at
//! most above. An index has that byte, so it gives the scores that the texts themselves would. Lucene computes in single
//! precision, here it is double.

/// How soon more occurrences of a word stop to count. Lucene's default.
pub const K1: f64 = 1.2;

/// How much the length of a text counts, from 0 to 1. Lucene's default.
pub const B: f64 = 0.75;

/// Occurrences of a word in one text that are counted; more would hardly score higher.
pub const OCCURRENCES_MAX: u32 = 255;

/// The length of a text in words, as one byte: Lucene's `SmallFloat.intToByte4`. Codes below 24 are the length itself;
/// the others are 24 and a number of four binary digits and an exponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LengthCode(pub u8);

/// Lengths that are their own code.
const PLAIN_LENGTHS: u32 = 24;

impl LengthCode {
    /// The code of a length; lengths of one code are nearly equal.
    pub fn of(length: u32) -> LengthCode {
        let Some(above) = length.min(i32::MAX as u32).checked_sub(PLAIN_LENGTHS) else {
            return LengthCode(length as u8);
        };
        let shift = (u32::BITS - above.leading_zeros()).saturating_sub(4);
        let code = match above < 8 {
            true => above,
            false => (above >> shift) & 7 | (shift + 1) << 3,
        };
        LengthCode((PLAIN_LENGTHS + code) as u8)
    }

    /// The least length of the code.
    pub fn length(self) -> u32 {
        let Some(code) = u32::from(self.0).checked_sub(PLAIN_LENGTHS) else {
            return u32::from(self.0);
        };
        let length = match code >> 3 {
            0 => code & 7,
            exponent => (code & 7 | 8) << (exponent - 1),
        };
        PLAIN_LENGTHS.saturating_add(length)
    }
}

/// What is known of all texts of an index.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TextStatistics {
    /// Texts with at least one word.
    pub text_count: u64,
    /// Words of all of them, each text's length rounded as its code is.
    pub word_count: u64,
}

/// How rare a word is: `ln(1 + (N - n + 0.5) / (n + 0.5))`, with N texts of which n have the word. It is never negative.
pub fn inverse_text_frequency(text_count: u64, texts_with_word: u64) -> f64 {
    let (all, with) = (text_count.max(texts_with_word) as f64, texts_with_word as f64);
    (1.0 + (all - with + 0.5) / (with + 0.5)).ln()
}

/// The score of one word of a query for one text. `boost` is the query's. A text without the word has 0.
pub fn bm25(
    statistics: TextStatistics,
    texts_with_word: u64,
    occurrences: u32,
    text_length: u32,
    boost: f64,
) -> f64 {
    if occurrences == 0 || statistics.text_count == 0 {
        return 0.0;
    }
    let rarity = inverse_text_frequency(statistics.text_count, texts_with_word);
    boost
        * rarity
        * saturation(statistics, f64::from(occurrences.min(OCCURRENCES_MAX)), text_length)
}

/// The score of a phrase: its words' rarities together, and how often it occurs, where occurrences with moved words
/// count less. `texts_with` has the texts of each word.
pub fn bm25_of_phrase(
    statistics: TextStatistics,
    texts_with: &[u64],
    frequency: f64,
    text_length: u32,
) -> f64 {
    if frequency <= 0.0 || statistics.text_count == 0 {
        return 0.0;
    }
    let rarities =
        texts_with.iter().map(|with| inverse_text_frequency(statistics.text_count, *with));
    rarities.sum::<f64>() * saturation(statistics, frequency, text_length)
}

/// What occurrences count for, from 0 to 1; less in long texts.
fn saturation(statistics: TextStatistics, frequency: f64, text_length: u32) -> f64 {
    let mean_length = (statistics.word_count as f64 / statistics.text_count as f64).max(1.0);
    let length = f64::from(LengthCode::of(text_length).length());
    let norm = K1 * (1.0 - B + B * length / mean_length);
    frequency / (frequency + norm)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SEVEN: TextStatistics = TextStatistics { text_count: 7, word_count: 21 };

    #[test]
    fn the_numbers_of_lucene() {
        // As `IndexSearcher.explain` shows them for 7 texts of 3 words on average, two of which have the word:
        // idf 1.1631508; tf of one occurrence in 3 words 0.45454544.
        assert!((inverse_text_frequency(7, 2) - 1.163_150_8).abs() < 1e-6);
        assert!((bm25(SEVEN, 2, 1, 3, 1.0) - 1.163_150_8 * 0.454_545_44).abs() < 1e-6);
    }

    #[test]
    fn a_code_stands_for_lengths_a_little_above_its_own() {
        for length in (0..5_000).chain([1 << 20, i32::MAX as u32 - 1, i32::MAX as u32]) {
            let code = LengthCode::of(length);
            let rounded = code.length();
            assert!(rounded <= length && f64::from(length) <= 1.125 * f64::from(rounded) + 1.0);
            assert!(40 <= length || rounded == length);
            assert_eq!(LengthCode::of(rounded), code);
            assert!(code <= LengthCode::of(length + 1));
        }
        assert_eq!(LengthCode::of(u32::MAX), LengthCode::of(i32::MAX as u32));
        assert_eq!(LengthCode::of(i32::MAX as u32), LengthCode(255));
    }

    #[test]
    fn more_occurrences_rarer_words_and_shorter_texts_score_higher() {
        let score = |with, occurrences, length| bm25(SEVEN, with, occurrences, length, 1.0);
        assert!(score(2, 1, 3) < score(2, 2, 3));
        assert!(score(3, 1, 3) < score(2, 1, 3));
        assert!(score(2, 1, 9) < score(2, 1, 3));
        assert!(0.0 < score(7, 1, 3), "a word of all texts counts a little");
        assert_eq!(score(2, 0, 3), 0.0);
        assert_eq!(bm25(SEVEN, 2, 1, 3, 2.0), 2.0 * score(2, 1, 3));
    }

    #[test]
    fn no_counts_make_a_score_that_is_no_number() {
        for count in [0, 1, u64::MAX] {
            for with in [0, 1, u64::MAX] {
                let statistics = TextStatistics { text_count: count, word_count: with };
                assert!(bm25(statistics, with, u32::MAX, u32::MAX, 1.0).is_finite());
            }
        }
    }
}
