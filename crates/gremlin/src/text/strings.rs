//! The values of strings: escapes decoded as Java decodes them.

use std::borrow::Cow;

use super::Language;
use super::lexer::Quoted;

/// The decoded text of a string, or the reason why it is refused.
pub(super) fn text_of(quoted: Quoted<'_>, language: Language) -> Result<Cow<'_, str>, String> {
    if quoted.dollar && quoted.double && language == Language::Groovy {
        refuse_interpolation(quoted.raw)?;
    }
    if !quoted.escaped {
        return Ok(Cow::Borrowed(quoted.raw));
    }
    decoded(quoted.raw, language).map(Cow::Owned)
}

fn refuse_interpolation(raw: &str) -> Result<(), String> {
    let mut rest = raw;
    while let Some(at) = rest.find(['$', '\\']) {
        let behind = &rest[at + 1..];
        let next = behind.chars().next();
        if rest.as_bytes()[at] == b'\\' {
            rest = &behind[next.map_or(0, char::len_utf8)..];
            continue;
        }
        if next.is_some_and(|next| next == '{' || next.is_alphabetic() || next == '_') {
            return Err(
                "a value inside a string (`$name`, `${…}`) is Groovy's and not supported: \
                        write `\\$`, or single quotes, if a dollar sign is meant"
                    .to_owned(),
            );
        }
        rest = behind;
    }
    Ok(())
}

fn decoded(raw: &str, language: Language) -> Result<String, String> {
    let mut text = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(at) = rest.find('\\') {
        text.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let first = rest.chars().next().ok_or("the string ends in a backslash")?;
        rest = match first {
            'u' => unicode(rest, &mut text)?,
            '0'..='7' => octal(rest, &mut text),
            '\r' if rest.starts_with("\r\n") => &rest[2..],
            '\n' => &rest[1..],
            _ => {
                text.push(simple(first, language)?);
                &rest[first.len_utf8()..]
            }
        };
    }
    text.push_str(rest);
    Ok(text)
}

fn simple(letter: char, language: Language) -> Result<char, String> {
    Ok(match letter {
        'b' => '\u{8}',
        't' => '\t',
        'n' => '\n',
        'f' => '\u{c}',
        'r' => '\r',
        '"' | '\'' | '\\' => letter,
        '$' if language == Language::Groovy => letter,
        _ => return Err(format!("`\\{letter}` is not an escape of a string")),
    })
}

/// Decodes up to three octal digits, a number below 256; returns the text behind them.
fn octal<'t>(rest: &'t str, text: &mut String) -> &'t str {
    let most = if rest.as_bytes()[0] <= b'3' { 3 } else { 2 };
    let digits = rest.bytes().take(most).take_while(|byte| (b'0'..=b'7').contains(byte));
    let (length, code) = digits
        .fold((0, 0u32), |(length, code), digit| (length + 1, code * 8 + u32::from(digit - b'0')));
    text.extend(char::from_u32(code));
    &rest[length..]
}

/// Decodes one UTF-16 unit, or a surrogate pair; returns the text behind it.
fn unicode<'t>(rest: &'t str, text: &mut String) -> Result<&'t str, String> {
    let (first, rest) = unit(rest)?;
    if let Some(character) = char::from_u32(first) {
        text.push(character);
        return Ok(rest);
    }
    let alone = || format!("`\\u{first:04x}` is half a character");
    let second = rest.strip_prefix('\\').filter(|rest| rest.starts_with('u')).ok_or_else(alone)?;
    let (second, rest) = unit(second)?;
    let both = char::decode_utf16([first as u16, second as u16]).next();
    text.push(both.and_then(Result::ok).ok_or_else(alone)?);
    Ok(rest)
}

/// `u` and four hexadecimal digits.
fn unit(rest: &str) -> Result<(u32, &str), String> {
    let rest = rest.trim_start_matches('u');
    let digits = rest.get(..4).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
    let code = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
    let code = code.ok_or("`\\u` has four hexadecimal digits behind it")?;
    Ok((code, &rest[4..]))
}
