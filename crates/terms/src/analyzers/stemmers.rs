//! The stem of a word, by language.
//!
//! Snowball's algorithms come from `rust-stemmers`; Porter's and four light ones are here, because Lucene's analyzers
//! have them: a stemmer decides which words count as one.

use std::borrow::Cow;
use std::sync::LazyLock;

use rust_stemmers::{Algorithm, Stemmer as Snowball};

use super::{light_stemmers, porter};

/// A stemmer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stemmer {
    /// Porter's of 1980, for English.
    Porter,
    /// A light one for Arabic.
    LightArabic,
    /// A light one for German: endings of cases and plurals.
    LightGerman,
    /// A light one for Italian.
    LightItalian,
    /// A light one for Spanish.
    LightSpanish,
    /// Snowball's, by number in [`SNOWBALL`].
    Snowball(Language),
}

/// Languages of Snowball.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Language {
    Danish,
    Dutch,
    Finnish,
    French,
    Greek,
    Hungarian,
    Norwegian,
    Portuguese,
    Romanian,
    Russian,
    Swedish,
    Tamil,
    Turkish,
}

/// A stemmer for each language, in the order of [`Language`].
static SNOWBALL: LazyLock<[Snowball; 13]> = LazyLock::new(|| {
    [
        Algorithm::Danish,
        Algorithm::Dutch,
        Algorithm::Finnish,
        Algorithm::French,
        Algorithm::Greek,
        Algorithm::Hungarian,
        Algorithm::Norwegian,
        Algorithm::Portuguese,
        Algorithm::Romanian,
        Algorithm::Russian,
        Algorithm::Swedish,
        Algorithm::Tamil,
        Algorithm::Turkish,
    ]
    .map(Snowball::create)
});

impl Stemmer {
    /// Replaces the word by its stem.
    pub(super) fn stem(self, word: &mut String) {
        match self {
            Stemmer::Porter => porter::stem(word),
            Stemmer::LightArabic => light_stemmers::arabic(word),
            Stemmer::LightGerman => light_stemmers::german(word),
            Stemmer::LightItalian => light_stemmers::italian(word),
            Stemmer::LightSpanish => light_stemmers::spanish(word),
            // Of numbers some of its algorithms would cut digits.
            Stemmer::Snowball(_) if word.ends_with(|c: char| !c.is_alphabetic()) => {}
            Stemmer::Snowball(language) => {
                if let Cow::Owned(stem) = SNOWBALL[language as usize].stem(word) {
                    *word = stem;
                }
            }
        }
    }
}
