//! How well a text fits a query: BM25 (S. Robertson and H. Zaragoza, "The Probabilistic Relevance Framework: BM25 and
//! Beyond", 2009), as Lucene 9's `BM25Similarity` computes it.
//!
//! Lucene stores the length of a field in one byte, exact up to 39 words and rounded down to about an eighth above; here it
//! is exact. Scores of long texts therefore differ from Neo4j's by a few percent, and their order only where two are
//! about equal. Lucene computes in single precision, too.

/// How soon more occurrences of a word stop to count. Lucene's default.
pub const K1: f64 = 1.2;

/// How much the length of a text counts, from 0 to 1. Lucene's default.
pub const B: f64 = 0.75;

/// What is known of all texts of an index.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TextStatistics {
    /// Texts with at least one word.
    pub text_count: u64,
    /// Words of all of them.
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
    boost * rarity * saturation(statistics, f64::from(occurrences), text_length)
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
    let norm = K1 * (1.0 - B + B * f64::from(text_length) / mean_length);
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
