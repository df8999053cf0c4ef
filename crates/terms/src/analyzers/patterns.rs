//! Tokens that a pattern describes: URLs and addresses of mail, and the old grammar of Lucene.
//!
//! At the beginning of each possible token the patterns are tried and the longest match wins. A match must end within
//! [`PATTERN_WINDOW_BYTES`], so a text of beginnings costs linear time.

use std::sync::LazyLock;

use millrace_model::{Result, query_limits};
use regex_automata::meta::Regex;
use regex_automata::{Anchored, Input};

use super::characters::LETTERS_AND_DIGITS;
use super::tokenizers::{self, PieceKind, PieceSink};
use crate::limits::PATTERN_WINDOW_BYTES;

/// URLs with a scheme, host names with a path, a port or a known last label, and addresses of mail (RFC 3986,
/// RFC 5321). Lucene asks a list of all top-level domains for names without a scheme; here they are the classic ones
/// and all of two letters, so `example.museum/a` is split where Lucene keeps it whole.
static URLS_AND_MAIL: LazyLock<Vec<(PieceKind, Regex)>> = LazyLock::new(|| {
    let label = r"[A-Za-z0-9](?:[A-Za-z0-9_-]*[A-Za-z0-9])?";
    let known = "[A-Za-z]{2}|com|org|net|edu|gov|mil|int|info|biz|name|pro|aero|coop|museum|jobs|mobi|travel|cat|tel|asia|arpa|post|app|dev|page|blog|shop|site|online|store|tech|xyz|cloud";
    let domain = format!(r"(?:{label}\.)+(?i:{known})(?-u:\b)");
    let any_host = format!(r"(?:{label}(?:\.{label})*|\[[0-9A-Fa-f:.]+\])");
    let path = r"(?:/[A-Za-z0-9._~!$&'()*+,;=:@%/\p{L}\p{N}-]*)?";
    let query = r"(?:\?[A-Za-z0-9._~!$&'()*+,;=:@%/?\p{L}\p{N}-]*)?(?:#[A-Za-z0-9._~!$&'()*+,;=:@%/?\p{L}\p{N}-]*)?";
    let port = r"(?::[0-9]{1,5})?";
    let atom = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
    vec![
        pattern(PieceKind::Word, &format!(r"(?i:https?|ftp|file)://{any_host}{port}{path}{query}")),
        pattern(PieceKind::Word, &format!(r"{domain}{port}{path}{query}")),
        pattern(
            PieceKind::Word,
            &format!(r"(?:{atom}(?:\.{atom})*)@(?:{label}(?:\.{label})+|\[[0-9A-Fa-f:.]+\])"),
        ),
    ]
});

/// The grammar of Lucene's `ClassicTokenizer`.
static CLASSIC: LazyLock<Vec<(PieceKind, Regex)>> = LazyLock::new(|| {
    let letter = r"[\p{L}&&[^\p{Han}\p{Hiragana}\p{Katakana}]]";
    let alphanumeric = r"[[\p{L}\p{Nd}\u{E00}-\u{E59}]&&[^\p{Han}\p{Hiragana}\p{Katakana}]]";
    let (word, alpha) = (format!("{alphanumeric}+"), format!("{letter}+"));
    let number = format!(r"{alphanumeric}*\p{{Nd}}{alphanumeric}*");
    let joint = "[_/.,-]";
    vec![
        pattern(PieceKind::Acronym, &format!(r"{letter}\.(?:{letter}\.)+")),
        pattern(PieceKind::Word, &word),
        pattern(PieceKind::Word, &format!("{alpha}(?:'{alpha})+")),
        pattern(PieceKind::Word, &format!("{alpha}[&@]{alpha}")),
        pattern(PieceKind::Word, &format!(r"{word}(?:[._-]{word})*@{word}(?:[.-]{word})+")),
        pattern(PieceKind::Word, &format!(r"{word}(?:\.{word})+")),
        pattern(PieceKind::Acronym, &format!(r"{word}\.(?:{word}\.)+")),
        pattern(
            PieceKind::Word,
            &format!("{number}(?:{joint}{word}{joint}{number})*(?:{joint}{word})?"),
        ),
        pattern(
            PieceKind::Word,
            &format!("{word}(?:{joint}{number}{joint}{word})*(?:{joint}{number})?"),
        ),
        pattern(PieceKind::Word, r"[\p{Han}\p{Hiragana}\p{Katakana}]"),
    ]
});

fn pattern(kind: PieceKind, text: &str) -> (PieceKind, Regex) {
    (kind, Regex::new(text).unwrap_or_else(|error| unreachable!("a pattern of ours: {error}")))
}

/// Words of Unicode, except where a URL or an address of mail begins.
pub(super) fn urls_and_mail(text: &str, found: PieceSink) -> Result<()> {
    // All between two white spaces is read at once: no URL and no address has white space in it.
    let mut at = 0;
    while let Some(start) = text[at..].find(|c: char| !c.is_whitespace()).map(|skip| at + skip) {
        let length = text[start..].find(char::is_whitespace).unwrap_or(text.len() - start);
        at = start + length;
        if text[start..at].contains(['@', '.', ':']) {
            with_urls(text, start, at, found)?;
        } else {
            tokenizers::words(&text[start..at], start, found)?;
        }
    }
    Ok(())
}

/// The pieces of a part of the text without white space. A URL may begin where a word does.
fn with_urls(text: &str, start: usize, end: usize, found: PieceSink) -> Result<()> {
    let (mut plain, mut at) = (start, start);
    while at < end {
        let starts = text[at..end].find(|c: char| c.is_alphanumeric());
        let Some(next) = starts.map(|skip| at + skip) else { break };
        match longest(&URLS_AND_MAIL, text, next, end)? {
            Some((kind, stop)) => {
                tokenizers::words(&text[plain..next], plain, found)?;
                found((kind, next..stop))?;
                (plain, at) = (stop, stop);
            }
            None => {
                let skip = text[next..end].find(|c: char| !c.is_alphanumeric());
                at = skip.map_or(end, |skip| next + skip);
            }
        }
    }
    tokenizers::words(&text[plain..end], plain, found)
}

/// Tokens of the old grammar.
pub(super) fn classic(text: &str, found: PieceSink) -> Result<()> {
    let mut at = 0;
    while let Some(start) = text[at..].find(|c| LETTERS_AND_DIGITS.contain(c)).map(|skip| at + skip)
    {
        let (kind, end) = longest(&CLASSIC, text, start, text.len())?.unwrap_or_else(|| {
            let length = text[start..].chars().next().map_or(1, char::len_utf8);
            (PieceKind::Word, start + length)
        });
        found((kind, start..end))?;
        at = end;
    }
    Ok(())
}

/// The longest match that begins at `start`; the first of several.
fn longest(
    patterns: &[(PieceKind, Regex)],
    text: &str,
    start: usize,
    end: usize,
) -> Result<Option<(PieceKind, usize)>> {
    let mut window = end.min(start + PATTERN_WINDOW_BYTES);
    while !text.is_char_boundary(window) {
        window -= 1;
    }
    query_limits::step_bytes(window - start)?;
    let mut best: Option<(PieceKind, usize)> = None;
    for (kind, regex) in patterns {
        let input = Input::new(text).span(start..window).anchored(Anchored::Yes);
        let Some(stop) = regex.search(&input).map(|found| found.end()) else { continue };
        if best.is_none_or(|(_, longest)| longest < stop) {
            best = Some((*kind, stop));
        }
    }
    Ok(best)
}
