//! Strings in quotation marks, their escapes decoded, and regular expressions between slashes.

use super::cursor::Cursor;
use super::errors::Read;

/// `"text"`, decoded.
pub(crate) fn quoted(cursor: &mut Cursor<'_>) -> Read<String> {
    let at = cursor.here();
    cursor.must_take('"', "before a string")?;
    let mut text = String::new();
    loop {
        text.push_str(cursor.take_while(|letter| letter != '"' && letter != '\\'));
        match cursor.next_character() {
            Some('"') => {
                cursor.advance(1);
                return Ok(text);
            }
            Some(_) => text.push(escape(cursor)?),
            None => {
                let error = cursor.error(at, "this string has no end");
                return Err(error.with_help("close it with `\"`"));
            }
        }
    }
}

/// The character behind a backslash.
fn escape(cursor: &mut Cursor<'_>) -> Read<char> {
    let at = cursor.behind();
    cursor.advance(1);
    let kind = cursor.next_character();
    cursor.advance(kind.map_or(0, char::len_utf8));
    let digits = match kind {
        Some('a') => return Ok('\u{7}'),
        Some('b') => return Ok('\u{8}'),
        Some('f') => return Ok('\u{c}'),
        Some('n') => return Ok('\n'),
        Some('r') => return Ok('\r'),
        Some('t') => return Ok('\t'),
        Some('v') => return Ok('\u{b}'),
        Some(same @ ('\\' | '"' | '\'')) => return Ok(same),
        Some('x') => 2,
        Some('u') => 4,
        Some('U') => 8,
        _ => {
            let error = cursor.error(at, "this escape has no meaning");
            return Err(error.with_help("a backslash is written as `\\\\`"));
        }
    };
    let hexadecimal = cursor.rest().get(..digits).unwrap_or_default();
    let code = hexadecimal.bytes().all(|digit| digit.is_ascii_hexdigit());
    let code = code.then(|| u32::from_str_radix(hexadecimal, 16).ok()).flatten();
    match code.and_then(char::from_u32) {
        Some(letter) => {
            cursor.advance(digits);
            Ok(letter)
        }
        None => Err(cursor
            .error(at, format!("this escape needs {digits} hexadecimal digits of a character"))
            .with_help("such as `\\u00e9`")),
    }
}

/// `/pattern/flags`: both as they are written, `\/` included.
pub(crate) fn regexp(cursor: &mut Cursor<'_>) -> Read<(String, String)> {
    let at = cursor.here();
    cursor.must_take('/', "before a regular expression")?;
    let begin = cursor.behind();
    loop {
        cursor.take_while(|letter| !matches!(letter, '/' | '\\' | '\n'));
        match cursor.next_character() {
            Some('/') => break,
            Some('\\') => {
                cursor.advance(1);
                let escaped = cursor.next_character().filter(|letter| *letter != '\n');
                cursor.advance(escaped.map_or(0, char::len_utf8));
            }
            _ => {
                let error = cursor.error(at, "this regular expression has no end");
                return Err(
                    error.with_help("close it with `/` on the same line; a slash in it is `\\/`")
                );
            }
        }
    }
    let pattern = cursor.text_since(begin).to_owned();
    cursor.advance(1);
    let flags = cursor.take_while(|letter| letter.is_ascii_alphabetic()).to_owned();
    Ok((pattern, flags))
}
