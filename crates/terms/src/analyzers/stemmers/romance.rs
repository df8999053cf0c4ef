//! Light stemmers for French and Portuguese (J. Savoy, "Light stemming approaches for the French, Portuguese, German and
//! Hungarian languages", SAC 2006): tables of suffixes, each with the letters that a word must have.

/// A suffix, what stands in its place, and the least letters of the word.
struct Rule {
    letters_min: usize,
    suffix: &'static str,
    with: &'static str,
    /// Whether no other suffix follows.
    is_last: bool,
}

const fn rule(letters_min: usize, suffix: &'static str, with: &'static str) -> Rule {
    Rule { letters_min, suffix, with, is_last: false }
}

const fn last(letters_min: usize, suffix: &'static str, with: &'static str) -> Rule {
    Rule { letters_min, suffix, with, is_last: true }
}

/// French, in the order in which they are tried. The first two groups are adverbs and verbal nouns.
const FRENCH: &[Rule] = &[
    last(10, "issement", "ir"),
    last(9, "issant", "ir"),
    last(8, "ivement", "if"),
    last(7, "ement", "e"),
    rule(12, "ficatrice", "fier"),
    rule(11, "ficateur", "fier"),
    rule(10, "catrice", "quer"),
    rule(9, "cateur", "quer"),
    rule(9, "atrice", "er"),
    rule(8, "ateur", "er"),
    rule(7, "trice", "teur"),
    last(6, "ième", ""),
    rule(8, "teuse", "ter"),
    rule(7, "teur", "ter"),
    last(6, "euse", "eu"),
    rule(9, "ère", "er"),
    rule(8, "ive", "if"),
    rule(5, "folle", "fou"),
    rule(5, "molle", "mou"),
    last(10, "nnelle", "n"),
    last(10, "nnel", "n"),
    rule(5, "ète", "et"),
    rule(9, "ique", ""),
    last(9, "esse", "e"),
    last(8, "inage", "in"),
    last(10, "isation", ""),
    last(10, "isateur", ""),
    last(9, "ation", ""),
    last(9, "ition", ""),
];

/// Plurals and adverbs of Portuguese: the first that fits.
const PORTUGUESE: &[Rule] = &[
    last(5, "res", "r"),
    last(5, "ses", "s"),
    last(5, "les", "l"),
    last(5, "zes", "z"),
    last(4, "ns", "m"),
    last(5, "eis", "el"),
    last(5, "éis", "el"),
    last(5, "ais", "al"),
    last(5, "óis", "ol"),
    last(5, "is", "il"),
    last(4, "ões", "ão"),
    last(4, "ães", "ão"),
    last(7, "mente", ""),
    last(4, "s", ""),
];

/// Feminine forms of Portuguese.
const PORTUGUESE_FEMININE: &[Rule] = &[
    last(8, "inha", "inho"),
    last(8, "iaca", "iaco"),
    last(8, "eira", "eiro"),
    last(7, "ona", "ão"),
    last(7, "ora", "or"),
    last(7, "osa", "oso"),
    last(7, "ica", "ico"),
    last(7, "ida", "ido"),
    last(7, "ada", "ado"),
    last(7, "iva", "ivo"),
    last(7, "ama", "amo"),
    last(7, "esa", "ês"),
    last(7, "na", "no"),
];

/// Replaces suffixes in order; whether a last one was.
fn apply(rules: &[Rule], letters: &mut Vec<char>) -> bool {
    for rule in rules {
        if letters.len() < rule.letters_min || !ends(letters, rule.suffix) {
            continue;
        }
        letters.truncate(letters.len() - rule.suffix.chars().count());
        letters.extend(rule.with.chars());
        if rule.is_last {
            return true;
        }
    }
    false
}

/// French: the plural, one kind of suffix or several, then doubled letters and endings of verbs.
pub(super) fn french(word: &mut String) {
    let mut letters: Vec<char> = word.chars().collect();
    let length = letters.len();
    if 5 < length && ends(&letters, "aux") && letters[length - 4] != 'e' {
        letters[length - 2] = 'l';
    }
    for plural in ['x', 's'] {
        if 3 < letters.len() && letters.last() == Some(&plural) {
            letters.pop();
        }
    }
    let is_of_nation = 10 <= letters.len() && ends(&letters, "isation");
    apply(FRENCH, &mut letters);
    if is_of_nation && 5 < letters.len() && ends(&letters, "ual") {
        let at = letters.len() - 2;
        letters[at] = 'e';
    }
    french_ending(&mut letters);
    put(word, &letters);
}

fn french_ending(letters: &mut Vec<char>) {
    if 4 < letters.len() {
        letters.iter_mut().for_each(|c| {
            *c = match *c {
                'à' | 'á' | 'â' => 'a',
                'ô' => 'o',
                'è' | 'é' | 'ê' => 'e',
                'ù' | 'û' => 'u',
                'î' => 'i',
                'ç' => 'c',
                other => other,
            };
        });
        letters.dedup_by(|next, before| next == before && next.is_alphabetic());
    }
    if 4 < letters.len() && ends(letters, "ie") {
        letters.truncate(letters.len() - 2);
    }
    if 4 < letters.len() {
        for ending in ['r', 'e', 'e'] {
            if letters.last() == Some(&ending) {
                letters.pop();
            }
        }
        if let [.., before, last] = letters.as_slice()
            && before == last
            && last.is_alphabetic()
        {
            letters.pop();
        }
    }
}

/// Portuguese: the plural or an adverb, the feminine form, the last vowel, accents.
pub(super) fn portuguese(word: &mut String) {
    let mut letters: Vec<char> = word.chars().collect();
    if letters.len() < 4 {
        return;
    }
    apply(PORTUGUESE, &mut letters);
    if 3 < letters.len() && letters.last() == Some(&'a') {
        apply(PORTUGUESE_FEMININE, &mut letters);
    }
    if 4 < letters.len() && matches!(letters.last(), Some('a' | 'e' | 'o')) {
        letters.pop();
    }
    letters.iter_mut().for_each(|c| {
        *c = match *c {
            'à' | 'á' | 'â' | 'ä' | 'ã' => 'a',
            'ò' | 'ó' | 'ô' | 'ö' | 'õ' => 'o',
            'è' | 'é' | 'ê' | 'ë' => 'e',
            'ù' | 'ú' | 'û' | 'ü' => 'u',
            'ì' | 'í' | 'î' | 'ï' => 'i',
            'ç' => 'c',
            other => other,
        };
    });
    put(word, &letters);
}

fn ends(letters: &[char], suffix: &str) -> bool {
    suffix.chars().count() <= letters.len()
        && letters.iter().rev().zip(suffix.chars().rev()).all(|(own, end)| *own == end)
}

fn put(word: &mut String, letters: &[char]) {
    word.clear();
    word.extend(letters);
}
