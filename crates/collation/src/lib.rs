//! The order of texts in a language, by the collation algorithm of Unicode with the rules of CLDR: `ö` stands beside `o`
//! in German, and behind `z` in Swedish.
//!
//! Its rules are more than a megabyte of tables, so nothing below `db` may depend on it.
#![warn(missing_docs)]

use icu_collator::{CollatorBorrowed, CollatorPreferences, options::CollatorOptions};
use icu_locale_core::Locale;

/// The order of a language.
#[derive(Debug)]
pub struct Collation(CollatorBorrowed<'static>);

impl Collation {
    /// That of a tag such as `de` or `zh-Hant`; none where it is no tag of a language. A language without rules of its own
    /// has those of all.
    pub fn of_language(tag: &str) -> Option<Collation> {
        let locale = Locale::try_from_str(tag).ok()?;
        let preferences = CollatorPreferences::from(&locale);
        CollatorBorrowed::try_new(preferences, CollatorOptions::default()).ok().map(Collation)
    }

    /// A text that is less than that of another one, by code points, where the first stands before it in the language.
    pub fn key(&self, text: &str) -> String {
        let mut bytes = Vec::new();
        let Ok(()) = self.0.write_sort_key_to(text, &mut bytes);
        bytes.into_iter().map(char::from).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ordered(tag: &str, words: &[&'static str]) -> Vec<&'static str> {
        let collation = Collation::of_language(tag).unwrap();
        let mut words = words.to_vec();
        words.sort_by_key(|word| collation.key(word));
        words
    }

    #[test]
    fn each_language_has_an_order_of_its_own() {
        let words = ["zon", "öppna", "Zeile", "oben", "offen", "Ofen"];
        assert_eq!(ordered("de", &words), ["oben", "Ofen", "offen", "öppna", "Zeile", "zon"]);
        assert_eq!(ordered("sv", &words), ["oben", "Ofen", "offen", "Zeile", "zon", "öppna"]);
        assert_eq!(ordered("es", &["ñu", "nz", "o", "na"]), ["na", "nz", "ñu", "o"]);
        assert_eq!(ordered("cs", &["i", "chata", "hora", "cena"]), ["cena", "hora", "chata", "i"]);
        assert_eq!(ordered("tr", &["ı", "i", "h", "j"]), ["h", "ı", "i", "j"]);
    }

    #[test]
    fn small_letters_stand_before_great_ones_and_accents_decide_last() {
        assert_eq!(
            ordered("en", &["cote", "Cote", "coté", "côte"]),
            ["cote", "Cote", "coté", "côte"]
        );
        assert_eq!(
            Collation::of_language("en").unwrap().key("a"),
            Collation::of_language("en").unwrap().key("a")
        );
    }

    #[test]
    fn a_language_that_is_not_known_has_the_order_of_all_and_no_tag_has_none() {
        assert_eq!(ordered("xx", &["ö", "z", "o"]), ["o", "ö", "z"]);
        for wrong in ["", ".", "*", "a language"] {
            assert!(Collation::of_language(wrong).is_none(), "{wrong}");
        }
    }
}
