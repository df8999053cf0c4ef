//! Numbers as they are written: widths by suffix, and by size where there is none.

use std::borrow::Cow;
use std::sync::Arc;

use millrace_model::{Decimal, Value};

use crate::limits::DECIMAL_SCALE_MAX;

/// Parses a number. The error is the reason alone, without a position.
pub(super) fn number(text: &str) -> Result<Value, String> {
    let (negative, digits) = match text.as_bytes() {
        [b'-', ..] => (true, &text[1..]),
        [b'+', ..] => (false, &text[1..]),
        _ => (false, text),
    };
    if digits == "Infinity" {
        return Ok(Value::F64(if negative { f64::NEG_INFINITY } else { f64::INFINITY }));
    }
    if !underscores_stand_between_digits(digits) {
        return Err("an underscore of a number stands between two digits".to_owned());
    }
    let digits = &without_underscores(digits);
    if let Some(hex) = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        let (hex, suffix) = split_suffix(hex, "sSnNiIlLgG");
        return integer(negative, hex, 16, suffix);
    }
    let (body, suffix) = split_suffix(digits, "bBsSnNiIlLfFdDmMgG");
    let is_whole = body.bytes().all(|byte| byte.is_ascii_digit());
    if !is_whole || matches!(suffix, Some('f' | 'd' | 'm')) {
        return fraction(negative, body, suffix);
    }
    match body.strip_prefix('0').filter(|octal| !octal.is_empty()) {
        Some(octal) => integer(negative, octal, 8, suffix),
        None => integer(negative, body, 10, suffix),
    }
}

fn underscores_stand_between_digits(digits: &str) -> bool {
    let is_digit = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_hexdigit);
    let is_between = |part: &str| {
        let bytes = part.as_bytes();
        part.is_empty() || (is_digit(bytes.first()) && is_digit(bytes.last()))
    };
    !digits.contains('_') || digits.split('.').all(is_between)
}

fn without_underscores(digits: &str) -> Cow<'_, str> {
    if digits.contains('_') {
        return Cow::Owned(digits.replace('_', ""));
    }
    Cow::Borrowed(digits)
}

/// The digits, and the suffix in lower case.
fn split_suffix<'t>(digits: &'t str, suffixes: &str) -> (&'t str, Option<char>) {
    match digits.chars().next_back().filter(|last| suffixes.contains(*last)) {
        Some(suffix) => (&digits[..digits.len() - 1], Some(suffix.to_ascii_lowercase())),
        None => (digits, None),
    }
}

fn integer(
    negative: bool,
    digits: &str,
    radix: u32,
    suffix: Option<char>,
) -> Result<Value, String> {
    if digits.is_empty() || !digits.chars().all(|digit| digit.is_digit(radix)) {
        return Err(format!("this is not a number of base {radix}"));
    }
    let magnitude = i128::from_str_radix(digits, radix)
        .map_err(|_| "an integer has at most 127 bits here".to_owned())?;
    let int = if negative { -magnitude } else { magnitude };
    let too_large = |type_name| move |_| format!("{int} does not fit {type_name}");
    match suffix {
        Some('b') => i8::try_from(int).map(Value::I8).map_err(too_large("8 bits")),
        Some('s') => i16::try_from(int).map(Value::I16).map_err(too_large("16 bits")),
        Some('i') => i32::try_from(int).map(Value::I32).map_err(too_large("32 bits")),
        Some('l') => i64::try_from(int).map(Value::I64).map_err(too_large("64 bits")),
        None => Ok(narrowest(int)),
        Some(_) => Ok(big(int)),
    }
}

fn narrowest(int: i128) -> Value {
    let narrow = i32::try_from(int).map(Value::I32);
    narrow.or_else(|_| i64::try_from(int).map(Value::I64)).unwrap_or_else(|_| big(int))
}

fn big(int: i128) -> Value {
    Value::Decimal(Arc::new(Decimal { unscaled: int, scale: 0 }))
}

fn fraction(negative: bool, body: &str, suffix: Option<char>) -> Result<Value, String> {
    let is_digit_or =
        |others: &str, byte: u8| byte.is_ascii_digit() || others.contains(byte as char);
    if !body.bytes().all(|byte| is_digit_or(".eE+-", byte)) {
        return Err("this is not a number".to_owned());
    }
    let signed = if negative { format!("-{body}") } else { body.to_owned() };
    let not_one = |_| "this is not a number".to_owned();
    match suffix {
        None | Some('d') => signed.parse().map(Value::F64).map_err(not_one),
        Some('f') => signed.parse().map(Value::F32).map_err(not_one),
        Some('m' | 'g') => decimal(&signed).map(|decimal| Value::Decimal(Arc::new(decimal))),
        Some(other) => {
            Err(format!("`{other}` is the suffix of integers, and this number is not one"))
        }
    }
}

fn decimal(text: &str) -> Result<Decimal, String> {
    let too_long = || "a decimal has at most 38 digits here".to_owned();
    let too_far = || format!("a decimal has at most {DECIMAL_SCALE_MAX} digits behind its point");
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let exponent: i64 = exponent.parse().map_err(|_| too_far())?;
    let decimal = Decimal::parse(mantissa).ok_or_else(too_long)?;
    let scale = i64::from(decimal.scale).checked_sub(exponent).ok_or_else(too_far)?;
    let zeros = u32::try_from((-scale).max(0)).map_err(|_| too_far())?;
    let scale = u32::try_from(scale.max(0)).map_err(|_| too_far())?;
    if scale > DECIMAL_SCALE_MAX {
        return Err(too_far());
    }
    let factor = 10i128.checked_pow(zeros).ok_or_else(too_long)?;
    let unscaled = decimal.unscaled.checked_mul(factor).ok_or_else(too_long)?;
    Ok(Decimal { unscaled, scale })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        number(text).map_or_else(|error| format!("error: {error}"), |value| format!("{value:?}"))
    }

    #[test]
    fn a_number_is_as_wide_as_its_suffix_or_its_size() {
        for (text, value) in [
            ("1", "I32(1)"),
            ("-1", "I32(-1)"),
            ("+7", "I32(7)"),
            ("0", "I32(0)"),
            ("1_000", "I32(1000)"),
            ("2147483648", "I64(2147483648)"),
            ("-2147483648", "I32(-2147483648)"),
            ("9223372036854775808", "Decimal(Decimal { unscaled: 9223372036854775808, scale: 0 })"),
            ("1b", "I8(1)"),
            ("1S", "I16(1)"),
            ("1i", "I32(1)"),
            ("1L", "I64(1)"),
            ("1n", "Decimal(Decimal { unscaled: 1, scale: 0 })"),
            ("1G", "Decimal(Decimal { unscaled: 1, scale: 0 })"),
            ("0x1F", "I32(31)"),
            ("0x1b", "I32(27)"),
            ("-0xfL", "I64(-15)"),
            ("017", "I32(15)"),
            ("0_7", "I32(7)"),
            ("1.5", "F64(1.5)"),
            ("1e3", "F64(1000.0)"),
            ("1.5E-3d", "F64(0.0015)"),
            ("1f", "F32(1.0)"),
            ("09.5", "F64(9.5)"),
            ("1.50m", "Decimal(Decimal { unscaled: 150, scale: 2 })"),
            ("1e2m", "Decimal(Decimal { unscaled: 100, scale: 0 })"),
            ("-Infinity", "F64(-inf)"),
        ] {
            assert_eq!(shown(text), value, "{text}");
        }
    }

    #[test]
    fn malformed_numbers_are_refused_with_a_reason() {
        for (text, reason) in [
            ("09", "not a number of base 8"),
            ("0x", "not a number of base 16"),
            ("1_", "between two digits"),
            ("1._5", "between two digits"),
            ("1q", "not a number"),
            ("300b", "does not fit 8 bits"),
            ("1.5L", "suffix of integers"),
            ("1e", "not a number"),
            ("1e99999m", "38 digits"),
            ("1e-99999m", "behind its point"),
            ("999999999999999999999999999999999999999999", "127 bits"),
        ] {
            let found = shown(text);
            assert!(found.starts_with("error") && found.contains(reason), "{text}: {found}");
        }
    }
}
