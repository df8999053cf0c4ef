//! Queries for full text: any text is a query or an error with a position, the same each time; a query judges texts, and a
//! text that matches has the keys that the query asks an index for.

use std::collections::BTreeSet;

use millrace_model::{ErrorKind, Value};
use millrace_terms::query::{Corpus, Fields, WordPositions, parse};
use millrace_terms::score::TextStatistics;
use millrace_terms::{Analyzer, KeyExtractor};

/// Queries with each form of the grammar.
const SEEDS: &[&str] = &[
    "fox dog",
    "+quick -\"lazy dog\"~2 AND (fox OR NOT title:cat^2.5)",
    "qu?ck bro* *wn /qu[ij]ck/ roam~ roam~1 roam~0.5",
    "title:[a TO f] AND {b TO *} OR [* TO \"z z\"}",
    "a\\:b \\\"c\\\" && d || !e *:* title:*",
    "((((a)^3 b))) \"\" () \u{fffd}東京 😀",
];

/// Texts of two fields.
const TEXTS: [[&str; 2]; 4] = [
    ["The quick brown fox", "jumps over the lazy dog"],
    ["a b c d e f", "東京 😀 roams foam"],
    ["", "Quick QUICK quick's"],
    ["title cat z z", ""],
];

/// The queries, as bytes behind the number of an analyzer.
pub fn seeds() -> Vec<Vec<u8>> {
    let nested = format!("{}a{}", "(".repeat(60), ")".repeat(60));
    let texts = SEEDS.iter().copied().chain([nested.as_str()]);
    texts
        .enumerate()
        .map(|(number, text)| [&[number as u8 * 5], text.as_bytes()].concat())
        .collect()
}

/// Few texts, none counted.
struct Few;

impl Corpus for Few {
    fn statistics(&self, _field: &str) -> TextStatistics {
        TextStatistics { text_count: 4, word_count: 20 }
    }

    fn texts_with(&self, _field: &str, _word: &str) -> u64 {
        1
    }
}

/// Reads the bytes behind the first as a query.
pub fn run(bytes: &[u8]) {
    let Some((&choice, rest)) = bytes.split_first() else { return };
    let analyzers: Vec<Analyzer> = Analyzer::all().collect();
    let analyzer = analyzers[usize::from(choice) % analyzers.len()];
    let text = String::from_utf8_lossy(rest);
    let query = match parse(&text) {
        Ok(query) => query,
        Err(error) => {
            let is_placed = error.position.is_some() || error.kind == ErrorKind::LimitReached;
            assert!(is_placed, "{error:?}: {text}");
            assert_eq!(parse(&text).err(), Some(error), "the same text twice: {text}");
            return;
        }
    };
    // A boost that is no number is not itself.
    let shown = format!("{query:?}");
    assert_eq!(parse(&text).map(|again| format!("{again:?}")), Ok(shown), "twice: {text}");
    let Ok(analyzed) = query.analyzed(analyzer, None) else { return };
    let question = analyzed.key_question();
    for [title, notes] in TEXTS {
        let mut fields = Fields::new();
        let mut keys = BTreeSet::new();
        for (name, text) in [("title", title), ("notes", notes)] {
            let mut words = WordPositions::default();
            words.add(analyzer, text, None).expect("few words");
            fields.insert(name.to_owned(), words);
            let mut take = |key: &[u8], _| {
                keys.insert(key.to_vec());
                Ok(())
            };
            let text = Value::from(text);
            KeyExtractor::Words(analyzer).keys_of(&text, None, &mut take).expect("few words");
        }
        // A question that needs too much work is refused, and so is its score.
        let Ok(matches) = analyzed.matches(&fields) else { continue };
        let score = analyzed.score(&fields, &Few).expect("it was judged before");
        assert_eq!(score.is_some(), matches, "{text} over {title}, {notes}");
        let is_candidate = question.is_satisfied_by(&keys);
        assert!(is_candidate || !matches, "{text} by {analyzer} misses {title}, {notes}");
    }
}
