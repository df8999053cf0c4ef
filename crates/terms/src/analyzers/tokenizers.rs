//! Where words begin and end in a text.
//!
//! A tokenizer calls back with pieces of the text, in order. Words are those of Unicode's Standard Annex 29, as in
//! Lucene's `StandardTokenizer`; the two differ in two places, which this file bridges: letters of scripts without
//! spaces (Thai, Lao, Khmer, Burmese) form one word, and emoji are words.

use std::ops::Range;

use millrace_model::Result;
use unicode_segmentation::UnicodeSegmentation;

use super::characters::{
    DIGITS, EMOJI, LETTERS, LETTERS_AND_DIGITS, WITHOUT_SPACES, is_java_whitespace,
};
use super::patterns;

/// A way to split a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tokenizer {
    /// Words of Unicode.
    Words,
    /// Words of Unicode, also between joiners of zero width, which join the parts of a word of Persian.
    PersianWords,
    /// Words of Unicode, but URLs and addresses of mail whole.
    UrlsAndMail,
    /// Lucene's grammar of before Unicode's words: acronyms, companies, host names.
    Classic,
    /// Runs of letters.
    Letters,
    /// Runs of letters and digits of Unicode's first plane, of two or more.
    LettersAndDigits,
    /// Runs of anything but what Java calls white space.
    JavaWhitespace,
    /// Runs of anything but what Unicode calls white space.
    Whitespace,
    /// The text as one word.
    Whole,
}

/// What a piece is, where later filters ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PieceKind {
    /// A word.
    Word,
    /// Letters, each with a full stop behind it.
    Acronym,
}

/// A piece of a text, in bytes.
pub(super) type Piece = (PieceKind, Range<usize>);

/// Takes the pieces.
pub(super) type PieceSink<'s> = &'s mut dyn FnMut(Piece) -> Result<()>;

impl Tokenizer {
    /// Calls back with each piece.
    pub(super) fn split(self, text: &str, found: PieceSink) -> Result<()> {
        match self {
            Tokenizer::Words => words(text, 0, found),
            Tokenizer::PersianWords => {
                let mut start = 0;
                for part in text.split('\u{200C}') {
                    words(part, start, found)?;
                    start += part.len() + '\u{200C}'.len_utf8();
                }
                Ok(())
            }
            Tokenizer::UrlsAndMail => patterns::urls_and_mail(text, found),
            Tokenizer::Classic => patterns::classic(text, found),
            Tokenizer::Letters => runs(text, |c| LETTERS.contain(c), found),
            Tokenizer::LettersAndDigits => {
                runs(text, is_in_word_of_janusgraph, &mut |(kind, piece)| {
                    let mut end = piece.start;
                    // In lower case its dot stands behind the letter, and is none.
                    for part in text[piece].split_inclusive('İ') {
                        let start = end;
                        end += part.len();
                        if part.chars().nth(1).is_some() {
                            found((kind, start..end))?;
                        }
                    }
                    Ok(())
                })
            }
            Tokenizer::JavaWhitespace => runs(text, |c| !is_java_whitespace(c), found),
            Tokenizer::Whitespace => runs(text, |c| !c.is_whitespace(), found),
            Tokenizer::Whole if text.is_empty() => Ok(()),
            Tokenizer::Whole => found((PieceKind::Word, 0..text.len())),
        }
    }
}

/// Whether a character belongs to a word of JanusGraph: letters and digits of Unicode's first plane.
pub(crate) fn is_in_word_of_janusgraph(c: char) -> bool {
    c.is_ascii_alphanumeric()
        || !c.is_ascii() && c.len_utf16() == 1 && LETTERS_AND_DIGITS.contain(c)
}

/// Runs of the characters for which `is_in` holds.
fn runs(text: &str, is_in: impl Fn(char) -> bool, found: PieceSink) -> Result<()> {
    let mut start = None;
    for (at, c) in text.char_indices() {
        match (is_in(c), start) {
            (true, None) => start = Some(at),
            (false, Some(from)) => {
                found((PieceKind::Word, from..at))?;
                start = None;
            }
            _ => {}
        }
    }
    start.map_or(Ok(()), |from| found((PieceKind::Word, from..text.len())))
}

/// Words of Unicode in a text that begins at `offset` of the whole.
pub(super) fn words(text: &str, offset: usize, found: PieceSink) -> Result<()> {
    if text.is_ascii() { ascii_words(text, offset, found) } else { all_words(text, offset, found) }
}

/// The same of ASCII: no word goes over a space, and within most parts between spaces words are runs of letters and digits.
fn ascii_words(text: &str, offset: usize, found: PieceSink) -> Result<()> {
    let mut at = 0;
    for part in text.split_inclusive(|c: char| c.is_ascii_whitespace()) {
        if joins_in_ascii(part.as_bytes()) {
            all_words(part, offset + at, found)?;
        } else {
            runs(part, |c| c.is_ascii_alphanumeric(), &mut |(kind, word)| {
                found((kind, offset + at + word.start..offset + at + word.end))
            })?;
        }
        at += part.len();
    }
    Ok(())
}

/// Whether a sign may join what is on both sides of it to one word.
fn joins_in_ascii(part: &[u8]) -> bool {
    let joins = |three: &[u8]| {
        matches!(three[1], b'\'' | b'.' | b':' | b',' | b';')
            && three[0].is_ascii_alphanumeric()
            && three[2].is_ascii_alphanumeric()
    };
    part.contains(&b'_') || part.windows(3).any(joins)
}

fn all_words(text: &str, offset: usize, found: PieceSink) -> Result<()> {
    // The word of a script without spaces that may go on.
    let mut open: Option<Range<usize>> = None;
    for (at, segment) in text.split_word_bound_indices() {
        let range = offset + at..offset + at + segment.len();
        if segment.starts_with(|c| WITHOUT_SPACES.contain(c)) {
            open = Some(open.map_or(range.start, |open| open.start)..range.end);
            continue;
        }
        if let Some(whole) = open.take() {
            found((PieceKind::Word, whole))?;
        }
        if is_word(segment) {
            found((PieceKind::Word, range))?;
        }
    }
    open.map_or(Ok(()), |whole| found((PieceKind::Word, whole)))
}

fn is_word(segment: &str) -> bool {
    segment.chars().any(|c| c.is_alphabetic() || DIGITS.contain(c)) || is_emoji(segment)
}

/// What makes an emoji of a digit or a sign.
const KEYCAP: char = '\u{20E3}';

fn is_emoji(segment: &str) -> bool {
    // Cheap for what is between most words.
    !segment.is_ascii() && segment.chars().any(|c| EMOJI.contain(c) || c == KEYCAP)
}

#[cfg(test)]
mod tests {
    use millrace_model::random::SplitMix64;

    use super::*;

    #[test]
    fn words_of_ascii_are_those_of_unicode() {
        const SIGNS: &[u8] = b"aZ09  \t\r\n'.:,;_-\"#/@\x0b\x00";
        let mut random = SplitMix64::new(5);
        for _ in 0..20_000 {
            let signs = (0..random.index(14)).map(|_| char::from(SIGNS[random.index(SIGNS.len())]));
            let text: String = signs.collect();
            let pieces = |split: fn(&str, usize, PieceSink) -> Result<()>| {
                let mut pieces = Vec::new();
                split(&text, 3, &mut |piece| {
                    pieces.push(piece);
                    Ok(())
                })
                .unwrap();
                pieces
            };
            assert_eq!(pieces(ascii_words), pieces(all_words), "{text:?}");
        }
    }
}
