//! What a language tag decides, as Dgraph has it.
//!
//! A tag counts by its first part (`pt-BR` is `pt`). No tag, and one that is no tag at all, is English; a language
//! that is not in the list keeps its words as they are. Dgraph stems Hindi and Sorani, too; here their words stay
//! whole.

use super::analyzer::Pipeline;
use super::filters::Filter::{self, *};
use super::stemmers::{Language, Stemmer};
use super::tokenizers::Tokenizer;

/// Articles of French that an apostrophe joins to the next word.
pub(super) const FRENCH_ARTICLES: &[&str] =
    &["l", "m", "t", "qu", "n", "s", "j", "d", "c", "jusqu", "quoiqu", "lorsqu", "puisqu"];

/// Those of Italian.
pub(super) const ITALIAN_ARTICLES: &[&str] = &[
    "c", "l", "all", "dall", "dell", "nell", "sull", "coll", "pell", "gl", "agl", "dagl", "degl",
    "negl", "sugl", "un", "m", "t", "s", "v", "d",
];

/// Languages whose words no space separates and no rule of Unicode finds.
const SPLIT_AT_SPACES: &[&str] = &["zh", "ja", "th", "lo", "my", "bo", "km"];

/// The first part of a tag, in lower case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LanguageBase {
    bytes: [u8; BASE_BYTES_MAX],
    length: usize,
}

/// Letters of the first part of a tag.
const BASE_BYTES_MAX: usize = 3;

impl LanguageBase {
    /// That of a tag; none of English, which is that of texts without a tag.
    pub(super) fn of(tag: &str) -> Option<LanguageBase> {
        let base = base(Some(tag));
        let mut bytes = [0; BASE_BYTES_MAX];
        bytes[..base.len()].copy_from_slice(base.as_bytes());
        (base != "en").then_some(LanguageBase { bytes, length: base.len() })
    }

    pub(super) fn as_str(&self) -> &str {
        // Its letters are those of ASCII.
        std::str::from_utf8(&self.bytes[..self.length]).unwrap_or_default()
    }
}

/// Words of Dgraph's `term`.
pub(super) fn term(language: Option<&str>) -> Pipeline {
    let is_spaced = !SPLIT_AT_SPACES.contains(&base(language).as_str());
    let tokenizer = if is_spaced { Tokenizer::Words } else { Tokenizer::Whitespace };
    Pipeline { tokenizer, filters: PLAIN, bigrams: false }
}

/// Words of Dgraph's `fulltext`: stop words and stems by language, pairs of characters for Chinese, Japanese and
/// Korean.
pub(super) fn fulltext(language: Option<&str>) -> Pipeline {
    let base = base(language);
    let filters = filters(&base).unwrap_or(PLAIN);
    Pipeline { filters, bigrams: matches!(base.as_str(), "zh" | "ja" | "ko"), ..term(Some(&base)) }
        .with_words_of_pairs()
}

impl Pipeline {
    /// Pairs are made of the characters that Unicode's rules separate.
    fn with_words_of_pairs(mut self) -> Pipeline {
        if self.bigrams {
            self.tokenizer = Tokenizer::Words;
        }
        self
    }
}

/// The first part of a tag, in lower case.
fn base(language: Option<&str>) -> String {
    let base = language.unwrap_or("").split(['-', '_']).next().unwrap_or("").to_ascii_lowercase();
    let is_tag =
        (2..=3).contains(&base.len()) && base.bytes().all(|byte| byte.is_ascii_lowercase());
    match base.as_str() {
        "nb" | "nn" => "no".to_owned(),
        _ if is_tag => base,
        _ => "en".to_owned(),
    }
}

const PLAIN: &[Filter] = &[Lowercase, Compatibility];

fn filters(base: &str) -> Option<&'static [Filter]> {
    Some(match base {
        "ar" => &[Lowercase, Compatibility, Stop("arabic"), Stem(Stemmer::LightArabic)],
        "da" => {
            &[Lowercase, Compatibility, Stop("danish"), Stem(Stemmer::Snowball(Language::Danish))]
        }
        "de" => &[Lowercase, Compatibility, Stop("german"), Stem(Stemmer::LightGerman)],
        "en" => &[Lowercase, Compatibility, Stop("english-snowball"), Stem(Stemmer::Porter)],
        "es" => &[Lowercase, Compatibility, Stop("spanish"), Stem(Stemmer::LightSpanish)],
        "fi" => {
            &[Lowercase, Compatibility, Stop("finnish"), Stem(Stemmer::Snowball(Language::Finnish))]
        }
        "fr" => &[Lowercase, Compatibility, Stop("french"), Stem(Stemmer::LightFrench)],
        "hu" => &[
            Lowercase,
            Compatibility,
            Stop("hungarian"),
            Stem(Stemmer::Snowball(Language::Hungarian)),
        ],
        "it" => &[Lowercase, Compatibility, Stop("italian"), Stem(Stemmer::LightItalian)],
        "nl" => {
            &[Lowercase, Compatibility, Stop("dutch"), Stem(Stemmer::Snowball(Language::Dutch))]
        }
        "no" => &[
            Lowercase,
            Compatibility,
            Stop("norwegian"),
            Stem(Stemmer::Snowball(Language::Norwegian)),
        ],
        "pt" => &[Lowercase, Compatibility, Stop("portuguese"), Stem(Stemmer::LightPortuguese)],
        "ro" => &[
            Lowercase,
            Compatibility,
            Stop("romanian"),
            Stem(Stemmer::Snowball(Language::Romanian)),
        ],
        "ru" => {
            &[Lowercase, Compatibility, Stop("russian"), Stem(Stemmer::Snowball(Language::Russian))]
        }
        "sv" => {
            &[Lowercase, Compatibility, Stop("swedish"), Stem(Stemmer::Snowball(Language::Swedish))]
        }
        "ta" => &[Lowercase, Compatibility, Stem(Stemmer::Snowball(Language::Tamil))],
        "tr" => {
            &[Lowercase, Compatibility, Stop("turkish"), Stem(Stemmer::Snowball(Language::Turkish))]
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_counts_by_its_first_part() {
        let bases =
            ["pt-BR", "PT", "nb_NO", "pl", "x-klingon", "", "12"].map(|tag| base(Some(tag)));
        assert_eq!(bases, ["pt", "pt", "no", "pl", "en", "en", "en"]);
        assert_eq!(base(None), "en");
    }

    #[test]
    fn chinese_is_pairs_in_full_text_and_split_at_spaces_as_terms() {
        assert!(fulltext(Some("zh")).bigrams && !fulltext(Some("de")).bigrams);
        assert_eq!(term(Some("zh-Hant")).tokenizer, Tokenizer::Whitespace);
        assert_eq!(fulltext(Some("th")).tokenizer, Tokenizer::Whitespace);
    }
}
