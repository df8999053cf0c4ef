//! What Dgraph's functions ask about the words of a text, by its own tokenizers: `allofterms`, `anyofterms`, `alloftext`,
//! `anyoftext`, `ngram`.

use millrace_model::Result;

use crate::Analyzer;

/// Neighbours of a run that an index of `ngram` has at most.
const STORED_RUN_MAX: usize = 4;

/// Neighbours of a run that `ngram` asks for.
const ASKED_RUN: usize = 3;

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

    fn words(self, text: &str, language: &str) -> Result<Vec<String>> {
        let analyzer = Analyzer::named(self.analyzer())?;
        let language = Some(language).filter(|tag| !tag.is_empty());
        Ok(analyzer.tokens(text, language)?.into_iter().map(|token| token.text).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::WordTest;

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
