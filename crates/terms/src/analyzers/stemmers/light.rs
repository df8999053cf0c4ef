//! Light stemmers for Arabic, German, Italian and Spanish: endings of number, gender and case, no more
//! (L. Larkey and others, "Light stemming for Arabic information retrieval", 2007: light10; J. Savoy, "Light stemming approaches for the French, Portuguese, German and Hungarian languages", SAC 2006).

/// Prefixes of Arabic: articles with a preposition or a conjunction, and the conjunction alone.
const ARABIC_PREFIXES: [&str; 7] = [
    "\u{627}\u{644}",
    "\u{648}\u{627}\u{644}",
    "\u{628}\u{627}\u{644}",
    "\u{643}\u{627}\u{644}",
    "\u{641}\u{627}\u{644}",
    "\u{644}\u{644}",
    "\u{648}",
];

/// Suffixes of Arabic, in the order in which they go.
const ARABIC_SUFFIXES: [&str; 10] = [
    "\u{647}\u{627}",
    "\u{627}\u{646}",
    "\u{627}\u{62A}",
    "\u{648}\u{646}",
    "\u{64A}\u{646}",
    "\u{64A}\u{647}",
    "\u{64A}\u{629}",
    "\u{647}",
    "\u{629}",
    "\u{64A}",
];

/// Arabic: one prefix, then every suffix that leaves two letters. Words are normalized.
pub(super) fn arabic(word: &mut String) {
    let mut letters: Vec<char> = word.chars().collect();
    let prefix = ARABIC_PREFIXES.iter().find(|prefix| {
        // The conjunction may be the word's own first letter.
        let least = if prefix.chars().count() == 1 { 3 } else { 2 };
        word.starts_with(**prefix) && prefix.chars().count() + least <= letters.len()
    });
    letters.drain(..prefix.map_or(0, |prefix| prefix.chars().count()));
    for suffix in ARABIC_SUFFIXES {
        let length = suffix.chars().count();
        if length + 2 <= letters.len() && ends(&letters, suffix) {
            letters.truncate(letters.len() - length);
        }
    }
    put(word, &letters);
}

/// German: accents, then at most two endings. Words are in lower case, umlauts and ß replaced.
pub(super) fn german(word: &mut String) {
    let mut letters: Vec<char> = word
        .chars()
        .map(|c| if matches!(c, 'é' | 'è' | 'ê' | 'ë') { c } else { plain(c) })
        .collect();
    let length = letters.len();
    let first = match () {
        () if 5 < length && ends(&letters, "ern") => 3,
        () if 4 < length && ["em", "en", "er", "es"].iter().any(|end| ends(&letters, end)) => 2,
        () if 3 < length && ends(&letters, "e") => 1,
        () if 3 < length && ends(&letters, "s") && may_precede_s(letters[length - 2]) => 1,
        () => 0,
    };
    letters.truncate(length - first);
    let length = letters.len();
    let second = match () {
        () if 5 < length && ends(&letters, "est") => 3,
        () if 4 < length && (ends(&letters, "er") || ends(&letters, "en")) => 2,
        () if 4 < length && ends(&letters, "st") && may_precede_s(letters[length - 3]) => 2,
        () => 0,
    };
    letters.truncate(length - second);
    put(word, &letters);
}

/// Italian: the last vowel, with `h` or `i` before it.
pub(super) fn italian(word: &mut String) {
    let mut letters: Vec<char> = word.chars().collect();
    let length = letters.len();
    if length < 6 {
        return;
    }
    letters.iter_mut().for_each(|c| *c = plain(*c));
    let before = letters[length - 2];
    let dropped = match letters[length - 1] {
        'e' | 'i' if matches!(before, 'i' | 'h') => 2,
        'a' | 'o' if before == 'i' => 2,
        'a' | 'e' | 'i' | 'o' => 1,
        _ => 0,
    };
    letters.truncate(length - dropped);
    put(word, &letters);
}

/// Spanish: the last vowel, and the plural.
pub(super) fn spanish(word: &mut String) {
    let mut letters: Vec<char> = word.chars().collect();
    let length = letters.len();
    if length < 5 {
        return;
    }
    letters.iter_mut().for_each(|c| *c = plain(*c));
    if ends(&letters, "eses") || matches!(letters[length - 1], 'a' | 'e' | 'o') {
        letters.truncate(length - if ends(&letters, "eses") { 2 } else { 1 });
    } else if ends(&letters, "ces") {
        letters.truncate(length - 3);
        letters.push('z');
    } else if ["os", "as", "es"].iter().any(|end| ends(&letters, end)) {
        letters.truncate(length - 2);
    }
    put(word, &letters);
}

fn may_precede_s(c: char) -> bool {
    matches!(c, 'b' | 'd' | 'f' | 'g' | 'h' | 'k' | 'l' | 'm' | 'n' | 't')
}

/// A vowel without its accent.
fn plain(c: char) -> char {
    match c {
        'ä' | 'à' | 'á' | 'â' => 'a',
        'ö' | 'ò' | 'ó' | 'ô' => 'o',
        'ï' | 'ì' | 'í' | 'î' => 'i',
        'ü' | 'ù' | 'ú' | 'û' => 'u',
        'ë' | 'è' | 'é' | 'ê' => 'e',
        other => other,
    }
}

fn ends(letters: &[char], suffix: &str) -> bool {
    suffix.len() <= letters.len()
        && letters.iter().rev().zip(suffix.chars().rev()).all(|(own, end)| *own == end)
}

fn put(word: &mut String, letters: &[char]) {
    word.clear();
    word.extend(letters);
}
