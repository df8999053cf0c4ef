//! Text to tokens, each with its line and column.
//!
//! A sign belongs to the number behind it, as in gremlin-lang, so `1-2` is two numbers and no
//! subtraction. Nothing is decoded here: a token is a piece of the text.

use millrace_model::{Result, TextPosition};

use super::refused::bad;

/// A piece of the text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Token<'t> {
    /// A name.
    Word(&'t str),
    /// A number with its sign and suffix.
    Number(&'t str),
    /// A string.
    Text(Quoted<'t>),
    /// One of `( ) [ ] { } ; , . : = ..`.
    Mark(&'static str),
    /// Anything else: all of them are Groovy's.
    Operator(&'t str),
    /// Nothing is left.
    End,
}

/// A string as it is written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Quoted<'t> {
    /// The raw text between the quotes.
    pub(super) raw: &'t str,
    /// Whether the quotes are double ones.
    pub(super) double: bool,
    /// Whether there is a backslash in it.
    pub(super) escaped: bool,
    /// Whether there is a dollar sign in it that has no backslash before it.
    pub(super) dollar: bool,
}

/// A token and where it stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placed<'t> {
    pub(super) token: Token<'t>,
    pub(super) position: TextPosition,
    /// The line its last character is on.
    pub(super) last_line: u32,
}

pub(super) struct Lexer<'t> {
    text: &'t str,
    at: usize,
    line: u32,
    line_start: usize,
    /// Bytes of this line that begin no character, so that columns count characters.
    continued: usize,
}

impl<'t> Lexer<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self { text, at: 0, line: 1, line_start: 0, continued: 0 }
    }

    /// The next token; at the end, [`Token::End`] for ever.
    pub(super) fn next(&mut self) -> Result<Placed<'t>> {
        self.skip_space()?;
        let position = self.position();
        let Some(first) = self.peek(0) else {
            return Ok(Placed { token: Token::End, position, last_line: self.line });
        };
        let token = match first {
            b'(' => self.mark("("),
            b')' => self.mark(")"),
            b'[' => self.mark("["),
            b']' => self.mark("]"),
            b'{' => self.mark("{"),
            b'}' => self.mark("}"),
            b';' => self.mark(";"),
            b',' => self.mark(","),
            b':' => self.mark(":"),
            b'.' if self.peek(1) == Some(b'.') => self.mark(".."),
            b'.' => self.mark("."),
            b'=' if !matches!(self.peek(1), Some(b'=' | b'~')) => self.mark("="),
            b'"' | b'\'' => self.string(first, position)?,
            b'0'..=b'9' => self.number(position)?,
            b'+' | b'-' if self.begins_number(1) => self.number(position)?,
            _ => self.word_or_operator(),
        };
        Ok(Placed { token, position, last_line: self.line })
    }

    fn peek(&self, ahead: usize) -> Option<u8> {
        self.text.as_bytes().get(self.at + ahead).copied()
    }

    fn position(&self) -> TextPosition {
        let column = self.at - self.line_start - self.continued + 1;
        TextPosition { line: self.line, column: u32::try_from(column).unwrap_or(u32::MAX) }
    }

    fn mark(&mut self, mark: &'static str) -> Token<'t> {
        self.at += mark.len();
        Token::Mark(mark)
    }

    /// Steps over one byte that may end a line or belong to a character of several.
    fn step(&mut self, byte: u8) {
        self.at += 1;
        if byte == b'\n' {
            self.line += 1;
            self.line_start = self.at;
            self.continued = 0;
        } else if byte & 0xC0 == 0x80 {
            self.continued += 1;
        }
    }

    fn skip_space(&mut self) -> Result<()> {
        while let Some(byte) = self.peek(0) {
            match byte {
                b' ' | b'\t' | b'\r' | b'\n' | 0x0C => self.step(byte),
                // As scripts for old consoles have it, a line goes on behind a backslash at its end.
                b'\\' if self.ends_line() => self.step(byte),
                b'/' if self.peek(1) == Some(b'/') => self.skip_line(),
                b'/' if self.peek(1) == Some(b'*') => self.skip_comment()?,
                _ => break,
            }
        }
        Ok(())
    }

    /// Whether nothing but space stands behind this byte on its line.
    fn ends_line(&self) -> bool {
        let rest = &self.text.as_bytes()[self.at + 1..];
        let behind = rest.iter().find(|byte| !matches!(byte, b' ' | b'\t' | b'\r'));
        behind == Some(&b'\n')
    }

    fn skip_line(&mut self) {
        while let Some(byte) = self.peek(0).filter(|byte| *byte != b'\n') {
            self.step(byte);
        }
    }

    fn skip_comment(&mut self) -> Result<()> {
        let begin = self.position();
        self.at += 2;
        while let Some(byte) = self.peek(0) {
            if byte == b'*' && self.peek(1) == Some(b'/') {
                self.at += 2;
                return Ok(());
            }
            self.step(byte);
        }
        Err(bad(begin, "this comment has no end").with_help("write `*/` behind it"))
    }

    fn string(&mut self, quote: u8, begin: TextPosition) -> Result<Token<'t>> {
        let is_triple = self.peek(1) == Some(quote) && self.peek(2) == Some(quote);
        let width = if is_triple { 3 } else { 1 };
        self.at += width;
        let start = self.at;
        let (mut escaped, mut dollar) = (false, false);
        while let Some(byte) = self.peek(0) {
            match byte {
                b'\\' => {
                    escaped = true;
                    self.at += 1;
                    let Some(byte) = self.peek(0) else { break };
                    self.step(byte);
                }
                _ if byte == quote && self.closes(quote, width) => {
                    let raw = &self.text[start..self.at];
                    self.at += width;
                    let double = quote == b'"';
                    return Ok(Token::Text(Quoted { raw, double, escaped, dollar }));
                }
                _ => {
                    dollar |= byte == b'$';
                    self.step(byte);
                    self.skip_plain();
                }
            }
        }
        Err(bad(begin, "this string has no end"))
    }

    /// Skips letters, digits and spaces, which make up most of a string.
    fn skip_plain(&mut self) {
        let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b' ';
        let rest = &self.text.as_bytes()[self.at..];
        self.at += rest.iter().position(|byte| !is_plain(byte)).unwrap_or(rest.len());
    }

    fn closes(&self, quote: u8, width: usize) -> bool {
        (1..width).all(|ahead| self.peek(ahead) == Some(quote))
    }

    fn begins_number(&self, ahead: usize) -> bool {
        let rest = &self.text.as_bytes()[self.at + ahead..];
        rest.first().is_some_and(u8::is_ascii_digit) || rest.starts_with(b"Infinity")
    }

    /// All characters that may belong to a number; [`super::numbers`] decides whether it is one.
    fn number(&mut self, position: TextPosition) -> Result<Token<'t>> {
        let start = self.at;
        if matches!(self.peek(0), Some(b'+' | b'-')) {
            self.at += 1;
        }
        let is_hex = self.peek(0) == Some(b'0') && matches!(self.peek(1), Some(b'x' | b'X'));
        while let Some(byte) = self.peek(0) {
            let is_part = match byte {
                b'.' => !is_hex && self.peek(1).is_some_and(|byte| byte.is_ascii_digit()),
                b'+' | b'-' => !is_hex && self.is_signed_exponent(),
                _ => byte.is_ascii_alphanumeric() || byte == b'_',
            };
            if !is_part {
                break;
            }
            self.at += 1;
        }
        if self.peek(0).is_some_and(|byte| !byte.is_ascii()) {
            return Err(bad(position, "this number is followed by a letter"));
        }
        Ok(Token::Number(&self.text[start..self.at]))
    }

    /// Whether the sign here is that of an exponent.
    fn is_signed_exponent(&self) -> bool {
        let before = self.text.as_bytes().get(self.at.wrapping_sub(1));
        matches!(before, Some(b'e' | b'E'))
            && self.peek(1).is_some_and(|byte| byte.is_ascii_digit())
    }

    fn word_or_operator(&mut self) -> Token<'t> {
        let start = self.at;
        let rest = &self.text[start..];
        let is_end = |byte: &u8| !(byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$'));
        let mut length = rest.bytes().position(|byte| is_end(&byte)).unwrap_or(rest.len());
        if rest.as_bytes().get(length).is_some_and(|byte| !byte.is_ascii()) {
            length = rest.find(|c: char| !is_word_part(c)).unwrap_or(rest.len());
            let word = &rest.as_bytes()[..length];
            self.continued += word.iter().filter(|byte| **byte & 0xC0 == 0x80).count();
        }
        if length != 0 {
            self.at += length;
            return Token::Word(&rest[..length]);
        }
        let is_sign = |c: char| "+-*/%<>=!&|^~?".contains(c);
        let mut length = rest.find(|c: char| !is_sign(c)).unwrap_or(rest.len()).min(3);
        if length == 0 {
            length = rest.chars().next().map_or(0, char::len_utf8);
            self.continued += length.saturating_sub(1);
        }
        self.at += length;
        Token::Operator(&rest[..length])
    }
}

fn is_word_part(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '$' || !c.is_ascii() && c.is_alphanumeric()
}
