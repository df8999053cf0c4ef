//! JanusGraph's predicates on texts: what each accepts, and what it asks an index.
//!
//! The words of a text are runs of two or more letters and digits, in lower case: those of the analyzer `janusgraph`.
//! Edits are counted as JanusGraph's own memory does (two neighbours that are swapped are two edits), in units of UTF-16.
//! An index counts a swap as one edit, so it may give more candidates, and never fewer.

use std::borrow::Cow;
use std::collections::BTreeSet;

use millrace_model::{Error, ErrorKind, Result, query_limits};
use regex_syntax::ParserBuilder;
use regex_syntax::hir::literal::Extractor;

use crate::analyzers;
use crate::extractor::KeyExtractor;
use crate::limits::PATTERN_DEPTH_MAX;
use crate::matching::fuzzy;
use crate::question::{KeyPattern, KeyQuestion};
use crate::trigrams;

/// The analyzer whose words these predicates see.
const ANALYZER: &str = "janusgraph";

/// Words and bytes of a condition that are asked for: they narrow as well as all do, and a condition may be of any length.
const ASKED_WORDS_MAX: usize = 64;
const ASKED_BYTES_MAX: usize = 256;

/// UTF-16 units of a word that an index can be asked for with edits: longer words of a text stand in it in parts.
const ASKED_FUZZY_MAX: usize = 250;

/// A predicate on a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TextTest {
    /// All words of the condition are in the text.
    Contains,
    /// A word begins so.
    ContainsPrefix,
    /// A whole word matches a regular expression.
    ContainsRegex,
    /// A word is within a few edits.
    ContainsFuzzy,
    /// The words of the condition stand in the text next to each other.
    ContainsPhrase,
    /// The text begins so.
    Prefix,
    /// The whole text matches a regular expression.
    Regex,
    /// The text is within a few edits.
    Fuzzy,
}

/// Whether a regular expression matches a whole text.
pub type WholeMatch<'m> = &'m mut dyn FnMut(&str) -> Result<bool>;

impl TextTest {
    /// All of them.
    pub const ALL: [TextTest; 8] = [
        TextTest::Contains,
        TextTest::ContainsPrefix,
        TextTest::ContainsRegex,
        TextTest::ContainsFuzzy,
        TextTest::ContainsPhrase,
        TextTest::Prefix,
        TextTest::Regex,
        TextTest::Fuzzy,
    ];

    /// Whether its condition is a regular expression.
    pub fn is_pattern(self) -> bool {
        matches!(self, TextTest::ContainsRegex | TextTest::Regex)
    }

    /// Refuses a condition that JanusGraph refuses: one of white space alone, except for a prefix.
    pub fn check(self, condition: &str) -> Result<()> {
        let takes_any = matches!(self, TextTest::ContainsPrefix | TextTest::Prefix);
        if takes_any || !condition.chars().all(analyzers::is_java_whitespace) {
            return Ok(());
        }
        Err(Error::new(ErrorKind::BadQuery, "the condition of a predicate on a text is blank")
            .with_help("give it at least one character that is no white space"))
    }

    /// Whether it accepts a text. `matches` is asked by the tests whose condition is a pattern.
    pub fn accepts(self, text: &str, condition: &str, matches: WholeMatch) -> Result<bool> {
        Ok(match self {
            TextTest::Contains => contains(text, condition)?,
            TextTest::ContainsPhrase => contains_phrase(text, condition)?,
            TextTest::ContainsPrefix => {
                let prefix = lower(condition)?;
                words(&lower(text)?).any(|word| word.starts_with(trim(&prefix)))
            }
            TextTest::ContainsFuzzy => {
                let term = lower(condition)?;
                words(&lower(text)?).any(|word| is_like(trim(&term), word))
            }
            TextTest::ContainsRegex => {
                for word in words(&lower(text)?) {
                    if matches(word)? {
                        return Ok(true);
                    }
                }
                false
            }
            TextTest::Prefix => text.starts_with(trim(condition)),
            TextTest::Fuzzy => is_like(trim(condition), trim(text)),
            TextTest::Regex => matches(text)?,
        })
    }

    /// Whether an index with keys of this kind may narrow it.
    pub fn is_served_by(self, extractor: &KeyExtractor) -> bool {
        match self {
            TextTest::Prefix | TextTest::Regex => matches!(extractor, KeyExtractor::Trigrams(_)),
            TextTest::Fuzzy => false,
            TextTest::Contains
            | TextTest::ContainsPrefix
            | TextTest::ContainsRegex
            | TextTest::ContainsFuzzy
            | TextTest::ContainsPhrase => match extractor {
                KeyExtractor::Words(analyzer) => analyzer.name() == ANALYZER,
                _ => false,
            },
        }
    }

    /// What it asks an index with keys of this kind. A pattern is given in the syntax of `regex-syntax`.
    pub fn question(self, extractor: &KeyExtractor, condition: &str) -> Result<KeyQuestion> {
        if !self.is_served_by(extractor) {
            return Ok(KeyQuestion::Everything);
        }
        match (self, extractor) {
            (TextTest::Prefix, KeyExtractor::Trigrams(case)) => {
                let prefix = beginning(trim(condition), ASKED_BYTES_MAX);
                Ok(trigrams::of_literal(prefix, *case))
            }
            (_, KeyExtractor::Trigrams(case)) => trigrams::of_pattern(condition, *case),
            _ => self.question_of_words(extractor, condition),
        }
    }

    fn question_of_words(self, extractor: &KeyExtractor, condition: &str) -> Result<KeyQuestion> {
        let in_lower_case = lower(condition)?;
        let term = trim(&in_lower_case);
        Ok(match self {
            TextTest::Contains | TextTest::ContainsPhrase => {
                let asked: Vec<&str> = words(&in_lower_case).take(ASKED_WORDS_MAX).collect();
                match asked.is_empty() {
                    // A blank condition is found everywhere; callers refuse it.
                    true if term.is_empty() => KeyQuestion::Everything,
                    true => KeyQuestion::Nothing,
                    false => extractor.all_words(&asked.join(" "), None)?,
                }
            }
            TextTest::ContainsPrefix => beginning_with(term),
            TextTest::ContainsFuzzy => match (fuzzy::edits_of_length(term), term) {
                (0, term) => KeyQuestion::Key(term.into()),
                (_, long) if ASKED_FUZZY_MAX < long.encode_utf16().count() => {
                    KeyQuestion::Everything
                }
                (edits, word) => {
                    let pattern = KeyPattern::Fuzzy { word: word.to_owned(), edits };
                    KeyQuestion::Keys { from: Vec::new(), until: Vec::new(), pattern }
                }
            },
            TextTest::ContainsRegex => beginning_as(condition),
            TextTest::Prefix | TextTest::Regex | TextTest::Fuzzy => KeyQuestion::Everything,
        })
    }
}

/// Words with this beginning. Of a long one only the part that no word of an index splits.
fn beginning_with(prefix: &str) -> KeyQuestion {
    // So many bytes are not more units of UTF-16.
    let prefix = beginning(prefix, ASKED_FUZZY_MAX);
    if prefix.is_empty() {
        return KeyQuestion::Everything;
    }
    KeyQuestion::prefix(prefix.as_bytes(), KeyPattern::Any)
}

/// Words with one of the beginnings that every match of a pattern has.
fn beginning_as(pattern: &str) -> KeyQuestion {
    let mut parser = ParserBuilder::new().nest_limit(PATTERN_DEPTH_MAX).build();
    let Ok(hir) = parser.parse(pattern) else { return KeyQuestion::Everything };
    let beginnings = Extractor::new().extract(&hir);
    let Some(beginnings) = beginnings.literals() else { return KeyQuestion::Everything };
    KeyQuestion::any(beginnings.iter().map(|own| match std::str::from_utf8(own.as_bytes()) {
        Ok(prefix) => beginning_with(prefix),
        Err(_) => KeyQuestion::Everything,
    }))
}

fn contains(text: &str, condition: &str) -> Result<bool> {
    let condition = lower(condition)?;
    let mut missing: BTreeSet<&str> = words(&condition).collect();
    if missing.is_empty() {
        return Ok(trim(&condition).is_empty());
    }
    Ok(words(&lower(text)?).any(|word| missing.remove(word) && missing.is_empty()))
}

fn contains_phrase(text: &str, condition: &str) -> Result<bool> {
    let condition = lower(condition)?;
    let phrase: Vec<&str> = words(&condition).collect();
    if phrase.is_empty() {
        return Ok(condition.is_empty());
    }
    let text = lower(text)?;
    let mut rest = words(&text);
    loop {
        let mut from = rest.clone();
        if phrase.iter().all(|word| from.next() == Some(word)) {
            return Ok(true);
        }
        query_limits::step(1)?;
        if rest.next().is_none() {
            return Ok(false);
        }
    }
}

/// Whether a text is within the edits that a term of this length may have.
fn is_like(term: &str, text: &str) -> bool {
    match fuzzy::edits_of_length(term) {
        0 => term == text,
        edits => fuzzy::within_without_swaps(term, text, edits),
    }
}

/// The words of a text in lower case.
fn words(lower: &str) -> impl Iterator<Item = &str> + Clone {
    let runs = lower.split(|c: char| !analyzers::is_in_word_of_janusgraph(c));
    runs.filter(|run| run.chars().nth(1).is_some())
}

/// A text in lower case.
fn lower(text: &str) -> Result<Cow<'_, str>> {
    if !text.bytes().any(|byte| byte.is_ascii_uppercase() || !byte.is_ascii()) {
        return Ok(Cow::Borrowed(text));
    }
    // A character grows to half as many bytes more at most.
    query_limits::require_room(text.len() as u64 * 3 / 2)?;
    Ok(Cow::Owned(text.to_lowercase()))
}

/// So many bytes of a text, in whole characters.
fn beginning(text: &str, bytes: usize) -> &str {
    let end = (0..=text.len().min(bytes)).rev().find(|end| text.is_char_boundary(*end));
    &text[..end.unwrap_or(0)]
}

/// As Java trims: spaces and controls.
fn trim(text: &str) -> &str {
    text.trim_matches(|c| c <= ' ')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyzers::Analyzer;
    use millrace_testkit::run_seeds;

    const TEXT: &str = "This world is full of 1funny surprises! A Full Yes";

    fn accepts(test: TextTest, text: &str, condition: &str) -> bool {
        // Patterns are matched by the caller; here equality stands for them.
        let mut matches = |word: &str| Ok(word == condition);
        test.accepts(text, condition, &mut matches).expect("a test")
    }

    #[track_caller]
    fn check(test: TextTest, text: &str, conditions: &[(&str, bool)]) {
        for (condition, expected) in conditions {
            assert_eq!(accepts(test, text, condition), *expected, "{test:?} {condition:?}");
        }
    }

    #[test]
    fn words_are_found_in_any_case_and_order() {
        let conditions = [
            ("world", true),
            ("wOrLD", true),
            ("worl", false),
            ("this", true),
            ("funny", false),
            ("FULL", true),
            ("full,surprises,world", true),
            ("a world", true),
            ("full bunny", false),
            // One letter is no word, and a condition without words is found nowhere.
            ("a", false),
            ("!!", false),
        ];
        check(TextTest::Contains, TEXT, &conditions);
    }

    #[test]
    fn phrases_are_found_as_they_stand() {
        let conditions = [
            ("world", true),
            ("worl", false),
            ("full surprises", false),
            ("is full of 1funny", true),
            ("This world is", true),
            ("surprises full", true),
            ("A Full Yes Or No", false),
            ("a", false),
        ];
        check(TextTest::ContainsPhrase, TEXT, &conditions);
    }

    #[test]
    fn beginnings_of_words_and_of_texts() {
        let conditions =
            [("worl", true), ("wORl", true), ("Y", true), ("fo", false), ("of 1f", false)];
        check(TextTest::ContainsPrefix, TEXT, &conditions);
        check(TextTest::ContainsPrefix, TEXT, &[(" wor ", true), ("", true)]);
        check(TextTest::ContainsPrefix, "a !", &[("", false)]);
        check(TextTest::Prefix, "fully funny", &[("fully fu", true), ("fun", false), ("F", false)]);
        check(TextTest::Prefix, "fully funny", &[(" ful ", true), ("", true)]);
    }

    #[test]
    fn words_that_are_like_a_term_are_as_many_edits_away_as_its_length_allows() {
        check(TextTest::Fuzzy, "ah", &[("ah", true), ("ai", false)]);
        check(TextTest::Fuzzy, "hop", &[("hopp", true), ("hap", true), ("ha", false)]);
        check(TextTest::Fuzzy, "hop", &[("hoopp", false), ("Hap", false), (" hop ", true)]);
        let conditions = [("surpprises", true), ("surprise", true), ("surppirsses", false)];
        check(TextTest::Fuzzy, "surprises", &conditions);
        // Swapped neighbours are two edits.
        check(TextTest::Fuzzy, "hop", &[("ohp", false)]);
        let conditions = [
            ("is", true),
            ("si", false),
            ("fully", true),
            ("fill", true),
            ("fu", false),
            ("fullest", false),
            ("Sutrises", true),
            ("surppirsses", false),
        ];
        check(TextTest::ContainsFuzzy, TEXT, &conditions);
    }

    #[test]
    fn patterns_are_asked_of_the_whole_text_or_of_words_in_lower_case() {
        check(TextTest::Regex, "Over", &[("Over", true), ("over", false)]);
        check(TextTest::ContainsRegex, TEXT, &[("full", true), ("Full", false)]);
    }

    #[test]
    fn a_blank_condition_is_refused_but_as_a_prefix() {
        for test in TextTest::ALL {
            let takes_any = matches!(test, TextTest::Prefix | TextTest::ContainsPrefix);
            assert_eq!(test.check(" \t").is_ok(), takes_any, "{test:?}");
            test.check(" x").expect("not blank");
        }
    }

    /// The words of the predicates are the keys of the index, also where lower case depends on neighbours or is longer.
    #[test]
    fn the_analyzer_has_the_words_of_the_predicates() {
        let analyzer = Analyzer::named(ANALYZER).expect("an analyzer");
        run_seeds(3_000, |_, random| {
            let letters =
                ['a', 'B', 'İ', 'Σ', 'σ', 'ß', '7', ' ', '.', '\'', '-', '\u{307}', '𝒳', 'É', 'Ⱥ'];
            let text: String = (0..random.below(12)).map(|_| *random.pick(&letters)).collect();
            let tokens = analyzer.tokens(&text, None).expect("tokens");
            let tokens: Vec<String> = tokens.into_iter().map(|token| token.text).collect();
            let own = lower(&text).expect("a text");
            assert_eq!(tokens, words(&own).collect::<Vec<_>>(), "{text:?}");
        });
    }

    /// The one thing that must never happen: a text is accepted, and its keys are not asked for.
    #[test]
    fn a_text_that_is_accepted_is_a_candidate() {
        let extractors = ["words(janusgraph)", "trigrams", "trigrams(case-insensitive)"];
        run_seeds(6_000, |_, random| {
            let mut text = |most: u64| -> String {
                let letters = ['a', 'b', 'A', 'B', 'Σ', 'İ', ' ', '.', 'ü'];
                (0..random.below(most)).map(|_| *random.pick(&letters)).collect()
            };
            let (own, condition) = (text(14), text(6));
            for extractor in extractors {
                let extractor: KeyExtractor = extractor.parse().expect("an extractor");
                let mut keys = BTreeSet::new();
                let value = millrace_model::Value::string(&own);
                let put = &mut |key: &[u8], _: Option<_>| {
                    keys.insert(key.to_vec());
                    Ok(())
                };
                extractor.keys_of(&value, None, put).expect("keys");
                for test in TextTest::ALL {
                    let condition = match test.is_pattern() {
                        true => regex_syntax::escape(&condition),
                        false => condition.clone(),
                    };
                    let mut matches = |word: &str| Ok(regex_syntax::escape(word) == condition);
                    let accepts = test.accepts(&own, &condition, &mut matches).expect("a test");
                    let question = test.question(&extractor, &condition).expect("a question");
                    assert!(
                        !accepts || question.is_satisfied_by(&keys),
                        "{own:?} {test:?} {condition:?} {extractor}: {question:?}"
                    );
                }
            }
        });
    }

    #[test]
    fn words_of_any_length_are_found_by_their_questions() {
        let extractor: KeyExtractor = "words(janusgraph)".parse().expect("an extractor");
        let long = "ab".repeat(200);
        let mut keys = BTreeSet::new();
        let value = millrace_model::Value::string(&long);
        let put = &mut |key: &[u8], _: Option<_>| {
            keys.insert(key.to_vec());
            Ok(())
        };
        extractor.keys_of(&value, None, put).expect("keys");
        for test in [TextTest::Contains, TextTest::ContainsPrefix, TextTest::ContainsFuzzy] {
            let question = test.question(&extractor, &long[..]).expect("a question");
            assert!(accepts(test, &long, &long) && question.is_satisfied_by(&keys), "{test:?}");
        }
    }
}
