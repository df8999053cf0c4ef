//! Regular expressions between slashes, in the syntax of Lucene's `RegExp`: each is for a whole word.
//!
//! ```text
//!   . ? * + {2,3} | ( ) [a-z] [^a-z] \d \w \s   as usual, with their opposites
//!   "a.b"   these characters        @   any text        \x   the character x
//!   ^ $     are characters: a pattern always is for the whole word
//! ```
//!
//! They become patterns of `regex-automata`, so that a word is matched in time linear in its length. What has no such
//! pattern (`~`, `&`, `<1-9>`, `#`: complement, intersection, numbers, nothing) is refused by name.

use std::fmt;
use std::sync::Arc;

use millrace_model::{Error, ErrorKind, Result, query_limits};
use regex_automata::meta::Regex;

use crate::limits::{REGEX_BYTES_MAX, REGEX_PROGRAM_BYTES_MAX};

/// A pattern that was read, for many words.
#[derive(Clone)]
pub struct WordRegex {
    pattern: Arc<str>,
    regex: Regex,
    /// Units of work for each 32 bytes of a word.
    work_of_bytes: u64,
}

impl WordRegex {
    /// Reads a pattern; an error has the byte that cannot be read.
    pub fn new(pattern: &str) -> std::result::Result<WordRegex, (usize, Error)> {
        if REGEX_BYTES_MAX < pattern.len() {
            let detail =
                format!("a regular expression of a query has more than {REGEX_BYTES_MAX} bytes");
            return Err((0, Error::new(ErrorKind::LimitReached, detail)));
        }
        let translated = Translation::of(pattern)?;
        let config = Regex::config()
            .nfa_size_limit(Some(REGEX_PROGRAM_BYTES_MAX))
            .hybrid_cache_capacity(REGEX_PROGRAM_BYTES_MAX);
        let regex = Regex::builder().configure(config).build(&translated);
        let regex = regex.map_err(|error| {
            let refused = match (error.size_limit(), error.syntax_error()) {
                (Some(_), _) => Error::new(
                    ErrorKind::LimitReached,
                    "this regular expression is too large: it repeats too much",
                ),
                (None, Some(syntax)) => {
                    let reason = syntax.to_string();
                    let reason = reason.lines().last().unwrap_or_default().to_owned();
                    bad(format!("this is no regular expression: {reason}"))
                }
                (None, None) => bad(format!("this regular expression cannot be used: {error}")),
            };
            (0, refused)
        })?;
        let work_of_bytes = 1 + regex.memory_usage() as u64 / 65_536;
        Ok(WordRegex { pattern: pattern.into(), regex, work_of_bytes })
    }

    /// Whether the whole word matches.
    pub fn matches(&self, word: &str) -> bool {
        self.regex.is_match(word)
    }

    /// How much work a word is.
    pub fn work_on(&self, word: &[u8]) -> u64 {
        1 + word.len() as u64 * self.work_of_bytes / query_limits::UNIT_BYTES
    }

    /// Letters and digits that each word begins with.
    pub fn literal_prefix(&self) -> String {
        if self.pattern.contains('|') {
            return String::new();
        }
        let is_plain = |c: &char| c.is_alphanumeric();
        let mut prefix: String = self.pattern.chars().take_while(is_plain).collect();
        let next = self.pattern[prefix.len()..].chars().next();
        if matches!(next, Some('?' | '*' | '+' | '{')) {
            prefix.pop();
        }
        prefix
    }
}

impl fmt::Debug for WordRegex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "/{}/", self.pattern)
    }
}

impl PartialEq for WordRegex {
    fn eq(&self, other: &WordRegex) -> bool {
        self.pattern == other.pattern
    }
}

impl Eq for WordRegex {}

fn bad(detail: String) -> Error {
    Error::new(ErrorKind::BadQuery, detail)
}

/// A pattern that is being translated.
struct Translation<'p> {
    pattern: &'p str,
    at: usize,
    made: String,
    /// Where groups that are open begin in what was made.
    open: Vec<usize>,
    /// Where the part begins that a repetition would repeat, and whether it is a repetition itself.
    last: Option<(usize, bool)>,
}

impl<'p> Translation<'p> {
    fn of(pattern: &'p str) -> std::result::Result<String, (usize, Error)> {
        let made = r"(?s)\A(?:".to_owned();
        let mut own = Translation { pattern, at: 0, made, open: Vec::new(), last: None };
        while let Some(c) = own.next() {
            own.part(c)?;
        }
        if own.open.pop().is_some() {
            return Err(own.error("a parenthesis is not closed"));
        }
        Ok(own.made + r")\z")
    }

    fn next(&mut self) -> Option<char> {
        let c = self.pattern[self.at..].chars().next()?;
        self.at += c.len_utf8();
        Some(c)
    }

    fn peek(&self) -> Option<char> {
        self.pattern[self.at..].chars().next()
    }

    /// An error at the character that was read last.
    fn error(&self, detail: &str) -> (usize, Error) {
        let read = self.pattern[..self.at].char_indices().next_back();
        (read.map_or(0, |(at, _)| at), bad(detail.to_owned()))
    }

    fn part(&mut self, c: char) -> std::result::Result<(), (usize, Error)> {
        let start = self.made.len();
        match c {
            '?' | '*' | '+' | '{' => return self.repetition(c),
            '(' => {
                self.open.push(start);
                self.made.push_str("(?:");
                self.last = None;
                return Ok(());
            }
            ')' => {
                let open = self.open.pop();
                let open = open.ok_or_else(|| self.error("no parenthesis is open here"))?;
                self.made.push(')');
                self.last = Some((open, false));
                return Ok(());
            }
            '|' => {
                self.made.push('|');
                self.last = None;
                return Ok(());
            }
            '.' => self.made.push('.'),
            '@' => self.made.push_str("(?:.*)"),
            '[' => self.class()?,
            '"' => {
                let rest = &self.pattern[self.at..];
                let end = rest.find('"');
                let end = end.ok_or_else(|| self.error("a quotation mark is not closed"))?;
                self.made.push_str("(?:");
                self.made.push_str(&regex_syntax::escape(&rest[..end]));
                self.made.push(')');
                self.at += end + 1;
            }
            '\\' => {
                let escaped = self.next();
                let escaped =
                    escaped.ok_or_else(|| self.error("nothing is behind the last `\\`"))?;
                match class_of(escaped) {
                    Some(class) => self.made.push_str(class),
                    None => self.literal(escaped),
                }
            }
            '~' | '&' | '<' | '#' => {
                let (at, error) = self.error(&format!(
                    "`{c}` of Lucene's regular expressions (complement, intersection, numbers, nothing) is not supported"
                ));
                return Err((
                    at,
                    error.with_help(format!("write `\\{c}` for the character itself")),
                ));
            }
            literal => self.literal(literal),
        }
        self.last = Some((start, false));
        Ok(())
    }

    fn literal(&mut self, c: char) {
        self.made.push_str(&regex_syntax::escape(c.encode_utf8(&mut [0; 4])));
    }

    /// A repetition of a repetition is one of its own; elsewhere its second sign would say how it is matched.
    fn repetition(&mut self, c: char) -> std::result::Result<(), (usize, Error)> {
        let last = self.last;
        let (start, is_repetition) =
            last.ok_or_else(|| self.error("nothing is there to be repeated"))?;
        let mut sign = c.to_string();
        if c == '{' {
            let wrong = "a repetition is `{2}`, `{2,}` or `{2,3}`";
            let rest = &self.pattern[self.at..];
            let end = rest.find('}').ok_or_else(|| self.error(wrong))?;
            let is_number =
                |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
            let (least, most) = rest[..end].split_once(',').unwrap_or((&rest[..end], ""));
            if !is_number(least) || !most.is_empty() && !is_number(most) {
                return Err(self.error(wrong));
            }
            sign.push_str(&rest[..=end]);
            self.at += end + 1;
        }
        if is_repetition {
            self.made.insert_str(start, "(?:");
            self.made.push(')');
        }
        self.made.push_str(&sign);
        self.last = Some((start, true));
        Ok(())
    }

    fn class(&mut self) -> std::result::Result<(), (usize, Error)> {
        let unclosed = "a `[` is not closed";
        self.made.push('[');
        if self.peek() == Some('^') {
            self.next();
            self.made.push('^');
        }
        let mut is_empty = true;
        loop {
            let c = self.next().ok_or_else(|| self.error(unclosed))?;
            if c == ']' && !is_empty {
                break;
            }
            is_empty = false;
            let low = match c {
                '\\' => {
                    let escaped = self.next().ok_or_else(|| self.error(unclosed))?;
                    if let Some(class) = class_of(escaped) {
                        self.made.push_str(class);
                        continue;
                    }
                    escaped
                }
                other => other,
            };
            self.class_literal(low);
            if self.peek() == Some('-') && !self.pattern[self.at..].starts_with("-]") {
                self.next();
                let high = match self.next().ok_or_else(|| self.error(unclosed))? {
                    '\\' => self.next().ok_or_else(|| self.error(unclosed))?,
                    other => other,
                };
                if high < low {
                    return Err(self.error("the end of a range of characters is before its begin"));
                }
                self.made.push('-');
                self.class_literal(high);
            }
        }
        self.made.push(']');
        Ok(())
    }

    fn class_literal(&mut self, c: char) {
        if c.is_ascii_punctuation() {
            self.made.push('\\');
        }
        self.made.push(c);
    }
}

/// The class that a letter behind `\` names, as Lucene has it.
fn class_of(letter: char) -> Option<&'static str> {
    Some(match letter {
        'd' => "[0-9]",
        'D' => "[^0-9]",
        'w' => "[0-9A-Za-z_]",
        'W' => "[^0-9A-Za-z_]",
        's' => r"[ \t\n\r]",
        'S' => r"[^ \t\n\r]",
        _ => return None,
    })
}

/// The pattern as a query's error has it: fails with a place in it.
pub(crate) fn read(pattern: &str) -> Result<WordRegex> {
    WordRegex::new(pattern).map_err(|(_, error)| error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_is_for_a_whole_word() {
        for (pattern, word, expected) in [
            ("fo+x?", "fox", true),
            ("fo+x?", "foxy", false),
            ("qu.ck", "quick", true),
            ("[qf].*x", "fox", true),
            ("[^q]ox", "fox", true),
            ("[^f]ox", "fox", false),
            ("colou?r", "color", true),
            ("a|ab", "ab", true),
            ("(ab|cd){2}", "abcd", true),
            ("(ab){2,}", "ab", false),
            (r"\d{4}", "2024", true),
            (r"[\d-]+", "1-2", true),
            (r"a\.b", "a.b", true),
            (r"a\.b", "axb", false),
            ("\"a.b\"*", "a.ba.b", true),
            ("@x", "anything x", true),
            (".*", "", true),
            ("a+?", "", true),
            ("a{2}{2}", "aaaa", true),
            ("^a$", "^a$", true),
            ("^a$", "a", false),
            ("[a&&b]", "&", true),
            ("[]a]", "]", true),
            ("a.b", "a\nb", true),
            ("größe", "größe", true),
        ] {
            let read = read(pattern).unwrap_or_else(|error| panic!("{pattern}: {error}"));
            assert_eq!(read.matches(word), expected, "/{pattern}/ {word}");
            assert!(!expected || word.starts_with(&read.literal_prefix()), "/{pattern}/ {word}");
        }
        let prefix = |pattern| read(pattern).expect(pattern).literal_prefix();
        assert_eq!(["abc?d", "ab.*", "a|b", "(a)"].map(prefix), ["ab", "ab", "", ""]);
    }

    #[test]
    fn what_cannot_be_read_says_where_and_what_repeats_too_much_is_refused() {
        for (pattern, at, said) in [
            ("a(b", 2, "not closed"),
            ("a)b", 1, "no parenthesis"),
            ("ab[c", 3, "not closed"),
            ("*a", 0, "repeated"),
            ("a{x}", 1, "{2,3}"),
            ("ab~c", 2, "`~`"),
            ("<1-9>", 0, "`<`"),
            ("a&b", 1, "`&`"),
            ("[z-a]", 3, "range"),
            ("a\\", 1, "behind"),
            ("a\"b", 1, "quotation"),
        ] {
            let (found, error) = WordRegex::new(pattern).expect_err(pattern);
            assert_eq!((found, error.kind), (at, ErrorKind::BadQuery), "{pattern}: {error}");
            assert!(error.to_string().contains(said), "{pattern}: {error}");
        }
        for pattern in ["((a{100}){100}){100}", &"a".repeat(5_000), &"a{90}".repeat(200)] {
            let (_, error) = WordRegex::new(pattern).expect_err("too large");
            assert_eq!(error.kind, ErrorKind::LimitReached, "{error}");
        }
    }
}
