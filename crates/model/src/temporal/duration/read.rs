//! Durations from ISO 8601 text: `P1Y2M3W4DT5H6M7.5S`, or `P2012-02-02T14:37:21.545`.
//!
//! A sign stands before the whole or before a part. Only the last part may have a fraction.

use super::amounts::{Amount, carried};
use super::sums::too_long;
use crate::calendar::Duration;
use crate::calendar::SECOND_NANOS;
use crate::errors::error::{Error, Result};
use crate::temporal::failures::bad;
use crate::temporal::read::Clock;

pub(super) fn read(text: &str) -> Result<Duration> {
    let (is_negative, rest) = match text.strip_prefix(['-', '+']) {
        Some(rest) => (text.starts_with('-'), rest),
        None => (false, text),
    };
    let rest = rest.strip_prefix(['P', 'p']).ok_or_else(|| unreadable(text))?;
    let duration = match by_letters(rest) {
        Some(sums) => sums.carried().ok_or_else(too_long)?,
        None => by_calendar(rest).ok_or_else(|| unreadable(text))?,
    };
    if !is_negative {
        return Ok(duration);
    }
    Duration { months: 0, days: 0, seconds: 0, nanos: 0 }.minus(&duration)
}

fn unreadable(text: &str) -> Error {
    let shown: String = text.chars().take(60).collect();
    bad(format!("'{shown}' is not a duration"))
        .with_help("a duration is written as P1Y2M3DT4H5M6.7S")
}

/// Digits of a fraction of a second.
const SECOND_DIGITS: usize = 9;

#[derive(Default)]
struct Sums {
    months: Option<Amount>,
    days: Option<Amount>,
    seconds: Option<Amount>,
}

impl Sums {
    fn carried(self) -> Option<Duration> {
        let or_zero = |sum: Option<Amount>| sum.unwrap_or(Amount::ZERO);
        carried(or_zero(self.months), or_zero(self.days), or_zero(self.seconds), Amount::ZERO)
    }
}

/// Numbers, each with its unit, from years down to seconds.
fn by_letters(text: &str) -> Option<Sums> {
    const LETTERS: [(u8, bool, i64); 7] = [
        (b'Y', false, 12),
        (b'M', false, 1),
        (b'W', false, 7),
        (b'D', false, 1),
        (b'H', true, 3_600),
        (b'M', true, 60),
        (b'S', true, 1),
    ];
    let (mut sums, mut rest) = (Sums::default(), text);
    let (mut least, mut in_time, mut is_last) = (0, false, false);
    if rest.is_empty() {
        return None;
    }
    while !rest.is_empty() {
        if let (Some(time), false) = (rest.strip_prefix(['T', 't']), in_time) {
            (rest, in_time) = (time, true);
        }
        let end = rest.find(|letter: char| letter.is_ascii_alphabetic())?;
        let (number, unit) = (Amount::parse(&rest[..end])?, rest.as_bytes()[end]);
        // A second has nine digits; other parts are carried on with all theirs.
        let digits = rest[..end].split_once(['.', ',']).map_or(0, |(_, digits)| digits.len());
        if unit.eq_ignore_ascii_case(&b'S') && SECOND_DIGITS < digits {
            return None;
        }
        let place = LETTERS.iter().position(|(known, of_time, _)| {
            *known == unit.to_ascii_uppercase() && *of_time == in_time
        })?;
        if place < least || is_last {
            return None;
        }
        (least, is_last) = (place + 1, !number.is_whole());
        let sum = match place {
            0 | 1 => &mut sums.months,
            2 | 3 => &mut sums.days,
            _ => &mut sums.seconds,
        };
        *sum = Some(number.by(LETTERS[place].2)?.plus(sum.unwrap_or(Amount::ZERO))?);
        rest = &rest[end + 1..];
    }
    Some(sums)
}

/// A day of a calendar that begins with zero, and a time of day.
fn by_calendar(text: &str) -> Option<Duration> {
    let (date, time) = text.split_once(['T', 't']).map_or((text, None), |(d, t)| (d, Some(t)));
    let (mut months, mut days) = (0, 0);
    if !date.is_empty() {
        let digits = match date.as_bytes() {
            [_, _, _, _, b'-', _, _, b'-', _, _] => date.replace('-', ""),
            [_, _, _, _, _, _, _, _] => date.to_owned(),
            _ => return None,
        };
        let number = |range: std::ops::Range<usize>| {
            let digits = digits.get(range).filter(|it| it.bytes().all(|b| b.is_ascii_digit()));
            digits?.parse::<i128>().ok()
        };
        let month = number(4..6).filter(|month| *month <= 12)?;
        months = number(0..4)? * 12 + month;
        days = number(6..8).filter(|day| *day <= 31)?;
    }
    let nanos = match time {
        Some(time) => i128::from(Clock::read_whole(time)?.nanos),
        None if date.is_empty() => return None,
        None => 0,
    };
    debug_assert!(nanos < 86_400 * SECOND_NANOS, "a time of day");
    Duration::of(months, days, nanos)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::temporal::iso::duration_text;

    #[test]
    fn durations_are_read_in_all_their_forms() {
        for (text, shown) in [
            ("P1Y2M3W4DT5H6M7.25S", "P1Y2M25DT5H6M7.25S"),
            ("p1y", "P1Y"),
            ("-P1DT2H", "P-1DT-2H"),
            ("P-1DT-0.5S", "P-1DT-0.5S"),
            ("P1.5Y", "P1Y6M"),
            ("P0.5W", "P3DT12H"),
            ("PT1,5H", "PT1H30M"),
            ("PT90M", "PT1H30M"),
            ("P0003-04-05", "P3Y4M5D"),
            ("P00030405T060708.9", "P3Y4M5DT6H7M8.9S"),
            ("PT06:07", "PT6H7M"),
        ] {
            let read = read(text).map(|duration| duration_text(&duration));
            assert_eq!(read.as_deref(), Ok(shown), "{text}");
        }
        for bad in [
            "",
            "P",
            "PT",
            "1Y",
            "P1Y1Y",
            "PT0.1234567890S",
            "P1M1Y",
            "P1.5Y1M",
            "P1",
            "PT1D",
            "P1DT",
            "P2012-13-01",
            "P2012-1-1",
            "PT25:00",
            "P1H",
            "é",
            "P٣D",
        ] {
            read(bad).expect_err(bad);
        }
    }
}
