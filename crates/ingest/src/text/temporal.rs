//! Dates and times of ISO 8601, as Neo4j's importer and XML Schema write them. The calendar is the
//! proleptic Gregorian one, so a year may be negative and year 0 exists.

use crate::error::excerpt;
use millrace_model::Value;
use millrace_model::temporal::{Date, DateTime, Time};

const NANOS_A_SECOND: u64 = 1_000_000_000;
const SECONDS_A_DAY: i64 = 86_400;
/// Digits of the greatest year of a [`Date`].
const YEAR_DIGITS_MAX: usize = 9;
const OFFSET_SECONDS_MAX: i32 = 18 * 3600;

/// Text that is consumed from the left.
struct Reader<'a> {
    rest: &'a [u8],
}

impl Reader<'_> {
    fn take(&mut self, byte: u8) -> bool {
        match self.rest.split_first() {
            Some((first, rest)) if *first == byte => {
                self.rest = rest;
                true
            }
            _ => false,
        }
    }

    /// Between `min` and `max` digits.
    fn digits(&mut self, min: usize, max: usize) -> Option<u32> {
        let length = self.rest.iter().take(max).take_while(|b| b.is_ascii_digit()).count();
        if length < min {
            return None;
        }
        let (digits, rest) = self.rest.split_at(length);
        self.rest = rest;
        Some(digits.iter().fold(0, |sum, digit| sum * 10 + u32::from(digit - b'0')))
    }

    fn year(&mut self) -> Option<i32> {
        let negative = self.take(b'-');
        let _ = !negative && self.take(b'+');
        let year = i32::try_from(self.digits(4, YEAR_DIGITS_MAX)?).ok()?;
        Some(if negative { -year } else { year })
    }

    fn month(&mut self) -> Option<u32> {
        self.digits(2, 2).filter(|month| (1..=12).contains(month))
    }

    fn date(&mut self) -> Option<Date> {
        let year = self.year()?;
        if !self.take(b'-') {
            return None;
        }
        let month = self.month()?;
        if !self.take(b'-') {
            return None;
        }
        Date::from_civil(year, month, self.digits(2, 2)?)
    }

    /// `hh:mm[:ss[.fraction]]` in nanoseconds since midnight.
    fn clock(&mut self) -> Option<u64> {
        let hour = self.digits(2, 2).filter(|hour| *hour < 24)?;
        if !self.take(b':') {
            return None;
        }
        let minute = self.digits(2, 2).filter(|minute| *minute < 60)?;
        let mut nanos = u64::from(hour * 3600 + minute * 60) * NANOS_A_SECOND;
        if self.take(b':') {
            let second = self.digits(2, 2).filter(|second| *second < 60)?;
            nanos += u64::from(second) * NANOS_A_SECOND;
            if self.take(b'.') || self.take(b',') {
                nanos += self.fraction()?;
            }
        }
        Some(nanos)
    }

    fn fraction(&mut self) -> Option<u64> {
        let length = self.rest.iter().take_while(|b| b.is_ascii_digit()).count();
        let value = u64::from(self.digits(1, 9)?);
        let scale = 10_u64.pow(9 - u32::try_from(length.min(9)).ok()?);
        self.rest = &self.rest[length.saturating_sub(9)..];
        Some(value * scale)
    }

    /// `Z`, `+hh`, `+hhmm`, `+hh:mm` in seconds east of UTC; nothing is `None` inside.
    fn offset(&mut self) -> Option<Option<i32>> {
        if self.take(b'Z') || self.take(b'z') {
            return Some(Some(0));
        }
        let sign = match self.rest.first() {
            Some(b'+') => 1,
            Some(b'-') => -1,
            _ => return Some(None),
        };
        self.rest = &self.rest[1..];
        let hours = self.digits(2, 2)?;
        let colon = self.take(b':');
        let minutes = if colon || !self.rest.is_empty() { self.digits(2, 2)? } else { 0 };
        let seconds = i32::try_from(hours * 3600 + minutes * 60).ok()?;
        (minutes < 60 && seconds <= OFFSET_SECONDS_MAX).then_some(Some(sign * seconds))
    }

    /// A timestamp by the wall clock, as if in UTC.
    fn timestamp(&mut self) -> Option<DateTime> {
        let midnight = self.date()?.days * SECONDS_A_DAY;
        let clock = match self.take(b'T') || self.take(b't') || self.take(b' ') {
            true => self.clock()?,
            false => 0,
        };
        let seconds = midnight + i64::try_from(clock / NANOS_A_SECOND).ok()?;
        let nanos = u32::try_from(clock % NANOS_A_SECOND).ok()?;
        Some(DateTime { seconds, nanos, offset_seconds: DateTime::LOCAL })
    }
}

/// Runs a reader over the whole text.
fn whole<T>(
    text: &str,
    expected: &str,
    read: impl FnOnce(&mut Reader<'_>) -> Option<T>,
) -> Result<T, String> {
    let mut reader = Reader { rest: text.as_bytes() };
    let value = read(&mut reader).filter(|_| reader.rest.is_empty());
    value.ok_or_else(|| {
        let zone = match text.contains('[') {
            true => " (a named time zone is not supported: write its offset)",
            false => "",
        };
        format!("expected {expected}, found '{}'{zone}", excerpt(text))
    })
}

/// `2020-02-29`. An offset (`2020-02-29Z`) is read and not kept.
pub fn parse_date(text: &str) -> Result<Value, String> {
    whole(text, "a date that exists, as 2020-02-29", |reader| {
        let date = reader.date()?;
        reader.offset()?;
        Some(Value::Date(date))
    })
}

/// `1986`: its first of January.
pub fn parse_year(text: &str) -> Result<Value, String> {
    whole(text, "a year, as 1986", |reader| {
        let year = reader.year()?;
        reader.offset()?;
        Date::from_civil(year, 1, 1).map(Value::Date)
    })
}

/// `1986-06`: the month's first.
pub fn parse_year_month(text: &str) -> Result<Value, String> {
    whole(text, "a year and month, as 1986-06", |reader| {
        let year = reader.year()?;
        let month = reader.take(b'-').then(|| reader.month())??;
        reader.offset()?;
        Date::from_civil(year, month, 1).map(Value::Date)
    })
}

/// `12:30:00.25`.
pub fn parse_local_time(text: &str) -> Result<Value, String> {
    whole(text, "a time, as 12:30:00", |reader| {
        Some(Value::Time(Time { nanos: reader.clock()?, offset_seconds: None }))
    })
}

/// `12:30:00+01:00`; UTC where no offset is given.
pub fn parse_time(text: &str) -> Result<Value, String> {
    whole(text, "a time with its offset, as 12:30:00+01:00", |reader| {
        let nanos = reader.clock()?;
        let offset_seconds = Some(reader.offset()?.unwrap_or(0));
        Some(Value::Time(Time { nanos, offset_seconds }))
    })
}

/// `2020-02-29T12:30:00`.
pub fn parse_local_datetime(text: &str) -> Result<Value, String> {
    whole(text, "a date and time, as 2020-02-29T12:30:00", |reader| {
        Some(Value::DateTime(reader.timestamp()?))
    })
}

/// `2020-02-29T12:30:00+01:00`; UTC where no offset is given.
pub fn parse_datetime(text: &str) -> Result<Value, String> {
    whole(text, "a date and time with its offset, as 2020-02-29T12:30:00Z", |reader| {
        let wall = reader.timestamp()?;
        let offset_seconds = reader.offset()?.unwrap_or(0);
        let seconds = wall.seconds - i64::from(offset_seconds);
        Some(Value::DateTime(DateTime { seconds, offset_seconds, ..wall }))
    })
}

/// A date, or a date and time with its offset: the forms of a timestamp without a declared type.
pub fn parse_bare_timestamp(text: &str) -> Result<Value, String> {
    parse_date(text).or_else(|_| parse_datetime(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(read: Result<Value, String>) -> String {
        match read {
            Ok(Value::Date(date)) => date.to_string(),
            Ok(Value::Time(time)) => time.to_string(),
            Ok(Value::DateTime(timestamp)) => timestamp.to_string(),
            Ok(other) => panic!("no timestamp: {other:?}"),
            Err(detail) => detail,
        }
    }

    #[test]
    fn a_day_that_never_was_is_refused() {
        for text in ["1900-02-29", "2021-04-31", "2021-00-01", "2021-13-01", "2021-1-1", ""] {
            let expected = format!("expected a date that exists, as 2020-02-29, found '{text}'");
            assert_eq!(shown(parse_date(text)), expected);
        }
        assert_eq!(shown(parse_date("2000-02-29")), "2000-02-29");
    }

    #[test]
    fn years_and_months_become_their_first_day() {
        assert_eq!(shown(parse_year("1986")), "1986-01-01");
        assert_eq!(parse_year("-0044").ok(), Date::from_civil(-44, 1, 1).map(Value::Date));
        assert_eq!(shown(parse_year_month("1986-06")), "1986-06-01");
        assert!(parse_year("86").is_err());
        assert!(parse_year_month("1986").is_err());
    }

    #[test]
    fn a_timestamp_keeps_its_wall_clock_and_offset() {
        for text in ["2000-02-29T12:30:00.25-05:30", "1969-12-31T23:59:59Z"] {
            assert_eq!(shown(parse_datetime(text)), text);
        }
        assert_eq!(shown(parse_datetime("2000-02-29T12:30")), "2000-02-29T12:30:00Z");
        assert_eq!(shown(parse_local_datetime("2000-02-29 12:30:00")), "2000-02-29T12:30:00");
        assert_eq!(shown(parse_time("12:30:00+0100")), "12:30:00+01:00");
        assert!(parse_local_datetime("2000-02-29T12:30Z").is_err());
        assert!(parse_datetime("2000-02-29T24:00:00Z").is_err());
    }

    #[test]
    fn digits_beyond_nanoseconds_are_cut() {
        assert_eq!(shown(parse_local_time("00:00:00.1234567899")), "00:00:00.123456789");
    }

    #[test]
    fn a_named_zone_is_refused_by_name() {
        let refused = shown(parse_datetime("2020-01-01T00:00:00+01:00[Europe/Paris]"));
        assert!(refused.contains("a named time zone is not supported"), "{refused}");
    }
}
