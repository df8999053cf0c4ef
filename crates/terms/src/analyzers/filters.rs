//! What happens to a word between the text and the index.
//!
//! A filter changes the word in place, or drops it; a word that is dropped leaves its position empty, so that phrases
//! keep their distances.

use unicode_normalization::UnicodeNormalization;

use super::characters::digit_value;
use super::folding;
use super::stemmers::Stemmer;
use super::stop_words;
use super::tokenizers::PieceKind;

/// One step of an analyzer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Filter {
    /// Each character in lower case, by itself.
    Lowercase,
    /// In lower case with Turkish's two letters i.
    TurkishLowercase,
    /// In lower case, without accents, every sigma alike.
    GreekLowercase,
    /// The whole word in lower case: a final sigma is one. The dot of a last `İ` goes.
    WordLowercase,
    /// To ASCII where a character has an equivalent, as Lucene's `ASCIIFoldingFilter`.
    FoldToAscii,
    /// Unicode's normalization form KC.
    Compatibility,
    /// Half-width and full-width forms as the usual ones.
    Width,
    /// The possessive `'s` of English goes.
    Possessive,
    /// What stands behind an apostrophe goes.
    Apostrophe,
    /// An article that an apostrophe joins to the word goes.
    Elision(&'static [&'static str]),
    /// The possessive and the full stops of acronyms go.
    Classic,
    /// Decimal digits of any script as those of ASCII.
    Digits,
    /// Variants of Arabic letters as one; marks go.
    Arabic,
    /// Variants of Persian letters as one.
    Persian,
    /// `ae`, `oe`, `ue` and umlauts as one, `ß` as `ss`.
    German,
    /// Stop words of a list are dropped.
    Stop(&'static str),
    /// The stem of the word.
    Stem(Stemmer),
}

impl Filter {
    /// Whether it changes a part of a word as it changes the whole.
    pub(super) fn is_of_characters(self) -> bool {
        match self {
            Filter::Lowercase
            | Filter::TurkishLowercase
            | Filter::GreekLowercase
            | Filter::WordLowercase
            | Filter::FoldToAscii
            | Filter::Compatibility
            | Filter::Width
            | Filter::Digits
            | Filter::Arabic
            | Filter::Persian
            | Filter::German => true,
            Filter::Possessive
            | Filter::Apostrophe
            | Filter::Elision(_)
            | Filter::Classic
            | Filter::Stop(_)
            | Filter::Stem(_) => false,
        }
    }

    /// Whether the word stays. `spare` is room to work in.
    pub(super) fn apply(self, kind: PieceKind, word: &mut String, spare: &mut String) -> bool {
        match self {
            Filter::Lowercase => lowercase(word, spare),
            Filter::WordLowercase => {
                let has_dot = word.ends_with('İ');
                *word = word.to_lowercase();
                if has_dot {
                    word.pop();
                }
            }
            Filter::TurkishLowercase => turkish_lowercase(word, spare),
            Filter::GreekLowercase => each(word, spare, |c| Some(greek_lowercase(c))),
            Filter::FoldToAscii => folding::fold_to_ascii(word, spare),
            Filter::Compatibility => {
                if !word.is_ascii() {
                    *word = word.nfkc().collect();
                }
            }
            Filter::Width => width(word),
            Filter::Possessive => possessive(word, &['\'', '\u{2019}', '\u{FF07}']),
            Filter::Apostrophe => {
                let end = word.find(['\'', '\u{2019}']).unwrap_or(word.len());
                word.truncate(end);
            }
            Filter::Elision(articles) => elision(word, articles),
            Filter::Classic if kind == PieceKind::Acronym => word.retain(|c| c != '.'),
            Filter::Classic => possessive(word, &['\'']),
            Filter::Digits => each(word, spare, |c| {
                Some(digit_value(c).and_then(|value| char::from_digit(value, 10)).unwrap_or(c))
            }),
            Filter::Arabic => each(word, spare, arabic),
            Filter::Persian => each(word, spare, persian),
            Filter::German => german(word, spare),
            Filter::Stop(list) => return !stop_words::contains(list, word),
            Filter::Stem(stemmer) => stemmer.stem(word),
        }
        !word.is_empty()
    }
}

/// Replaces each character, or drops it. Nothing is copied where nothing changes.
fn each(word: &mut String, spare: &mut String, change: impl Fn(char) -> Option<char>) {
    if word.chars().all(|c| change(c) == Some(c)) {
        return;
    }
    spare.clear();
    spare.extend(word.chars().filter_map(change));
    std::mem::swap(word, spare);
}

/// The simple mapping of Unicode: one character stays one.
fn simple_lowercase(c: char) -> char {
    c.to_lowercase().next().unwrap_or(c)
}

fn lowercase(word: &mut String, spare: &mut String) {
    if word.is_ascii() {
        word.make_ascii_lowercase();
    } else {
        each(word, spare, |c| Some(simple_lowercase(c)));
    }
}

/// `I` is the capital of `ı`, `İ` that of `i`, also with its dot as a mark of its own.
fn turkish_lowercase(word: &mut String, spare: &mut String) {
    spare.clear();
    let mut characters = word.chars().peekable();
    while let Some(c) = characters.next() {
        spare.push(match c {
            'I' if characters.next_if_eq(&'\u{307}').is_some() => 'i',
            'I' => 'ı',
            'İ' => 'i',
            other => simple_lowercase(other),
        });
    }
    std::mem::swap(word, spare);
}

fn greek_lowercase(c: char) -> char {
    match simple_lowercase(c) {
        'ς' => 'σ',
        'ά' => 'α',
        'έ' => 'ε',
        'ή' => 'η',
        'ί' | 'ϊ' | 'ΐ' => 'ι',
        'ύ' | 'ϋ' | 'ΰ' => 'υ',
        'ό' => 'ο',
        'ώ' => 'ω',
        other => other,
    }
}

/// Full-width ASCII and half-width Katakana; the whole word goes through form KC where it has one of them.
fn width(word: &mut String) {
    let is_narrow_or_wide =
        |c: char| matches!(c, '\u{FF01}'..='\u{FF5E}' | '\u{FF65}'..='\u{FF9F}');
    if word.contains(is_narrow_or_wide) {
        *word = word.nfkc().collect();
    }
}

fn possessive(word: &mut String, apostrophes: &[char]) {
    let Some(stem) = word.strip_suffix(['s', 'S']) else { return };
    if let Some(stem) = stem.strip_suffix(apostrophes) {
        word.truncate(stem.len());
    }
}

fn elision(word: &mut String, articles: &[&str]) {
    let Some((article, rest)) = word.split_once(['\'', '\u{2019}']) else { return };
    if articles.iter().any(|known| known.eq_ignore_ascii_case(article)) {
        *word = rest.to_owned();
    }
}

fn arabic(c: char) -> Option<char> {
    match c {
        // Alef with madda or hamza.
        '\u{622}' | '\u{623}' | '\u{625}' => Some('\u{627}'),
        // Dotless yeh, teh marbuta.
        '\u{649}' => Some('\u{64A}'),
        '\u{629}' => Some('\u{647}'),
        // Tatweel and the marks of vowels.
        '\u{640}' | '\u{64B}'..='\u{652}' => None,
        other => Some(other),
    }
}

fn persian(c: char) -> Option<char> {
    match c {
        // Yeh of Farsi and of Kazakh's texts.
        '\u{6CC}' | '\u{6D2}' => Some('\u{64A}'),
        // Keheh.
        '\u{6A9}' => Some('\u{643}'),
        // Heh with yeh above, heh goal.
        '\u{6C0}' | '\u{6C1}' => Some('\u{647}'),
        // Hamza above.
        '\u{654}' => None,
        other => Some(other),
    }
}

/// The rules of Snowball's `German2`: an e behind a, o and u is an umlaut's, unless `q` or a vowel comes before.
fn german(word: &mut String, spare: &mut String) {
    spare.clear();
    let mut before = ' ';
    let mut is_umlaut = false;
    for c in word.chars() {
        match c {
            'e' if is_umlaut => {}
            'ä' => spare.push('a'),
            'ö' => spare.push('o'),
            'ü' => spare.push('u'),
            'ß' => spare.push_str("ss"),
            other => spare.push(other),
        }
        is_umlaut = match c {
            'a' | 'o' => true,
            'u' => !"aeiouyäöüq".contains(before),
            _ => false,
        };
        before = c;
    }
    std::mem::swap(word, spare);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(filter: Filter, word: &str) -> String {
        let mut word = word.to_owned();
        let stays = filter.apply(PieceKind::Word, &mut word, &mut String::new());
        if stays { word } else { String::new() }
    }

    #[test]
    fn each_language_has_its_lower_case() {
        assert_eq!(after(Filter::Lowercase, "İSTANBUL ΣΟΦΟΣ"), "istanbul σοφοσ");
        assert_eq!(after(Filter::WordLowercase, "ΣΟΦΟΣ"), "σοφος");
        assert_eq!(
            after(Filter::TurkishLowercase, "İSTANBUL IŞIK I\u{307}ki"),
            "istanbul ışık iki"
        );
        assert_eq!(after(Filter::GreekLowercase, "Άνθρωπος"), "ανθρωποσ");
    }

    #[test]
    fn articles_and_possessives_go() {
        assert_eq!(after(Filter::Elision(&["l", "qu"]), "L'avion"), "avion");
        assert_eq!(after(Filter::Elision(&["l", "qu"]), "aujourd'hui"), "aujourd'hui");
        assert_eq!(after(Filter::Possessive, "O\u{2019}Neill\u{2019}s"), "O\u{2019}Neill");
        assert_eq!(after(Filter::Apostrophe, "Ankara'nın"), "Ankara");
        assert_eq!(after(Filter::Elision(&["l"]), "l'"), "");
    }

    #[test]
    fn umlauts_of_german_are_one_however_they_are_written() {
        assert_eq!(
            ["müller", "mueller", "muller"].map(|word| after(Filter::German, word)),
            ["muller"; 3]
        );
        assert_eq!(after(Filter::German, "straße"), "strasse");
        assert_eq!(["quelle", "neue"].map(|word| after(Filter::German, word)), ["quelle", "neue"]);
    }
}
