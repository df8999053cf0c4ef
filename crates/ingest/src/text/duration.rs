//! `P1Y2M3W4DT5H6M7.5S`, and a sign before the whole or a part. Months, days and seconds stay
//! apart, because a month has no fixed number of days nor a day of seconds.

use crate::error::excerpt;
use millrace_model::Value;
use millrace_model::temporal::Duration;
use std::sync::Arc;

/// A duration of ISO 8601 with at least one part.
pub fn parse_duration(text: &str) -> Result<Value, String> {
    read(text).map(|duration| Value::Duration(Arc::new(duration))).ok_or_else(|| {
        format!("expected a duration, as P1Y2M3DT4H5M6.7S, found '{}'", excerpt(text))
    })
}

fn read(text: &str) -> Option<Duration> {
    let (sign, unsigned) = match text.strip_prefix('-') {
        Some(unsigned) => (-1, unsigned),
        None => (1, text),
    };
    let mut rest = unsigned.strip_prefix('P')?;
    let mut duration = Duration { months: 0, days: 0, seconds: 0, nanos: 0 };
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
        add(&mut duration, number, unit, in_time, sign)?;
        rest = &rest[end + 1..];
    }
    Some(duration)
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

fn add(duration: &mut Duration, number: &str, unit: u8, in_time: bool, sign: i64) -> Option<()> {
    let (whole, fraction) = match number.split_once(['.', ',']) {
        Some((whole, fraction)) if unit == b'S' => (whole, fraction),
        Some(_) => return None,
        None => (number, ""),
    };
    let parsed: i64 = whole.parse().ok()?;
    let value = parsed.checked_mul(sign)?;
    let (part, factor) = match (unit, in_time) {
        (b'Y', _) => (&mut duration.months, 12),
        (b'M', false) => (&mut duration.months, 1),
        (b'W', _) => (&mut duration.days, 7),
        (b'D', _) => (&mut duration.days, 1),
        (b'H', _) => (&mut duration.seconds, 3600),
        (b'M', true) => (&mut duration.seconds, 60),
        _ => (&mut duration.seconds, 1),
    };
    *part = part.checked_add(value.checked_mul(factor)?)?;
    if unit == b'S' && number.contains(['.', ',']) {
        let negative = (sign < 0) != whole.starts_with('-');
        add_nanos(duration, nanos_of(fraction)?, negative)?;
    }
    Some(())
}

/// Nanoseconds count forward from the second, so a negative fraction borrows one.
fn add_nanos(duration: &mut Duration, nanos: u32, negative: bool) -> Option<()> {
    duration.nanos = nanos;
    if negative && 0 < nanos {
        duration.nanos = 1_000_000_000 - nanos;
        duration.seconds = duration.seconds.checked_sub(1)?;
    }
    Some(())
}

fn nanos_of(fraction: &str) -> Option<u32> {
    if fraction.is_empty() || !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let digits = fraction.get(..9).unwrap_or(fraction);
    let scale = 10_u32.pow(9 - u32::try_from(digits.len()).ok()?);
    Some(digits.parse::<u32>().ok()? * scale)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_stay_apart_and_signs_reach_the_fraction() {
        let shown = |text| match parse_duration(text) {
            Ok(Value::Duration(duration)) => duration.to_string(),
            other => panic!("no duration: {other:?}"),
        };
        assert_eq!(shown("P1Y2M3W4DT5H6M7.5S"), "P14M25DT18367.5S");
        assert_eq!(shown("PT-1.25S"), "P0M0DT-2.75S", "two seconds back, three quarters forward");
        assert_eq!(shown("-PT1.25S"), shown("PT-1.25S"));
    }

    #[test]
    fn malformed_durations_are_refused() {
        for text in ["", "P", "PT", "1D", "P1", "P1H", "PT1D", "P1D1Y", "P1.5Y", "PT1.S", "P1DT"] {
            assert!(parse_duration(text).is_err(), "{text}");
        }
    }
}
