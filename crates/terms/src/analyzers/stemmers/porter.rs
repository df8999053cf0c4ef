//! Porter's stemmer for English (M. F. Porter, "An algorithm for suffix stripping", Program 14 (3), 1980).
//!
//! A word is `[C](VC)^m[V]`, where C and V are runs of consonants and vowels; most rules ask for the measure m of what
//! stands before the suffix. Lucene's analyzer `english` has this one, not its successor; like Lucene's it leaves
//! words of one or two letters alone, and `bli` becomes `ble`, `logi` becomes `log`.

/// Replaces the word by its stem. A word with other characters than `a` to `z` keeps them as consonants.
pub(super) fn stem(word: &mut String) {
    if word.chars().nth(2).is_none() {
        return;
    }
    let mut letters: Vec<char> = word.chars().collect();
    plurals(&mut letters);
    past(&mut letters);
    if ends(&letters, "y") && has_vowel(&letters[..letters.len() - 1]) {
        replace(&mut letters, 1, "i");
    }
    first_match(&mut letters, DOUBLE_SUFFIXES, 0);
    first_match(&mut letters, SIMPLE_SUFFIXES, 0);
    residue(&mut letters);
    final_letters(&mut letters);
    word.clear();
    word.extend(letters);
}

/// Step 2: a double suffix becomes a simple one.
const DOUBLE_SUFFIXES: &[(&str, &str)] = &[
    ("ational", "ate"),
    ("tional", "tion"),
    ("enci", "ence"),
    ("anci", "ance"),
    ("izer", "ize"),
    ("bli", "ble"),
    ("alli", "al"),
    ("entli", "ent"),
    ("eli", "e"),
    ("ousli", "ous"),
    ("ization", "ize"),
    ("ation", "ate"),
    ("ator", "ate"),
    ("alism", "al"),
    ("iveness", "ive"),
    ("fulness", "ful"),
    ("ousness", "ous"),
    ("aliti", "al"),
    ("iviti", "ive"),
    ("biliti", "ble"),
    ("logi", "log"),
];

/// Step 3.
const SIMPLE_SUFFIXES: &[(&str, &str)] = &[
    ("icate", "ic"),
    ("ative", ""),
    ("alize", "al"),
    ("iciti", "ic"),
    ("ical", "ic"),
    ("ful", ""),
    ("ness", ""),
];

/// Step 4: suffixes that go.
const RESIDUES: &[&str] = &[
    "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ion", "ou",
    "ism", "ate", "iti", "ous", "ive", "ize",
];

/// Step 1a.
fn plurals(letters: &mut Vec<char>) {
    if ends(letters, "sses") || ends(letters, "ies") || *letters == ['i', 'e', 's'] {
        letters.truncate(letters.len() - 2);
    } else if ends(letters, "s") && !ends(letters, "ss") {
        letters.pop();
    }
}

/// Step 1b.
fn past(letters: &mut Vec<char>) {
    if ends(letters, "eed") {
        if 0 < measure(&letters[..letters.len() - 3]) {
            letters.pop();
        }
        return;
    }
    let suffix = ["ed", "ing"].into_iter().find(|suffix| ends(letters, suffix));
    let Some(suffix) = suffix.filter(|suffix| has_vowel(&letters[..letters.len() - suffix.len()]))
    else {
        return;
    };
    letters.truncate(letters.len() - suffix.len());
    if ["at", "bl", "iz"].iter().any(|end| ends(letters, end)) {
        letters.push('e');
    } else if is_double_consonant(letters) {
        if !matches!(letters.last(), Some('l' | 's' | 'z')) {
            letters.pop();
        }
    } else if measure(letters) == 1 && is_short(letters) {
        letters.push('e');
    }
}

/// The first suffix that the word has is replaced, if the measure before it is above `least`. The rules are ordered
/// by their last letters but one in the paper; no suffix of one table ends in another, except where the longer is
/// first.
fn first_match(letters: &mut Vec<char>, rules: &[(&str, &str)], least: usize) {
    let found = rules.iter().find(|(suffix, _)| ends(letters, suffix));
    if let Some((suffix, with)) = found
        && least < measure(&letters[..letters.len() - suffix.len()])
    {
        replace(letters, suffix.len(), with);
    }
}

/// Step 4. `ion` goes behind s and t only.
fn residue(letters: &mut Vec<char>) {
    let longest =
        RESIDUES.iter().filter(|suffix| ends(letters, suffix)).max_by_key(|suffix| suffix.len());
    let Some(suffix) = longest else { return };
    let before = &letters[..letters.len() - suffix.len()];
    let fits = *suffix != "ion" || matches!(before.last(), Some('s' | 't'));
    if fits && 1 < measure(before) {
        letters.truncate(letters.len() - suffix.len());
    }
}

/// Step 5: a final e, a double l.
fn final_letters(letters: &mut Vec<char>) {
    if ends(letters, "e") {
        let before = &letters[..letters.len() - 1];
        let measure = measure(before);
        if 1 < measure || measure == 1 && !is_short(before) {
            letters.pop();
        }
    }
    if ends(letters, "ll") && 1 < measure(letters) {
        letters.pop();
    }
}

/// Whether the word ends so, with something before.
fn ends(letters: &[char], suffix: &str) -> bool {
    suffix.len() < letters.len()
        && letters.iter().rev().zip(suffix.chars().rev()).all(|(own, end)| *own == end)
}

fn replace(letters: &mut Vec<char>, length: usize, with: &str) {
    letters.truncate(letters.len() - length);
    letters.extend(with.chars());
}

fn is_consonant(letters: &[char], at: usize) -> bool {
    match letters[at] {
        'a' | 'e' | 'i' | 'o' | 'u' => false,
        // Behind a consonant it is a vowel; so in a run of it the letters take turns.
        'y' => {
            let run = letters[..at].iter().rev().take_while(|c| **c == 'y').count();
            let first = at - run;
            let first_is = first == 0 || !is_consonant(letters, first - 1);
            first_is == (run % 2 == 0)
        }
        _ => true,
    }
}

fn has_vowel(letters: &[char]) -> bool {
    (0..letters.len()).any(|at| !is_consonant(letters, at))
}

/// How many times a vowel is followed by a consonant.
fn measure(letters: &[char]) -> usize {
    let mut before_is_vowel = false;
    let mut measure = 0;
    for at in 0..letters.len() {
        let is_vowel = !is_consonant(letters, at);
        measure += usize::from(before_is_vowel && !is_vowel);
        before_is_vowel = is_vowel;
    }
    measure
}

fn is_double_consonant(letters: &[char]) -> bool {
    let last = letters.len().wrapping_sub(1);
    2 <= letters.len() && letters[last] == letters[last - 1] && is_consonant(letters, last)
}

/// Consonant, vowel, consonant at the end, and the last is none of w, x, y.
fn is_short(letters: &[char]) -> bool {
    let Some(first) = letters.len().checked_sub(3) else { return false };
    is_consonant(letters, first)
        && !is_consonant(letters, first + 1)
        && is_consonant(letters, first + 2)
        && !matches!(letters[first + 2], 'w' | 'x' | 'y')
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_examples_of_the_paper() {
        let pairs = [
            ("caresses", "caress"),
            ("ponies", "poni"),
            ("cats", "cat"),
            ("feed", "feed"),
            ("agreed", "agre"),
            ("plastered", "plaster"),
            ("motoring", "motor"),
            ("sing", "sing"),
            ("conflated", "conflat"),
            ("hopping", "hop"),
            ("falling", "fall"),
            ("filing", "file"),
            ("happy", "happi"),
            ("sky", "sky"),
            ("relational", "relat"),
            ("vietnamization", "vietnam"),
            ("operator", "oper"),
            ("triplicate", "triplic"),
            ("electrical", "electr"),
            ("hopefulness", "hope"),
            ("adjustment", "adjust"),
            ("adoption", "adopt"),
            ("effective", "effect"),
            ("probate", "probat"),
            ("rate", "rate"),
            ("controlling", "control"),
            ("roll", "roll"),
            ("generalizations", "gener"),
            ("is", "is"),
        ];
        for (word, stem) in pairs {
            let mut own = word.to_owned();
            super::stem(&mut own);
            assert_eq!(own, stem, "{word}");
        }
    }
}
