//! The stem of a word, by language.
//!
//! Snowball's algorithms come from `rust-stemmers`; Porter's and six light ones are here, because Lucene's analyzers
//! have them: a stemmer decides which words count as one.

mod light;
mod porter;
mod romance;

use std::borrow::Cow;
use std::sync::LazyLock;

use rust_stemmers::{Algorithm, Stemmer as Snowball};

/// A stemmer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::analyzers) enum Stemmer {
    /// Porter's of 1980, for English.
    Porter,
    /// A light one for Arabic.
    LightArabic,
    /// A light one for French.
    LightFrench,
    /// A light one for Portuguese.
    LightPortuguese,
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
pub(in crate::analyzers) enum Language {
    Danish,
    Dutch,
    Finnish,
    Greek,
    Hungarian,
    Norwegian,
    Romanian,
    Russian,
    Swedish,
    Tamil,
    Turkish,
}

/// A stemmer for each language, in the order of [`Language`].
static SNOWBALL: LazyLock<[Snowball; 11]> = LazyLock::new(|| {
    [
        Algorithm::Danish,
        Algorithm::Dutch,
        Algorithm::Finnish,
        Algorithm::Greek,
        Algorithm::Hungarian,
        Algorithm::Norwegian,
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
    pub(in crate::analyzers) fn stem(self, word: &mut String) {
        match self {
            Stemmer::Porter => porter::stem(word),
            Stemmer::LightArabic => light::arabic(word),
            Stemmer::LightFrench => romance::french(word),
            Stemmer::LightPortuguese => romance::portuguese(word),
            Stemmer::LightGerman => light::german(word),
            Stemmer::LightItalian => light::italian(word),
            Stemmer::LightSpanish => light::spanish(word),
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
