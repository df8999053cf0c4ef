//! Integers and floats. A sign is no part of them: the parser joins it with an integer, since 2^63 is one only behind `-`.

use millrace_model::{Error, TextPosition};

use super::{Lexer, Token, continues_word};
use crate::text::error::{Detail, Read, shown, syntax};

/// The number that begins here; a wrong one is reported and stands for 1.
pub(super) fn number<'t>(lexer: &mut Lexer<'t>) -> Token<'t> {
    let at = lexer.position();
    let rest = lexer.rest();
    let written = {
        let length = length_of(rest);
        let mut taken = 0;
        while taken < length {
            taken += lexer.step().map_or(length, char::len_utf8);
        }
        rest.get(..length).unwrap_or_default()
    };
    decode(written, at).unwrap_or_else(|error| {
        lexer.report(error);
        Token::Integer(1)
    })
}

/// How many bytes belong to a number: a point only before a digit, a sign only in an exponent.
fn length_of(rest: &str) -> usize {
    let is_based = has_base(rest);
    let mut length = 0;
    let mut letters = rest.chars().peekable();
    let mut has_point = false;
    while let Some(letter) = letters.next() {
        let next = letters.peek().copied();
        let is_part = if letter == '.' {
            let begins_fraction = next.is_some_and(|next| next.is_ascii_digit());
            !is_based && !std::mem::replace(&mut has_point, true) && begins_fraction
        } else {
            continues_word(letter)
        };
        if !is_part {
            break;
        }
        length += letter.len_utf8();
        if matches!(letter, 'e' | 'E') && !is_based && is_decimal(rest.get(..length - 1)) {
            let mut following = letters.clone();
            let sign = following.next_if(|sign| matches!(sign, '+' | '-'));
            if sign.is_some() && following.peek().is_some_and(char::is_ascii_digit) {
                letters.next();
                length += 1;
            }
        }
    }
    length
}

fn has_base(text: &str) -> bool {
    let mut letters = text.chars();
    letters.next() == Some('0') && letters.next().is_some_and(|base| "xXoO".contains(base))
}

fn is_decimal(text: Option<&str>) -> bool {
    text.is_some_and(|text| text.chars().all(|c| c.is_ascii_digit() || c == '.' || c == '_'))
}

fn decode(written: &str, at: TextPosition) -> Read<Token<'static>> {
    let digits = plain_digits(written, at)?;
    if has_base(written) {
        let base = if digits[1..].starts_with(['x', 'X']) { 16 } else { 8 };
        return integer(&digits[2..], base, written, at);
    }
    if digits.contains(['.', 'e', 'E']) {
        return float(&digits, written, at);
    }
    if digits.len() > 1 && digits.starts_with('0') && digits.chars().all(|c| c.is_ascii_digit()) {
        let wrong = invalid(written, at);
        let plain = digits.trim_start_matches('0');
        return Err(wrong.with_help(format!(
            "octal integers begin with `0o`, decimal ones without a zero: `0o{plain}` or `{plain}`"
        )));
    }
    integer(&digits, 10, written, at)
}

/// The digits without underscores, each of which must stand between two digits.
fn plain_digits(written: &str, at: TextPosition) -> Read<String> {
    let is_digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_hexdigit());
    let letters: Vec<char> = written.chars().collect();
    let mut digits = String::with_capacity(written.len());
    for (place, letter) in letters.iter().enumerate() {
        if *letter != '_' {
            digits.push(*letter);
        } else if !is_digit(letters.get(place + 1).copied()) || place == 0 {
            return Err(invalid(written, at));
        }
    }
    Ok(digits)
}

fn integer(digits: &str, base: u32, written: &str, at: TextPosition) -> Read<Token<'static>> {
    if digits.is_empty() || !digits.chars().all(|digit| digit.is_digit(base)) {
        return Err(invalid(written, at));
    }
    u64::from_str_radix(digits, base)
        .ok()
        .filter(|value| *value <= 1 << 63)
        .map(Token::Integer)
        .ok_or_else(|| integer_overflow(written, at))
}

fn float(digits: &str, written: &str, at: TextPosition) -> Read<Token<'static>> {
    let value: f64 = digits.parse().map_err(|_| invalid(written, at))?;
    if value.is_finite() {
        return Ok(Token::Float(value));
    }
    let detail = format!("the float `{}` is too large", shown(written));
    Err(syntax(Detail::FloatingPointOverflow, at, detail))
}

/// An integer beyond 64 bits.
pub(in crate::text) fn integer_overflow(written: &str, at: TextPosition) -> Error {
    let detail = format!("the integer `{}` is too large", shown(written));
    syntax(Detail::IntegerOverflow, at, detail)
        .with_help("integers lie between -9223372036854775808 and 9223372036854775807")
}

fn invalid(written: &str, at: TextPosition) -> Error {
    let detail = format!("`{}` is not a number", shown(written));
    syntax(Detail::InvalidNumberLiteral, at, detail)
}
