//! The trigrams of a text, and the question for one that is contained.

use millrace_model::{Result, query_limits};

use crate::question::KeyQuestion;

/// Whether capitals count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Case {
    /// The text as it is.
    Sensitive,
    /// The text with each character folded ([`fold_case`]). Such an index answers both kinds of questions.
    Insensitive,
}

/// Bytes of texts whose trigrams are sorted; those of longer ones are marked in a bitmap of all trigrams.
const SORTED_BYTES_MAX: usize = 1 << 18;

/// One bit for each three bytes.
const ALL_TRIGRAMS: usize = 1 << 24;

/// Calls back with each trigram of the text, once, in order.
pub fn trigrams_of(
    text: &str,
    case: Case,
    found: &mut dyn FnMut(&[u8]) -> Result<()>,
) -> Result<()> {
    query_limits::step_bytes(text.len())?;
    let folded = (case == Case::Insensitive).then(|| fold_case(text));
    let text = folded.as_deref().unwrap_or(text).as_bytes();
    let numbers =
        text.windows(3).map(|three| u32::from_be_bytes([0, three[0], three[1], three[2]]));
    let mut each = |number: u32| found(&number.to_be_bytes()[1..]);
    if text.len() <= SORTED_BYTES_MAX {
        let mut numbers: Vec<u32> = numbers.collect();
        numbers.sort_unstable();
        numbers.dedup();
        return numbers.into_iter().try_for_each(each);
    }
    query_limits::require_room(ALL_TRIGRAMS as u64 / 8)?;
    let mut marks = vec![0u64; ALL_TRIGRAMS / 64];
    for number in numbers {
        marks[number as usize / 64] |= 1 << (number % 64);
    }
    for (at, word) in marks.into_iter().enumerate() {
        let mut left = word;
        while left != 0 {
            each((at * 64) as u32 + left.trailing_zeros())?;
            left &= left - 1;
        }
    }
    Ok(())
}

/// What a record must have whose text contains, begins with, ends with or equals the literal.
pub fn of_literal(literal: &str, case: Case) -> KeyQuestion {
    let folded = (case == Case::Insensitive).then(|| fold_case(literal));
    of_bytes(folded.as_deref().unwrap_or(literal).as_bytes())
}

/// The same of a literal that is folded already.
pub(super) fn of_bytes(literal: &[u8]) -> KeyQuestion {
    KeyQuestion::all(literal.windows(3).map(|three| KeyQuestion::Key(three.to_vec())))
}

/// The text with one character for all that simple case folding of Unicode makes equal: what a regular expression with
/// `(?i)` takes for the same. Every character becomes one character.
pub fn fold_case(text: &str) -> String {
    text.chars().map(fold).collect()
}

pub(super) fn fold(c: char) -> char {
    if c.is_ascii() {
        return c.to_ascii_lowercase();
    }
    match c {
        // Equal since Unicode 15.1, though neither is a capital of the other.
        '\u{1FD3}' => '\u{390}',
        '\u{1FE3}' => '\u{3B0}',
        '\u{FB05}' => '\u{FB06}',
        _ => single(
            c.to_lowercase().next().filter(|_| c.to_lowercase().len() == 1),
            c,
            single_upper(c),
        ),
    }
}

/// The capital, if it is one character.
fn single_upper(c: char) -> char {
    let mut upper = c.to_uppercase();
    match (upper.next(), upper.next()) {
        (Some(one), None) => one,
        _ => c,
    }
}

/// The small letter of the capital, if there is one: `ſ` has the capital `S` and becomes `s`.
fn single(own_lower: Option<char>, c: char, upper: char) -> char {
    let mut lower = upper.to_lowercase();
    match (lower.next(), lower.next()) {
        (Some(one), None) => one,
        _ => own_lower.unwrap_or(c),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use millrace_testkit::run_seeds;
    use regex_syntax::hir::{ClassUnicode, ClassUnicodeRange};
    use std::collections::BTreeSet;

    fn keys(text: &str, case: Case) -> BTreeSet<Vec<u8>> {
        let mut keys = BTreeSet::new();
        let each = &mut |key: &[u8]| {
            assert!(keys.insert(key.to_vec()), "a key comes once");
            Ok(())
        };
        trigrams_of(text, case, each).expect("no limits");
        keys
    }

    #[test]
    fn a_text_has_its_trigrams_once() {
        let three =
            |texts: &[&str]| texts.iter().map(|text| Vec::from(*text)).collect::<BTreeSet<_>>();
        assert_eq!(keys("banana", Case::Sensitive), three(&["ban", "ana", "nan"]));
        assert_eq!(keys("BaNana", Case::Insensitive), three(&["ban", "ana", "nan"]));
        assert_eq!(keys("ab", Case::Sensitive), three(&[]));
        assert_eq!(keys("東", Case::Sensitive), three(&["東"]));
    }

    #[test]
    fn a_long_text_has_the_same_trigrams_as_its_parts() {
        let part = "The quick brown fox jumps over 東京.\n";
        let long = part.repeat(SORTED_BYTES_MAX / part.len() + 2);
        assert_eq!(keys(&long, Case::Insensitive), keys(&part.repeat(2), Case::Insensitive));
    }

    #[test]
    fn characters_that_a_pattern_takes_for_the_same_fold_to_one() {
        for c in '\0'..=char::MAX {
            let mut class = ClassUnicode::new([ClassUnicodeRange::new(c, c)]);
            class.try_case_fold_simple().expect("tables of Unicode");
            for same in class.iter().flat_map(|range| range.start()..=range.end()) {
                assert_eq!(fold(same), fold(c), "{same:?} {c:?}");
            }
            assert_eq!(fold(fold(c)), fold(c), "{c:?}");
        }
    }

    #[test]
    fn no_text_that_contains_the_literal_is_lost() {
        let alphabet = ['a', 'B', 'b', 'ß', 'ſ', 's', '東', '😀', 'K', '\u{212A}'];
        run_seeds(3_000, |_, random| {
            let mut text = |length| -> String {
                (0..random.below(length)).map(|_| *random.pick(&alphabet)).collect()
            };
            let [before, literal, behind] = [5, 6, 5].map(&mut text);
            let whole = format!("{before}{literal}{behind}");
            for case in [Case::Sensitive, Case::Insensitive] {
                let question = of_literal(&literal, case);
                assert!(question.is_satisfied_by(&keys(&whole, case)), "{whole:?} {literal:?}");
            }
        });
        let other = keys("completely different", Case::Sensitive);
        assert!(!of_literal("nothing", Case::Sensitive).is_satisfied_by(&other));
    }
}
