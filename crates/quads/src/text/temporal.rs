//! Dates, times and durations as files write them. What ISO 8601 has, [`millrace_model::temporal`] reads,
//! as for Cypher; here is only what XML Schema and databases write besides: a zone behind a day, a blank
//! between day and time, a year of five digits without a sign, zeros beyond nanoseconds.

use crate::error::excerpt;
use millrace_model::Value;
use millrace_model::temporal::{TemporalKind, ZoneId, make_duration, parse};
use std::borrow::Cow;

/// Digits of a fraction of a second that are stored.
const FRACTION_DIGITS_MAX: usize = 9;

/// `2020-02-29`, `20200229`, `2020-W09-6`, `2020-060`. An offset (`2020-02-29Z`) is read and not stored.
pub fn parse_date(text: &str) -> Result<Value, String> {
    let day = parse(TemporalKind::Date, text, &ZoneId::UTC).ok();
    let other = || parse(TemporalKind::Date, &signed(without_zone(text)), &ZoneId::UTC).ok();
    day.or_else(other).ok_or_else(|| expected("a date that exists, as 2020-02-29", text))
}

/// `1986`: its first of January.
pub fn parse_year(text: &str) -> Result<Value, String> {
    let year = without_zone(text);
    let has_form = year_digits(year).is_some_and(|digits| digits == year.len());
    let day = has_form.then(|| parse(TemporalKind::Date, &signed(year), &ZoneId::UTC).ok());
    day.flatten().ok_or_else(|| expected("a year, as 1986", text))
}

/// `1986-06`: the month's first.
pub fn parse_year_month(text: &str) -> Result<Value, String> {
    let month = without_zone(text);
    let rest = year_digits(month).map(|digits| &month.as_bytes()[digits..]);
    let has_form =
        matches!(rest, Some([b'-', tens, ones]) if tens.is_ascii_digit() && ones.is_ascii_digit());
    let day = has_form.then(|| parse(TemporalKind::Date, &signed(month), &ZoneId::UTC).ok());
    day.flatten().ok_or_else(|| expected("a year and month, as 1986-06", text))
}

/// `12:30:00.25`, `12:30`, `1230`.
pub fn parse_local_time(text: &str) -> Result<Value, String> {
    read(TemporalKind::LocalTime, text, &ZoneId::UTC, "a time, as 12:30:00")
}

/// `12:30:00+01:00`; UTC where no offset is given.
pub fn parse_time(text: &str) -> Result<Value, String> {
    parse_time_in(text, &ZoneId::UTC)
}

/// The same, in a zone where no offset is given.
pub fn parse_time_in(text: &str, zone: &ZoneId) -> Result<Value, String> {
    read(TemporalKind::Time, text, zone, "a time with its offset, as 12:30:00+01:00")
}

/// `2020-02-29T12:30:00`, and any day and time that stand by themselves.
pub fn parse_local_datetime(text: &str) -> Result<Value, String> {
    let form = "a date and time, as 2020-02-29T12:30:00";
    read(TemporalKind::LocalDateTime, text, &ZoneId::UTC, form)
}

/// `2020-02-29T12:30:00+01:00`, `2020-02-29T12:30[Europe/Berlin]`; UTC where no zone is given.
pub fn parse_datetime(text: &str) -> Result<Value, String> {
    parse_datetime_in(text, &ZoneId::UTC)
}

/// The same, in a zone where none is given.
pub fn parse_datetime_in(text: &str, zone: &ZoneId) -> Result<Value, String> {
    let form = "a date and time with its offset, as 2020-02-29T12:30:00Z";
    read(TemporalKind::DateTime, text, zone, form)
}

/// A date, or a date and time with its offset: the forms of a timestamp without a declared type. Only with
/// year, month and day: fewer digits may be something else.
pub fn parse_bare_timestamp(text: &str) -> Result<Value, String> {
    let rest = year_digits(text).map_or(&[][..], |digits| &text.as_bytes()[digits..]);
    let is_digits = |bytes: &[u8]| bytes.iter().all(u8::is_ascii_digit);
    match rest {
        [b'-', month @ .., b'-', d, e]
            if month.len() == 2 && is_digits(month) && is_digits(&[*d, *e]) =>
        {
            parse_date(text)
        }
        [b'-', m, n, b'-', d, e, _, ..] if is_digits(&[*m, *n, *d, *e]) => {
            parse_date(text).or_else(|_| parse_datetime(text))
        }
        _ => Err(expected("a date, as 2020-02-29", text)),
    }
}

/// `P1Y2M3W4DT5H6M7.5S`, as a value. Months, days and seconds stay apart, because a month has no fixed number
/// of days nor a day of seconds.
pub fn parse_duration(text: &str) -> Result<Value, String> {
    let read = |text: &str| make_duration(&Value::string(text)).ok();
    let duration = read(text).or_else(|| read(&short_fraction(text)));
    duration.ok_or_else(|| expected("a duration, as P1Y2M3DT4H5M6.7S", text))
}

/// Reads a text as ISO 8601 has it, then with what others write besides.
fn read(kind: TemporalKind, text: &str, zone: &ZoneId, form: &str) -> Result<Value, String> {
    let error = match parse(kind, text, zone) {
        Ok(value) => return Ok(value),
        Err(error) => error,
    };
    let plain = if kind.has_date() { signed(&with_t(text)).into_owned() } else { text.to_owned() };
    parse(kind, &short_fraction(&plain), zone).map_err(|_| {
        // What is wrong with a zone, its form does not show.
        let why = if text.contains('[') { format!(": {}", error.detail) } else { String::new() };
        expected(form, text) + &why
    })
}

fn expected(form: &str, found: &str) -> String {
    format!("expected {form}, found '{}'", excerpt(found))
}

/// The length of a year at the beginning, with its sign: four to nine digits.
fn year_digits(text: &str) -> Option<usize> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let count = digits.bytes().take_while(u8::is_ascii_digit).count();
    (4..=9).contains(&count).then_some(text.len() - digits.len() + count)
}

/// A day or month without the zone behind it, which XML Schema allows.
fn without_zone(text: &str) -> &str {
    let Some(digits) = year_digits(text) else { return text };
    if let Some(day) = text.strip_suffix(['Z', 'z']) {
        return day;
    }
    // `+01:00` or `-01:00`, where the text before it is no shorter than a year.
    let at = text.len().saturating_sub(6);
    match text.as_bytes().get(at..) {
        Some([b'+' | b'-', a, b, b':', c, d])
            if digits <= at && [a, b, c, d].iter().all(|byte| byte.is_ascii_digit()) =>
        {
            &text[..at]
        }
        _ => text,
    }
}

/// A year of more than four digits with the sign that ISO 8601 wants.
fn signed(text: &str) -> Cow<'_, str> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    match text.as_bytes().get(digits) {
        Some(b'-') | None if (5..=9).contains(&digits) => Cow::Owned(format!("+{text}")),
        _ => Cow::Borrowed(text),
    }
}

/// A blank between day and time as the `T` that stands there.
fn with_t(text: &str) -> Cow<'_, str> {
    match text.split_once(' ') {
        Some((day, time)) if !text.contains(['T', 't', '[']) && !time.contains(' ') => {
            Cow::Owned(format!("{day}T{time}"))
        }
        Some((day, time)) if !day.contains(['T', 't']) && time.contains('[') => {
            Cow::Owned(format!("{day}T{time}"))
        }
        _ => Cow::Borrowed(text),
    }
}

/// A fraction of a second of as many digits as are stored, where the others are zeros.
fn short_fraction(text: &str) -> Cow<'_, str> {
    let Some(point) = text.find(['.', ',']) else { return Cow::Borrowed(text) };
    let digits = text[point + 1..].bytes().take_while(u8::is_ascii_digit).count();
    let (end, rest) = (point + 1 + FRACTION_DIGITS_MAX, point + 1 + digits);
    match FRACTION_DIGITS_MAX < digits && text[end..rest].bytes().all(|digit| digit == b'0') {
        true => Cow::Owned(format!("{}{}", &text[..end], &text[rest..])),
        false => Cow::Borrowed(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use millrace_model::temporal::{Date, Seconds, text};

    fn shown(read: Result<Value, String>) -> String {
        match read {
            Ok(Value::Duration(duration)) => duration.to_string(),
            Ok(value) => text(&value, Seconds::Always).unwrap_or_else(|| panic!("{value:?}")),
            Err(detail) => detail,
        }
    }

    #[test]
    fn a_day_that_never_was_is_refused() {
        for text in ["1900-02-29", "2021-04-31", "2021-00-01", "2021-13-01", "2021-W54", ""] {
            let expected = format!("expected a date that exists, as 2020-02-29, found '{text}'");
            assert_eq!(shown(parse_date(text)), expected);
        }
    }

    #[test]
    fn days_are_read_in_every_form_of_iso_8601_and_with_a_zone() {
        for text in [
            "2000-02-29",
            "20000229",
            "2000-W09-2",
            "2000W092",
            "2000-060",
            "2000060",
            "2000-Q1-60",
            "2000-2-29",
            "2000-02-29Z",
            "2000-02-29+05:30",
        ] {
            assert_eq!(shown(parse_date(text)), "2000-02-29", "{text}");
        }
        assert_eq!(parse_date("12345-01-01"), parse_date("+12345-01-01"));
        assert!(parse_date("12345-01-01").is_ok() && parse_date("2000-02-29T10:00").is_err());
    }

    #[test]
    fn years_and_months_become_their_first_day() {
        assert_eq!(shown(parse_year("1986")), "1986-01-01");
        assert_eq!(shown(parse_year("1986-05:00")), "1986-01-01");
        assert_eq!(parse_year("-0044").ok(), Date::from_civil(-44, 1, 1).map(Value::Date));
        assert_eq!(shown(parse_year_month("1986-06Z")), "1986-06-01");
        assert!(parse_year("86").is_err() && parse_year("1986-06").is_err());
        assert!(parse_year_month("1986").is_err() && parse_year_month("1986-13").is_err());
    }

    #[test]
    fn times_are_read_in_every_form() {
        for text in ["12:30", "1230", "12:30:00", "T12:30"] {
            assert_eq!(shown(parse_local_time(text)), "12:30:00", "{text}");
        }
        for text in ["12:30:00+0100", "12:30+01", "1230+01:00"] {
            assert_eq!(shown(parse_time(text)), "12:30:00+01:00", "{text}");
        }
        assert_eq!(shown(parse_time("12:30")), "12:30:00Z");
        assert_eq!(shown(parse_local_time("00:00:00.1234567890")), "00:00:00.123456789");
        assert!(parse_local_time("00:00:00.1234567899").is_err(), "it is another time");
        assert!(parse_local_time("12:30Z").is_err() && parse_local_time("24:00").is_err());
    }

    #[test]
    fn a_timestamp_keeps_its_wall_clock_offset_and_zone() {
        for text in ["2000-02-29T12:30:00.25-05:30", "1969-12-31T23:59:59Z"] {
            assert_eq!(shown(parse_datetime(text)), text);
        }
        let berlin = "2020-07-01T12:30:00+02:00[Europe/Berlin]";
        for text in [berlin, "2020-07-01T12:30[Europe/Berlin]", "2020-07-01 12:30[Europe/Berlin]"] {
            assert_eq!(shown(parse_datetime(text)), berlin, "{text}");
        }
        assert_eq!(shown(parse_datetime("2000-02-29T12:30")), "2000-02-29T12:30:00Z");
        assert_eq!(shown(parse_datetime("20000229T1230Z")), "2000-02-29T12:30:00Z");
        assert_eq!(shown(parse_local_datetime("2000-02-29 12:30:00")), "2000-02-29T12:30:00");
        assert!(parse_local_datetime("2000-02-29T12:30Z").is_err());
        assert!(parse_datetime("2000-02-29T24:00:00Z").is_err());
    }

    #[test]
    fn a_zone_that_is_none_is_named() {
        let refused = shown(parse_datetime("2020-01-01T00:00:00[Europe/Atlantis]"));
        assert!(refused.ends_with(": there is no time zone 'Europe/Atlantis'"), "{refused}");
        let refused = shown(parse_datetime("2020-01-01T00:00:00+05:00[Europe/Paris]"));
        assert!(
            refused.ends_with("Europe/Paris does not have that offset at that time"),
            "{refused}"
        );
    }

    #[test]
    fn a_timestamp_without_a_type_has_year_month_and_day() {
        assert_eq!(shown(parse_bare_timestamp("2020-02-29")), "2020-02-29");
        assert_eq!(shown(parse_bare_timestamp("2020-02-29T10:00")), "2020-02-29T10:00:00Z");
        for text in ["2020", "20200229", "2020-02", "2020-W09-6", "2020-060", "1234-5", "x"] {
            assert!(parse_bare_timestamp(text).is_err(), "{text}");
        }
    }

    #[test]
    fn parts_of_durations_stay_apart_and_signs_reach_the_fraction() {
        assert_eq!(shown(parse_duration("P1Y2M3W4DT5H6M7.5S")), "P14M25DT18367.5S");
        assert_eq!(shown(parse_duration("-PT1.25S")), shown(parse_duration("PT-1.25S")));
        assert_eq!(
            shown(parse_duration("PT0.123456789000S")),
            shown(parse_duration("PT0.123456789S"))
        );
        for text in ["", "P", "PT", "1D", "P1", "P1H", "PT1D", "P1D1Y", "PT1.S", "PT0.1234567899S"]
        {
            let found = shown(parse_duration(text));
            assert!(found.starts_with("expected a duration"), "{text}: {found}");
        }
    }
}
