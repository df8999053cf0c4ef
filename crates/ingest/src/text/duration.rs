//! `P1Y2M3W4DT5H6M7.5S`, and a sign before the whole or a part. Months, days and seconds stay
//! apart, because a month has no fixed number of days nor a day of seconds.

use super::{Scalar, Span};
use crate::error::excerpt;

/// A duration of ISO 8601 with at least one part.
pub fn parse_duration(text: &str) -> Result<Scalar, String> {
    read(text).map(Scalar::Duration).ok_or_else(|| {
        format!("expected a duration, as P1Y2M3DT4H5M6.7S, found '{}'", excerpt(text))
    })
}

fn read(text: &str) -> Option<Span> {
    let (sign, unsigned) = match text.strip_prefix('-') {
        Some(unsigned) => (-1, unsigned),
        None => (1, text),
    };
    let mut rest = unsigned.strip_prefix('P')?;
    let mut span = Span::default();
    let mut order = 0;
    let mut in_time = false;
    if rest.is_empty() {
        return None;
    }
    while !rest.is_empty() {
        if let Some(time) = rest.strip_prefix('T') {
            if in_time || time.is_empty() {
                return None;
            }
            (in_time, rest, order) = (true, time, order.max(4));
        }
        let end = rest.find(|c: char| c.is_ascii_alphabetic())?;
        let (number, unit) = (&rest[..end], rest.as_bytes()[end]);
        let place = place_of(unit, in_time)?;
        if place < order {
            return None;
        }
        order = place + 1;
        add(&mut span, number, unit, in_time, sign)?;
        rest = &rest[end + 1..];
    }
    Some(span)
}

/// Where a unit stands among the others.
fn place_of(unit: u8, in_time: bool) -> Option<u8> {
    match (unit, in_time) {
        (b'Y', false) => Some(0),
        (b'M', false) => Some(1),
        (b'W', false) => Some(2),
        (b'D', false) => Some(3),
        (b'H', true) => Some(4),
        (b'M', true) => Some(5),
        (b'S', true) => Some(6),
        _ => None,
    }
}

fn add(span: &mut Span, number: &str, unit: u8, in_time: bool, sign: i64) -> Option<()> {
    let (whole, fraction) = match number.split_once(['.', ',']) {
        Some((whole, fraction)) if unit == b'S' => (whole, fraction),
        Some(_) => return None,
        None => (number, ""),
    };
    let parsed: i64 = whole.parse().ok()?;
    let value = parsed.checked_mul(sign)?;
    let (part, factor) = match (unit, in_time) {
        (b'Y', _) => (&mut span.months, 12),
        (b'M', false) => (&mut span.months, 1),
        (b'W', _) => (&mut span.days, 7),
        (b'D', _) => (&mut span.days, 1),
        (b'H', _) => (&mut span.seconds, 3600),
        (b'M', true) => (&mut span.seconds, 60),
        _ => (&mut span.seconds, 1),
    };
    *part = part.checked_add(value.checked_mul(factor)?)?;
    if unit == b'S' && number.contains(['.', ',']) {
        let negative = (sign < 0) != whole.starts_with('-');
        span.nanos = nanos_of(fraction)? * if negative { -1 } else { 1 };
    }
    Some(())
}

fn nanos_of(fraction: &str) -> Option<i32> {
    if fraction.is_empty() || !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let digits = fraction.get(..9).unwrap_or(fraction);
    let scale = 10_i32.pow(9 - u32::try_from(digits.len()).ok()?);
    Some(digits.parse::<i32>().ok()? * scale)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_stay_apart_and_signs_reach_the_fraction() {
        let span = Span { months: 14, days: 25, seconds: 18_367, nanos: 500_000_000 };
        assert_eq!(parse_duration("P1Y2M3W4DT5H6M7.5S"), Ok(Scalar::Duration(span)));
        let negative = Span { seconds: -1, nanos: -250_000_000, ..Span::default() };
        assert_eq!(parse_duration("PT-1.25S"), Ok(Scalar::Duration(negative)));
        assert_eq!(parse_duration("-PT1.25S"), Ok(Scalar::Duration(negative)));
    }

    #[test]
    fn what_is_no_duration_is_refused() {
        for text in ["", "P", "PT", "1D", "P1", "P1H", "PT1D", "P1D1Y", "P1.5Y", "PT1.S", "P1DT"] {
            assert!(parse_duration(text).is_err(), "{text}");
        }
    }
}
