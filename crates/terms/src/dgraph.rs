//! What Dgraph's functions ask about the words of a text, by its own tokenizers: `allofterms`, `anyofterms`, `alloftext`,
//! `anyoftext`, `ngram`.

use millrace_model::Result;

use crate::analyzers::Analyzer;
use crate::extractor::KeyExtractor;
use crate::question::KeyQuestion;

/// Neighbours of a run that an index of `ngram` has at most.
const STORED_RUN_MAX: usize = 4;

/// Neighbours of a run that `ngram` asks for.
const ASKED_RUN: usize = 3;

/// Words that an index is asked for: of many, all narrow no better than some, and one of them narrows little.
const ASKED_WORDS_MAX: usize = 256;

/// A question about the words of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WordTest {
    /// `allofterms`: it has all of some words.
    AllTerms,
    /// `anyofterms`: it has one of them.
    AnyTerm,
    /// `alloftext`: it has all of some words, by their stems.
    AllText,
    /// `anyoftext`: it has one of them.
    AnyText,
    /// `ngram`: it has one of the runs of three of some words, or all words one behind the other if they are fewer.
    Runs,
}

impl WordTest {
    /// The name of the function that asks it.
    pub fn name(self) -> &'static str {
        match self {
            WordTest::AllTerms => "allofterms",
            WordTest::AnyTerm => "anyofterms",
            WordTest::AllText => "alloftext",
            WordTest::AnyText => "anyoftext",
            WordTest::Runs => "ngram",
        }
    }

    /// The analyzer that makes words of texts.
    pub fn analyzer(self) -> &'static str {
        match self {
            WordTest::AllTerms | WordTest::AnyTerm => "dgraph-term",
            WordTest::AllText | WordTest::AnyText | WordTest::Runs => "dgraph-fulltext",
        }
    }

    /// Whether it holds of a text. What has no words asks for none and holds of none, but the empty text has itself as a term.
    pub fn holds(self, text: &str, wanted: &str, language: &str) -> Result<bool> {
        if wanted.is_empty() && self.analyzer() == "dgraph-term" {
            return Ok(text.is_empty());
        }
        let asked = self.words(wanted, language)?;
        if asked.is_empty() {
            return Ok(false);
        }
        let words = self.words(text, language)?;
        let has_run = |run: &[String]| words.windows(run.len()).any(|own| own == run);
        Ok(match self {
            WordTest::AllTerms | WordTest::AllText => asked.iter().all(|word| words.contains(word)),
            WordTest::AnyTerm | WordTest::AnyText => asked.iter().any(|word| words.contains(word)),
            WordTest::Runs => {
                let run = asked.len().clamp(1, ASKED_RUN).min(STORED_RUN_MAX);
                asked.windows(run).any(has_run)
            }
        })
    }

    /// Whether an index with keys of this kind may narrow it, if it is of the language that is asked for.
    pub fn is_served_by(self, extractor: &KeyExtractor) -> bool {
        match (self, extractor) {
            (WordTest::Runs, KeyExtractor::Phrases(own)) => own.name() == self.analyzer(),
            (WordTest::Runs, _) => false,
            (_, KeyExtractor::Words(own)) => own.name() == self.analyzer(),
            _ => false,
        }
    }

    /// What it asks an index with keys of this kind.
    pub fn question(
        self,
        extractor: &KeyExtractor,
        wanted: &str,
        language: &str,
    ) -> Result<KeyQuestion> {
        let (KeyExtractor::Words(own) | KeyExtractor::Phrases(own)) = extractor else {
            return Ok(KeyQuestion::Everything);
        };
        if *own != self.words_of(language)? {
            return Ok(KeyQuestion::Everything);
        }
        if wanted.is_empty() && self.analyzer() == "dgraph-term" {
            return Ok(KeyQuestion::Everything);
        }
        let mut keys = extractor.word_keys(wanted, None)?;
        Ok(match self {
            _ if keys.is_empty() => KeyQuestion::Nothing,
            WordTest::AllTerms | WordTest::AllText => {
                keys.truncate(ASKED_WORDS_MAX);
                KeyQuestion::all(keys)
            }
            WordTest::AnyTerm | WordTest::AnyText | WordTest::Runs => {
                match keys.len() <= ASKED_WORDS_MAX {
                    true => KeyQuestion::any(keys),
                    false => KeyQuestion::Everything,
                }
            }
        })
    }

    fn words_of(self, language: &str) -> Result<Analyzer> {
        Ok(Analyzer::named(self.analyzer())?.with_language(language))
    }

    fn words(self, text: &str, language: &str) -> Result<Vec<String>> {
        let tokens = self.words_of(language)?.tokens(text, None)?;
        Ok(tokens.into_iter().map(|token| token.text).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Keys of an index, as one of a text.
    fn finds(test: WordTest, method: &str, (text, wanted, language): (&str, &str, &str)) -> bool {
        let extractor: KeyExtractor = method.parse().unwrap();
        assert!(test.is_served_by(&extractor), "{method}");
        let mut keys = std::collections::BTreeSet::new();
        let mut take = |key: &[u8], _| {
            keys.insert(key.to_vec());
            Ok(())
        };
        extractor.keys_of(&text.into(), None, &mut take).unwrap();
        test.question(&extractor, wanted, language).unwrap().is_satisfied_by(&keys)
    }

    #[test]
    fn an_index_has_whatever_holds_and_only_one_of_the_language_narrows() {
        let (english, german) = ("words(dgraph-fulltext)", "words(dgraph-fulltext, de)");
        let houses = ("die alten Häuser", "altes Haus", "de");
        assert!(WordTest::AllText.holds(houses.0, houses.1, "de").unwrap());
        assert!(finds(WordTest::AllText, german, houses));
        assert!(!finds(WordTest::AllText, german, ("die alten Bäume", "Haus", "de-AT")));
        assert!(finds(WordTest::AllText, english, ("nothing of it", "Haus", "de")), "not narrowed");
        assert!(!finds(WordTest::AnyText, english, ("running dogs", "cats", "")));
        assert!(finds(WordTest::AnyText, english, ("running dogs", "dog cat", "en")));
        assert!(!finds(WordTest::AnyText, english, ("the dogs", "the", "")), "stop words alone");
        let terms = "words(dgraph-term)";
        assert!(finds(WordTest::AllTerms, terms, ("Good Will", "will good", "")));
        assert!(!finds(WordTest::AllTerms, terms, ("Good Will", "will bad", "")));
        assert!(finds(WordTest::AnyTerm, terms, ("", "", "")), "the empty text is not in an index");
        let runs = "phrases(dgraph-fulltext)";
        assert!(finds(WordTest::Runs, runs, ("quick brown fox jumps", "big quick brown fox", "")));
        assert!(!finds(WordTest::Runs, runs, ("quick brown fox", "brown quick", "")));
    }

    fn holds(test: WordTest, text: &str, wanted: &str) -> bool {
        test.holds(text, wanted, "").unwrap()
    }

    #[test]
    fn words_are_asked_for_in_any_order_and_runs_in_theirs() {
        let text = "The quick brown fox jumps over the lazy dogs";
        assert!(holds(WordTest::AllTerms, text, "FOX quick"));
        assert!(!holds(WordTest::AllTerms, text, "fox slow"));
        assert!(holds(WordTest::AnyTerm, text, "fox slow"));
        assert!(holds(WordTest::AllText, text, "jump dog"));
        assert!(holds(WordTest::Runs, text, "quick brown fox jumping"));
        assert!(!holds(WordTest::Runs, text, "brown quick"));
        assert!(holds(WordTest::Runs, text, "big quick brown fox"));
        assert!(!holds(WordTest::AnyTerm, text, ""));
        assert!(holds(WordTest::AnyTerm, "", ""));
    }
}
