//! Text to tokens, each with its place.
//!
//! A malformed token is reported and replaced by a sound one of its kind, so that the parser goes on. Words are not
//! classified here: every keyword may be a name, and only the parser knows where it is one.

pub(super) mod numbers;
mod strings;

use std::sync::Arc;

use millrace_model::{Error, TextPosition};

use crate::limits::{ERRORS_MAX, TEXT_BYTES_MAX, TOKENS_MAX};
use crate::text::error::{Detail, Read, syntax, too_much};
use crate::tree::Name;

/// A token.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Token<'t> {
    /// A keyword, or a name without backticks.
    Word(&'t str),
    /// A name in backticks.
    Quoted(Name),
    /// An integer without its sign.
    Integer(u64),
    /// A float without its sign.
    Float(f64),
    /// A string, its escapes decoded.
    Text(Arc<str>),
    /// `$name`.
    Parameter(Name),
    /// One of [`MARKS`].
    Mark(&'static str),
    /// Nothing is left.
    End,
}

/// A token and its place.
#[derive(Clone, Debug)]
pub(crate) struct Placed<'t> {
    pub(crate) token: Token<'t>,
    pub(crate) at: TextPosition,
    /// Its first byte.
    pub(crate) begin: usize,
    /// The byte behind its last one.
    pub(crate) end: usize,
}

/// Operators and brackets; of two that begin alike the longer one is first. An arrow is several marks: `-`, `-`, `>`.
const MARKS: [&str; 33] = [
    "||", "::", "..", "=~", "==", "<>", "<=", ">=", "!=", "+=", "(", ")", "[", "]", "{", "}", ",",
    ";", ".", ":", "|", "&", "!", "%", "+", "-", "*", "/", "^", "=", "<", ">", "$",
];

/// The tokens of a text, ended by [`Token::End`], and what is wrong with them.
pub(crate) fn tokens(text: &str) -> Read<(Vec<Placed<'_>>, Vec<Error>)> {
    let begin = TextPosition { line: 1, column: 1 };
    if text.len() > TEXT_BYTES_MAX {
        let bytes = text.len();
        return Err(too_much(begin, format!("the text has {bytes} bytes of {TEXT_BYTES_MAX}"))
            .with_help("send data as parameters"));
    }
    let mut lexer = Lexer { text, offset: 0, at: begin, errors: Vec::new() };
    let mut tokens = Vec::new();
    loop {
        let placed = lexer.next();
        let is_end = placed.token == Token::End;
        if tokens.len() == TOKENS_MAX {
            return Err(too_much(placed.at, format!("the text has more than {TOKENS_MAX} tokens"))
                .with_help("send data as parameters"));
        }
        tokens.push(placed);
        if is_end {
            return Ok((tokens, lexer.errors));
        }
    }
}

/// A text and how far it is read.
pub(super) struct Lexer<'t> {
    text: &'t str,
    /// The next byte.
    offset: usize,
    /// The next character's position.
    at: TextPosition,
    errors: Vec<Error>,
}

impl<'t> Lexer<'t> {
    fn next(&mut self) -> Placed<'t> {
        loop {
            self.skip_space();
            let (at, begin) = (self.at, self.offset);
            let Some(first) = self.peek() else {
                return Placed { token: Token::End, at, begin, end: begin };
            };
            if let Some(token) = self.token(first) {
                return Placed { token, at, begin, end: self.offset };
            }
        }
    }

    /// The token that begins with this character; `None` if none does, which is reported.
    fn token(&mut self, first: char) -> Option<Token<'t>> {
        match first {
            '\'' | '"' => Some(Token::Text(strings::string(self, first))),
            '`' => Some(Token::Quoted(strings::name(self))),
            '$' => Some(self.parameter()),
            _ if first.is_ascii_digit() => Some(numbers::number(self)),
            '.' if self.peek_behind().is_some_and(|next| next.is_ascii_digit()) => {
                Some(numbers::number(self))
            }
            _ if begins_word(first) => Some(Token::Word(self.take_while(continues_word))),
            _ => self.mark(first),
        }
    }

    fn parameter(&mut self) -> Token<'t> {
        self.step();
        match self.peek() {
            Some('`') => Token::Parameter(strings::name(self)),
            Some(next) if begins_word(next) || next.is_ascii_digit() => {
                Token::Parameter(self.take_while(continues_word).into())
            }
            _ => Token::Mark("$"),
        }
    }

    fn mark(&mut self, first: char) -> Option<Token<'t>> {
        let rest = self.rest();
        if let Some(mark) = MARKS.iter().find(|mark| rest.starts_with(**mark)) {
            self.take_bytes(mark.len());
            return Some(Token::Mark(mark));
        }
        let at = self.at;
        self.step();
        let name = if first.is_ascii() {
            Detail::UnexpectedSyntax
        } else {
            Detail::InvalidUnicodeCharacter
        };
        let shown = if first.is_control() {
            format!("the character U+{:04X}", u32::from(first))
        } else {
            format!("the character `{first}`")
        };
        let wrong = syntax(name, at, format!("{shown} has no meaning here"));
        self.report(match instead(first) {
            Some(help) => wrong.with_help(help),
            None => wrong,
        });
        None
    }

    pub(super) fn report(&mut self, error: Error) {
        if self.errors.len() < ERRORS_MAX {
            self.errors.push(error);
        }
    }

    pub(super) fn position(&self) -> TextPosition {
        self.at
    }

    /// What is not read yet.
    pub(super) fn rest(&self) -> &'t str {
        self.text.get(self.offset..).unwrap_or_default()
    }

    /// The next character.
    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// The character behind the next one.
    pub(super) fn peek_behind(&self) -> Option<char> {
        self.rest().chars().nth(1)
    }

    /// Takes a character.
    pub(super) fn step(&mut self) -> Option<char> {
        let taken = self.peek()?;
        self.offset += taken.len_utf8();
        if taken == '\n' {
            self.at = TextPosition { line: self.at.line.saturating_add(1), column: 1 };
        } else {
            self.at.column = self.at.column.saturating_add(1);
        }
        Some(taken)
    }

    /// Takes a character if it is this one.
    pub(super) fn take(&mut self, wanted: char) -> bool {
        let is_next = self.peek() == Some(wanted);
        if is_next {
            self.step();
        }
        is_next
    }

    /// Takes as many characters as pass the test.
    pub(super) fn take_while(&mut self, test: impl Fn(char) -> bool) -> &'t str {
        let rest = self.rest();
        let begin = self.offset;
        while self.peek().is_some_and(&test) {
            self.step();
        }
        rest.get(..self.offset - begin).unwrap_or_default()
    }

    fn take_bytes(&mut self, count: usize) {
        let end = self.offset + count;
        while self.offset < end && self.step().is_some() {}
    }

    fn skip_space(&mut self) {
        loop {
            self.take_while(is_space);
            let rest = self.rest();
            if rest.starts_with("//") {
                self.take_while(|next| next != '\n');
            } else if rest.starts_with("/*") {
                self.skip_comment(rest);
            } else {
                return;
            }
        }
    }

    fn skip_comment(&mut self, rest: &str) {
        let at = self.at;
        let end = rest.get(2..).unwrap_or_default().find("*/");
        if end.is_none() {
            let wrong = syntax(Detail::UnexpectedSyntax, at, "this comment has no end");
            self.report(wrong.with_help("close it with `*/`"));
        }
        self.take_bytes(end.map_or(rest.len(), |end| end + 4));
    }
}

fn is_space(letter: char) -> bool {
    letter.is_whitespace() || matches!(letter, '\u{1c}'..='\u{1f}' | '\u{180e}' | '\u{feff}')
}

fn begins_word(letter: char) -> bool {
    letter == '_' || letter.is_alphabetic()
}

pub(super) fn continues_word(letter: char) -> bool {
    letter == '_' || letter.is_alphanumeric() || joins(letter)
}

/// Combining marks and connecting punctuation, which are part of a word and begin none.
fn joins(letter: char) -> bool {
    matches!(letter,
        '\u{300}'..='\u{36f}' | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}' | '\u{203f}' | '\u{2040}'
        | '\u{2054}' | '\u{20d0}'..='\u{20ff}' | '\u{fe20}'..='\u{fe2f}' | '\u{fe33}' | '\u{fe34}'
    )
}

/// What to write instead of characters that editors put in place of those of ASCII.
fn instead(letter: char) -> Option<&'static str> {
    match letter {
        '\u{ad}' | '\u{2010}'..='\u{2015}' | '\u{2212}' => Some("write `-`"),
        '\u{2018}'..='\u{201f}' => Some("write strings in `'` or `\"`"),
        '\u{2190}' | '\u{2192}' => Some("write arrows as `-->` and `<--`"),
        '\u{2264}' => Some("write `<=`"),
        '\u{2265}' => Some("write `>=`"),
        '\u{2260}' => Some("write `<>`"),
        '#' => Some("comments begin with `//`"),
        _ => None,
    }
}
