//! Classes of characters, from the tables of Unicode that regular expressions use.
//!
//! The standard library knows `Alphabetic` and `Numeric`, which are wider than the letters and decimal digits that
//! Java's tokenizers ask for.

use std::sync::LazyLock;

use regex_syntax::hir::{Class, HirKind};

/// A set of characters.
pub(super) struct Characters {
    ascii: u128,
    ranges: Vec<(char, char)>,
}

impl Characters {
    fn of(class: &str) -> Characters {
        let parsed = regex_syntax::parse(class);
        let Ok(HirKind::Class(Class::Unicode(class))) =
            parsed.map(regex_syntax::hir::Hir::into_kind)
        else {
            unreachable!("a class of more than one character");
        };
        let ranges: Vec<_> = class.iter().map(|range| (range.start(), range.end())).collect();
        let is_in = |c: char| ranges.iter().any(|(first, last)| (*first..=*last).contains(&c));
        let ascii =
            (0..128).filter(|code| is_in(char::from(*code))).fold(0, |all, code| all | 1 << code);
        Characters { ascii, ranges }
    }

    pub(super) fn contain(&self, c: char) -> bool {
        if c.is_ascii() {
            return self.ascii & (1 << c as u32) != 0;
        }
        let above = self.ranges.partition_point(|(_, last)| *last < c);
        self.ranges.get(above).is_some_and(|(first, _)| *first <= c)
    }
}

/// Letters, as Java's `Character.isLetter` has them.
pub(super) static LETTERS: LazyLock<Characters> = LazyLock::new(|| Characters::of(r"\p{L}"));

/// Letters and decimal digits, as Java's `Character.isLetterOrDigit` has them.
pub(super) static LETTERS_AND_DIGITS: LazyLock<Characters> =
    LazyLock::new(|| Characters::of(r"[\p{L}\p{Nd}]"));

/// Decimal digits.
pub(super) static DIGITS: LazyLock<Characters> = LazyLock::new(|| Characters::of(r"\p{Nd}"));

/// Pictures that are words of their own. Of those that are usually shown as text, such as ©, only with the selector
/// for emoji.
pub(super) static EMOJI: LazyLock<Characters> =
    LazyLock::new(|| Characters::of(r"[\p{Extended_Pictographic}\p{Regional_Indicator}]"));

/// Letters of languages that are written without spaces, whose words only a dictionary knows
/// (Unicode's line breaking class SA).
pub(super) static WITHOUT_SPACES: LazyLock<Characters> = LazyLock::new(|| {
    Characters::of(
        r"[[\p{Thai}\p{Lao}\p{Myanmar}\p{Khmer}\p{Tai_Le}\p{New_Tai_Lue}\p{Tai_Tham}\p{Tai_Viet}\p{Ahom}]&&[\p{L}\p{M}]]",
    )
});

/// Han, Hiragana, Katakana and Hangul: the scripts of the analyzer `cjk`. A mark that repeats a character (々, 〻) is a word
/// of its own, as in Lucene.
pub(super) static CJK: LazyLock<Characters> = LazyLock::new(|| {
    Characters::of(
        r"[[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\u{30FC}\u{FF70}]--[\u{3005}\u{303B}]]",
    )
});

/// What Java's `Character.isWhitespace` calls so: separators that do not forbid a break, and controls.
pub(crate) fn is_java_whitespace(c: char) -> bool {
    matches!(c, '\t'..='\r' | '\u{1C}'..='\u{1F}')
        || c.is_whitespace() && !matches!(c, '\u{85}' | '\u{A0}' | '\u{2007}' | '\u{202F}')
}

/// The value of a decimal digit of any script: those of one script follow each other.
pub(super) fn digit_value(c: char) -> Option<u32> {
    if !DIGITS.contain(c) {
        return None;
    }
    let above = DIGITS.ranges.partition_point(|(_, last)| *last < c);
    let (first, _) = DIGITS.ranges.get(above)?;
    Some((u32::from(c) - u32::from(*first)) % 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_those_of_java() {
        assert!(['a', 'Z', 'é', 'ß', 'я', '東', 'ª'].iter().all(|c| LETTERS.contain(*c)));
        assert!(['1', '_', '-', '\u{301}', 'Ⅳ', '²'].iter().all(|c| !LETTERS.contain(*c)));
        assert!(LETTERS_AND_DIGITS.contain('٣') && LETTERS_AND_DIGITS.contain('7'));
    }

    #[test]
    fn digits_of_any_script_have_their_value() {
        assert_eq!(['0', '7', '٣', '۹', '९', '９'].map(digit_value), [0, 7, 3, 9, 9, 9].map(Some));
        assert_eq!(digit_value('²'), None);
    }

    #[test]
    fn a_space_that_forbids_a_break_is_no_whitespace_of_java() {
        assert!(
            [' ', '\n', '\u{1F}', '\u{2003}', '\u{3000}']
                .map(is_java_whitespace)
                .iter()
                .all(|is| *is)
        );
        assert!(['\u{A0}', '\u{202F}', '\u{85}', 'x'].map(is_java_whitespace).iter().all(|is| !is));
    }
}
