//! Strings with their escapes, and names in backticks.
//!
//! A backslash before a letter that makes no escape stands for itself, as in `'\d+'` and `'C:\Users'`.

use std::sync::Arc;

use millrace_model::TextPosition;

use super::Lexer;
use crate::text::error::{Detail, Read, syntax};
use crate::tree::{ANONYMOUS, Name};

/// The string that begins here, decoded.
pub(super) fn string(lexer: &mut Lexer<'_>, quote: char) -> Arc<str> {
    let at = lexer.position();
    lexer.step();
    let mut decoded = String::new();
    loop {
        decoded.push_str(lexer.take_while(|letter| letter != quote && letter != '\\'));
        let escape_at = lexer.position();
        match lexer.step() {
            Some('\\') => match escaped(lexer, escape_at) {
                Ok(Some(letter)) => decoded.push(letter),
                Ok(None) => decoded.push('\\'),
                Err(error) => lexer.report(error),
            },
            Some(_) => return decoded.into(),
            None => {
                let wrong = syntax(Detail::UnexpectedSyntax, at, "this string has no end");
                lexer.report(wrong.with_help(format!("close it with `{quote}`")));
                return decoded.into();
            }
        }
    }
}

/// The name in backticks that begins here; a doubled backtick stands for one.
pub(super) fn name(lexer: &mut Lexer<'_>) -> Name {
    let at = lexer.position();
    lexer.step();
    let mut decoded = String::new();
    loop {
        decoded.push_str(lexer.take_while(|letter| letter != '`'));
        if lexer.step().is_none() {
            let wrong = syntax(Detail::UnexpectedSyntax, at, "this name has no end");
            lexer.report(wrong.with_help("close it with a backtick"));
            break;
        }
        if !lexer.take('`') {
            break;
        }
        decoded.push('`');
    }
    if decoded.starts_with(ANONYMOUS) {
        let wrong = syntax(Detail::InvalidUnicodeCharacter, at, "a name begins with U+2029");
        lexer.report(wrong.with_help("leave out the paragraph separator"));
    }
    decoded.into()
}

/// The character of an escape, behind its backslash; none if the backslash is plain text.
fn escaped(lexer: &mut Lexer<'_>, at: TextPosition) -> Read<Option<char>> {
    let letter = match lexer.peek() {
        Some('b') => '\u{8}',
        Some('f') => '\u{c}',
        Some('n') => '\n',
        Some('r') => '\r',
        Some('t') => '\t',
        Some(letter @ ('\\' | '\'' | '"')) => letter,
        Some('u') => {
            lexer.step();
            return unicode(lexer, at).map(Some);
        }
        _ => return Ok(None),
    };
    lexer.step();
    Ok(Some(letter))
}

/// The character of `\uXXXX`, or of two of them that are the halves of one.
fn unicode(lexer: &mut Lexer<'_>, at: TextPosition) -> Read<char> {
    let code = hex(lexer, at)?;
    if !(0xD800..0xDC00).contains(&code) || !lexer.rest().starts_with("\\u") {
        return character(code, at);
    }
    lexer.step();
    lexer.step();
    let low = hex(lexer, at)?;
    if !(0xDC00..0xE000).contains(&low) {
        return character(code, at);
    }
    character(0x1_0000 + ((code - 0xD800) << 10) + (low - 0xDC00), at)
}

fn hex(lexer: &mut Lexer<'_>, at: TextPosition) -> Read<u32> {
    let mut code = 0_u32;
    for _ in 0..4 {
        let Some(digit) = lexer.peek().and_then(|letter| letter.to_digit(16)) else {
            let detail = "this escape of a character needs four hexadecimal digits";
            let wrong = syntax(Detail::InvalidUnicodeLiteral, at, detail);
            return Err(wrong.with_help("write `\\u0041`; a backslash and `u` is `\\\\u`"));
        };
        lexer.step();
        code = code << 4 | digit;
    }
    Ok(code)
}

fn character(code: u32, at: TextPosition) -> Read<char> {
    char::from_u32(code).ok_or_else(|| {
        let detail = format!("U+{code:04X} is not a character");
        syntax(Detail::InvalidUnicodeLiteral, at, detail)
    })
}
