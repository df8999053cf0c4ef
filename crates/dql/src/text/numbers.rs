//! Values without quotation marks: numbers, uids, words, in the text that they were written as.

use super::cursor::Cursor;
use super::errors::Read;

/// A value without quotation marks: `0x1f`, `-1.5e+3`, `true`, `Person`.
pub(crate) fn bare(cursor: &mut Cursor<'_>, expected: &str) -> Read<String> {
    let at = cursor.here();
    if matches!(cursor.next_character(), Some('-' | '+')) {
        cursor.advance(1);
    }
    let is_part = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '.' | '-');
    let text = cursor.take_while(is_part);
    // The sign of an exponent; that of a negative one is a part already.
    let is_number = text.starts_with(|first: char| first.is_ascii_digit() || first == '.');
    if is_number && text.ends_with(['e', 'E']) && cursor.rest().starts_with('+') {
        cursor.advance(1);
        cursor.take_while(|letter| letter.is_ascii_digit());
    }
    let text = cursor.text_since(at);
    if text.is_empty() || text == "-" || text == "+" {
        return Err(cursor.unexpected(expected));
    }
    Ok(text.to_owned())
}

/// A number of `math`, without a sign: `60`, `1.5`, `2e-3`.
pub(crate) fn number(cursor: &mut Cursor<'_>) -> Read<String> {
    let at = cursor.here();
    cursor.take_while(|letter| letter.is_ascii_digit() || letter == '.');
    if cursor.rest().starts_with(['e', 'E']) {
        let sign =
            usize::from(cursor.rest().get(1..).is_some_and(|rest| rest.starts_with(['+', '-'])));
        let exponent = cursor.rest().get(1 + sign..).unwrap_or_default();
        let digits = exponent.len()
            - exponent.trim_start_matches(|digit: char| digit.is_ascii_digit()).len();
        if digits > 0 {
            cursor.advance(1 + sign + digits);
        }
    }
    let text = cursor.text_since(at);
    match text.parse::<f64>() {
        Ok(_) => Ok(text.to_owned()),
        Err(_) => {
            Err(cursor.error(at, format!("`{}` is not a number", super::errors::shown(text))))
        }
    }
}
