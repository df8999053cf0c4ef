//! The tokens of a query (the lexical grammar of Lucene's classic `QueryParser`).

use millrace_model::{Error, ErrorKind, Result, TextPosition};

/// A token with its place.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Scanned {
    pub(super) kind: TokenKind,
    /// Its first byte.
    pub(super) at: usize,
}

/// What a token is. Words keep their escapes: what a wildcard is depends on them.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum TokenKind {
    And,
    Or,
    Not,
    Plus,
    Minus,
    Open,
    Close,
    Colon,
    /// `^` and a number.
    Boost(f64),
    /// `~` and perhaps a number.
    Tilde(Option<f64>),
    /// A word, or one with wildcards.
    Word(String),
    /// Between quotation marks.
    Quoted(String),
    /// Between slashes, its escapes kept.
    Regex(String),
    /// A range, and whether each end is included.
    Range(RangeText),
}

/// The two ends of a range as they are written.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct RangeText {
    pub(super) low: String,
    pub(super) high: String,
    pub(super) includes_low: bool,
    pub(super) includes_high: bool,
}

/// An error at a byte of the query.
pub(super) fn error_at(text: &str, at: usize, detail: impl std::fmt::Display) -> Error {
    let before = &text[..at.min(text.len())];
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
    Error::new(ErrorKind::BadQuery, format!("a query for full text cannot be read: {detail}"))
        .at(TextPosition { line: line as u32, column: column as u32 })
}

/// All tokens of a query.
pub(super) fn scan(text: &str) -> Result<Vec<Scanned>> {
    let mut scanner = Scanner { text, at: 0 };
    let mut tokens = Vec::new();
    while let Some(token) = scanner.next()? {
        tokens.push(token);
    }
    Ok(tokens)
}

struct Scanner<'t> {
    text: &'t str,
    at: usize,
}

fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r' | '\u{3000}')
}

/// Characters that end a word.
fn ends_word(c: char) -> bool {
    is_space(c)
        || matches!(c, '!' | '(' | ')' | ':' | '^' | '[' | ']' | '"' | '{' | '}' | '~' | '/')
}

impl Scanner<'_> {
    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    fn skip_spaces(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start_matches(is_space).len();
    }

    fn next(&mut self) -> Result<Option<Scanned>> {
        self.skip_spaces();
        let at = self.at;
        let Some(c) = self.peek() else { return Ok(None) };
        let rest = &self.text[at..];
        let pair = match rest {
            _ if rest.starts_with("&&") => Some(TokenKind::And),
            _ if rest.starts_with("||") => Some(TokenKind::Or),
            _ => None,
        };
        // An operator before a space is a word, as the dash in `rock - roll`.
        let is_alone = rest.chars().nth(1).is_some_and(is_space);
        let single = match c {
            '+' | '-' | '!' if is_alone => Some(TokenKind::Word(c.to_string())),
            '+' => Some(TokenKind::Plus),
            '-' => Some(TokenKind::Minus),
            '!' => Some(TokenKind::Not),
            '(' => Some(TokenKind::Open),
            ')' => Some(TokenKind::Close),
            ':' => Some(TokenKind::Colon),
            _ => None,
        };
        let kind = match (pair, single, c) {
            (Some(kind), ..) => {
                self.at += 2;
                kind
            }
            (_, Some(kind), _) => {
                self.at += 1;
                kind
            }
            (.., '"') => self.quoted()?,
            (.., '[' | '{') => self.range(c)?,
            (.., '^') => self.boost()?,
            (.., '~') => {
                self.at += 1;
                TokenKind::Tilde(self.similarity())
            }
            (.., ']' | '}') => {
                return Err(self.error(at, format!("there is no range for this `{c}` to end")));
            }
            (.., '/') => self.regex()?,
            _ => self.word()?,
        };
        Ok(Some(Scanned { kind, at }))
    }

    fn error(&self, at: usize, detail: impl std::fmt::Display) -> Error {
        error_at(self.text, at, detail)
    }

    /// A word, its escapes kept.
    fn word(&mut self) -> Result<TokenKind> {
        let start = self.at;
        while let Some(c) = self.peek().filter(|c| !ends_word(*c)) {
            self.at += c.len_utf8();
            if c == '\\' {
                let escaped = self.peek();
                let escaped =
                    escaped.ok_or_else(|| self.error(start, "nothing is behind the last `\\`"))?;
                self.at += escaped.len_utf8();
            }
        }
        Ok(match &self.text[start..self.at] {
            "AND" => TokenKind::And,
            "OR" => TokenKind::Or,
            "NOT" => TokenKind::Not,
            word => TokenKind::Word(word.to_owned()),
        })
    }

    fn quoted(&mut self) -> Result<TokenKind> {
        let start = self.at;
        self.at += 1;
        while let Some(c) = self.peek() {
            self.at += c.len_utf8();
            match c {
                '"' => return Ok(TokenKind::Quoted(self.text[start + 1..self.at - 1].to_owned())),
                '\\' => self.at += self.peek().map_or(0, char::len_utf8),
                _ => {}
            }
        }
        Err(self.error(start, "a quotation mark is not closed"))
    }

    fn regex(&mut self) -> Result<TokenKind> {
        let start = self.at;
        self.at += 1;
        while let Some(c) = self.peek() {
            self.at += c.len_utf8();
            match c {
                '/' => return Ok(TokenKind::Regex(self.text[start + 1..self.at - 1].to_owned())),
                '\\' => self.at += self.peek().map_or(0, char::len_utf8),
                _ => {}
            }
        }
        let error = self.error(start, "a regular expression is not closed by a slash");
        Err(error.with_help("write `\\/` for a slash that is a part of a word"))
    }

    /// What stands behind `~` up to the end of the word: Lucene reads a number there, and no letters as if there were
    /// nothing.
    fn similarity(&mut self) -> Option<f64> {
        let start = self.at;
        let ends = |c: char| ends_word(c) || matches!(c, '*' | '?' | '\\');
        while let Some(c) = self.peek().filter(|c| !ends(*c)) {
            self.at += c.len_utf8();
        }
        let text = &self.text[start..self.at];
        let is_number = text.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | '.'));
        text.trim_end_matches(['f', 'F', 'd', 'D']).parse().ok().filter(|_| is_number)
    }

    fn boost(&mut self) -> Result<TokenKind> {
        let start = self.at;
        self.at += 1;
        let number =
            self.number()?.ok_or_else(|| self.error(start, "a number must be behind `^`"))?;
        Ok(TokenKind::Boost(number))
    }

    /// A number without a sign, if one follows at once.
    fn number(&mut self) -> Result<Option<f64>> {
        let start = self.at;
        let rest = &self.text[start..];
        let digits = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
        if digits == 0 {
            return Ok(None);
        }
        self.at += digits;
        let number = rest[..digits].parse().map_err(|_| self.error(start, "this is no number"))?;
        Ok(Some(number))
    }

    fn range(&mut self, open: char) -> Result<TokenKind> {
        let start = self.at;
        self.at += 1;
        let unclosed = "a range is `[a TO b]`, or with `{` and `}` without its ends";
        let low = self.range_end()?.ok_or_else(|| self.error(start, unclosed))?;
        self.skip_spaces();
        if !self.text[self.at..].starts_with("TO") {
            return Err(self.error(start, unclosed));
        }
        self.at += 2;
        if !self.peek().is_some_and(is_space) {
            return Err(self.error(start, unclosed));
        }
        let high = self.range_end()?.ok_or_else(|| self.error(start, unclosed))?;
        self.skip_spaces();
        let close = self.peek().filter(|c| matches!(c, ']' | '}'));
        let close = close.ok_or_else(|| self.error(start, unclosed))?;
        self.at += 1;
        Ok(TokenKind::Range(RangeText {
            low,
            high,
            includes_low: open == '[',
            includes_high: close == ']',
        }))
    }

    /// A word or a text between quotation marks, without escapes; `*` is no end.
    fn range_end(&mut self) -> Result<Option<String>> {
        self.skip_spaces();
        if self.peek() == Some('"') {
            return match self.quoted()? {
                TokenKind::Quoted(text) => Ok(Some(unescaped(&text))),
                _ => Ok(None),
            };
        }
        let rest = &self.text[self.at..];
        let length =
            rest.find(|c: char| is_space(c) || matches!(c, ']' | '}')).unwrap_or(rest.len());
        self.at += length;
        Ok((0 < length).then(|| unescaped(&rest[..length])))
    }
}

/// The text without its escapes: `\x` is x, and `\u00e9` a character by its number.
pub(super) fn unescaped(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        if c != '\\' {
            plain.push(c);
            continue;
        }
        let Some(escaped) = rest.next() else { break };
        let digits = rest.as_str().get(..4).filter(|_| escaped == 'u');
        let number = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        match number.and_then(char::from_u32) {
            Some(named) => {
                plain.push(named);
                rest = rest.as_str()[4..].chars();
            }
            None => plain.push(escaped),
        }
    }
    plain
}
