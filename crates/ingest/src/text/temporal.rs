//! Dates and times of ISO 8601, as Neo4j's importer and XML Schema write them. The calendar is the
//! proleptic Gregorian one, so a year may be negative and year 0 exists.

use super::{Moment, Scalar};
use crate::error::excerpt;

const NANOS_A_SECOND: u64 = 1_000_000_000;
const OFFSET_SECONDS_MAX: i32 = 18 * 3600;

/// Days since 1970-01-01 of a civil date (Howard Hinnant's `days_from_civil`).
pub fn days_of(year: i64, month: u32, day: u32) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let month_from_march = i64::from((month + 9) % 12);
    let day_of_year = (153 * month_from_march + 2) / 5 + i64::from(day) - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era * 146_097 + day_of_era - 719_468
}

fn days_in_month(year: i64, month: u32) -> u32 {
    match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

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

    fn year(&mut self) -> Option<i64> {
        let negative = self.take(b'-');
        let _ = !negative && self.take(b'+');
        let year = i64::from(self.digits(4, 9)?);
        Some(if negative { -year } else { year })
    }

    fn month(&mut self) -> Option<u32> {
        self.digits(2, 2).filter(|month| (1..=12).contains(month))
    }

    fn date(&mut self) -> Option<i64> {
        let year = self.year()?;
        if !self.take(b'-') {
            return None;
        }
        let month = self.month()?;
        if !self.take(b'-') {
            return None;
        }
        let day = self.digits(2, 2)?;
        let exists = 1 <= day && day <= days_in_month(year, month);
        exists.then(|| days_of(year, month, day))
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

    fn moment(&mut self) -> Option<Moment> {
        let days = self.date()?;
        let nanos = match self.take(b'T') || self.take(b't') || self.take(b' ') {
            true => self.clock()?,
            false => 0,
        };
        Some(Moment { days, nanos })
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

/// `2020-02-29`, to days since 1970-01-01. An offset (`2020-02-29Z`) is read and not kept.
pub fn parse_date(text: &str) -> Result<i64, String> {
    whole(text, "a date that exists, as 2020-02-29", |reader| {
        let days = reader.date()?;
        reader.offset()?;
        Some(days)
    })
}

/// `1986`, to days since 1970-01-01 of its first of January.
pub fn parse_year(text: &str) -> Result<i64, String> {
    whole(text, "a year, as 1986", |reader| {
        let year = reader.year()?;
        reader.offset()?;
        Some(days_of(year, 1, 1))
    })
}

/// `1986-06`, to days since 1970-01-01 of the month's first.
pub fn parse_year_month(text: &str) -> Result<i64, String> {
    whole(text, "a year and month, as 1986-06", |reader| {
        let year = reader.year()?;
        let month = reader.take(b'-').then(|| reader.month())??;
        reader.offset()?;
        Some(days_of(year, month, 1))
    })
}

/// `12:30:00.25`.
pub fn parse_local_time(text: &str) -> Result<Scalar, String> {
    whole(text, "a time, as 12:30:00", |reader| Some(Scalar::LocalTime(reader.clock()?)))
}

/// `12:30:00+01:00`; UTC where no offset is given.
pub fn parse_time(text: &str) -> Result<Scalar, String> {
    whole(text, "a time with its offset, as 12:30:00+01:00", |reader| {
        let nanos = reader.clock()?;
        Some(Scalar::Time(nanos, reader.offset()?.unwrap_or(0)))
    })
}

/// `2020-02-29T12:30:00`.
pub fn parse_local_datetime(text: &str) -> Result<Scalar, String> {
    whole(text, "a date and time, as 2020-02-29T12:30:00", |reader| {
        Some(Scalar::LocalDateTime(reader.moment()?))
    })
}

/// `2020-02-29T12:30:00+01:00`; UTC where no offset is given.
pub fn parse_datetime(text: &str) -> Result<Scalar, String> {
    whole(text, "a date and time with its offset, as 2020-02-29T12:30:00Z", |reader| {
        let moment = reader.moment()?;
        Some(Scalar::DateTime(moment, reader.offset()?.unwrap_or(0)))
    })
}

/// A date, or a date and time with its offset: what an undeclared value may be.
pub fn parse_bare_moment(text: &str) -> Result<Scalar, String> {
    match parse_date(text) {
        Ok(days) => Ok(Scalar::Date(days)),
        Err(_) => parse_datetime(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_count_from_1970_in_both_directions() {
        assert_eq!(days_of(1970, 1, 1), 0);
        assert_eq!(days_of(2000, 2, 29), 11_016);
        assert_eq!(days_of(1969, 12, 31), -1);
        assert_eq!(days_of(0, 1, 1), -719_528);
        assert_eq!(days_of(-1, 12, 31), -719_529);
    }

    #[test]
    fn a_day_that_never_was_is_refused() {
        for text in ["1900-02-29", "2021-04-31", "2021-00-01", "2021-13-01", "2021-1-1", ""] {
            let refused = parse_date(text);
            assert!(
                refused.is_err_and(|e| e.contains("a date that exists") && e.contains(text)),
                "{text}"
            );
        }
        assert_eq!(parse_date("2000-02-29"), Ok(11_016));
    }

    #[test]
    fn years_and_months_become_their_first_day() {
        assert_eq!(parse_year("1986"), Ok(days_of(1986, 1, 1)));
        assert_eq!(parse_year("-0044"), Ok(days_of(-44, 1, 1)));
        assert_eq!(parse_year_month("1986-06"), Ok(days_of(1986, 6, 1)));
        assert!(parse_year("86").is_err());
        assert!(parse_year_month("1986").is_err());
    }

    #[test]
    fn a_moment_keeps_its_wall_clock_and_offset() {
        let moment = Moment { days: 11_016, nanos: 45_000_250_000_000 };
        assert_eq!(
            parse_datetime("2000-02-29T12:30:00.25-05:30"),
            Ok(Scalar::DateTime(moment, -19_800))
        );
        assert_eq!(parse_datetime("2000-02-29T12:30:00.25"), Ok(Scalar::DateTime(moment, 0)));
        assert_eq!(
            parse_local_datetime("2000-02-29 12:30:00.25"),
            Ok(Scalar::LocalDateTime(moment))
        );
        assert!(parse_local_datetime("2000-02-29T12:30Z").is_err());
        assert!(parse_datetime("2000-02-29T24:00:00Z").is_err());
    }

    #[test]
    fn digits_beyond_nanoseconds_are_cut() {
        assert_eq!(parse_local_time("00:00:00.1234567899"), Ok(Scalar::LocalTime(123_456_789)));
    }

    #[test]
    fn a_named_zone_is_refused_by_name() {
        let refused = parse_datetime("2020-01-01T00:00:00+01:00[Europe/Paris]");
        assert!(refused.is_err_and(|e| e.contains("named time zone")));
    }
}
