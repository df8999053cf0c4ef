//! Timestamps from ISO 8601 text, in the forms that people and clients write, and from seconds.

use super::clock::DateTime;
use super::date::Date;

/// Seconds that an offset may be from UTC: 18 hours, as in Java.
const OFFSET_SECONDS_MAX: i32 = 18 * 3600;

impl DateTime {
    /// Reads a month, a day, or a day with a time; UTC where no offset is said.
    pub fn parse(text: &str) -> Option<DateTime> {
        let mut reader = Reader { rest: text.as_bytes() };
        let negative = reader.take(b'-');
        let years = reader.rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let year = reader.digits(years).filter(|_| (4..=9).contains(&years))?;
        let year = i32::try_from(year).ok()?;
        let month = reader.behind(b'-', 2)?;
        let day = if reader.rest.is_empty() { 1 } else { reader.behind(b'-', 2)? };
        let date = Date::from_civil(if negative { -year } else { year }, month, day)?;
        let time = if reader.rest.is_empty() { Clock::default() } else { reader.clock()? };
        let local = date.days * 86_400 + i64::from(time.seconds);
        let seconds = local - i64::from(time.offset_seconds);
        let nanos = time.nanos;
        Some(DateTime { seconds, nanos, offset_seconds: time.offset_seconds })
    }
}

/// Seconds from 1970 that a timestamp may be away: years of six digits.
const SECONDS_MAX: f64 = 1e14;

impl DateTime {
    /// Reads the formats of [`DateTime::parse`], in UTC; a space before the time, and a `Z` behind
    /// an offset, are passed over.
    pub fn parse_utc(text: &str) -> Option<DateTime> {
        let text = text.trim();
        let (date, time) = text.split_once([' ', 'T', 't']).unwrap_or((text, ""));
        let has_offset = time.len() > 5 && time[1..].contains(['+', '-']);
        let time = if has_offset { time.trim_end_matches(['Z', 'z']) } else { time };
        let parsed = match time {
            "" => DateTime::parse(date),
            time => DateTime::parse(&format!("{date}T{time}")),
        };
        parsed.map(|parsed| DateTime { offset_seconds: 0, ..parsed })
    }

    /// The timestamp so many seconds after 1970, to the microsecond: a double knows no more.
    pub fn from_seconds(seconds: f64) -> Option<DateTime> {
        if !(-SECONDS_MAX..=SECONDS_MAX).contains(&seconds) {
            return None;
        }
        let micros = (seconds.rem_euclid(1.0) * 1e6).round() as u32;
        let seconds = seconds.floor() as i64 + i64::from(micros / 1_000_000);
        Some(DateTime { seconds, nanos: micros % 1_000_000 * 1_000, offset_seconds: 0 })
    }

    /// Midnight, where the day begins, in UTC.
    pub fn at_start_of(date: Date) -> DateTime {
        DateTime { seconds: date.days * 86_400, nanos: 0, offset_seconds: 0 }
    }

    /// Seconds since 1970: the double nearest to them.
    pub fn seconds_as_double(&self) -> f64 {
        if self.nanos == 0 {
            return self.seconds as f64;
        }
        let nanos = i128::from(self.seconds) * 1_000_000_000 + i128::from(self.nanos);
        let (sign, nanos) = (if nanos < 0 { "-" } else { "" }, nanos.unsigned_abs());
        let text = format!("{sign}{}.{:09}", nanos / 1_000_000_000, nanos % 1_000_000_000);
        text.parse().unwrap_or(self.seconds as f64)
    }
}

#[derive(Default)]
struct Clock {
    seconds: u32,
    nanos: u32,
    offset_seconds: i32,
}

struct Reader<'t> {
    rest: &'t [u8],
}

impl Reader<'_> {
    fn take(&mut self, byte: u8) -> bool {
        let found = self.rest.first() == Some(&byte);
        if found {
            self.rest = &self.rest[1..];
        }
        found
    }

    fn digits(&mut self, count: usize) -> Option<u32> {
        let digits = self.rest.get(..count)?;
        self.rest = &self.rest[count..];
        std::str::from_utf8(digits)
            .ok()
            .filter(|_| digits.iter().all(u8::is_ascii_digit))?
            .parse()
            .ok()
    }

    fn behind(&mut self, byte: u8, count: usize) -> Option<u32> {
        if self.take(byte) { self.digits(count) } else { None }
    }

    fn clock(&mut self) -> Option<Clock> {
        if !self.take(b'T') && !self.take(b't') {
            return None;
        }
        let (hour, minute) = (self.digits(2)?, self.behind(b':', 2)?);
        let has_seconds = self.rest.first() == Some(&b':');
        let second = if has_seconds { self.behind(b':', 2)? } else { 0 };
        let nanos = if has_seconds && self.take(b'.') { self.nanos()? } else { 0 };
        if hour > 23 || minute > 59 || second > 59 {
            return None;
        }
        let offset_seconds = self.offset()?;
        Some(Clock { seconds: hour * 3600 + minute * 60 + second, nanos, offset_seconds })
    }

    fn nanos(&mut self) -> Option<u32> {
        let count = self.rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        if !(1..=9).contains(&count) {
            return None;
        }
        Some(self.digits(count)? * 10u32.pow(9 - count as u32))
    }

    /// `Z`, nothing, or hours with or without minutes and seconds, all with colons or none.
    fn offset(&mut self) -> Option<i32> {
        if self.rest.is_empty() || self.rest.eq_ignore_ascii_case(b"Z") {
            return Some(0);
        }
        let negative = self.take(b'-');
        if !negative && !self.take(b'+') {
            return None;
        }
        let mut seconds = self.digits(2)? * 3600;
        let has_colons = self.rest.first() == Some(&b':');
        for unit in [60, 1] {
            if self.rest.is_empty() {
                break;
            }
            let part = if has_colons { self.behind(b':', 2)? } else { self.digits(2)? };
            seconds += part * unit;
        }
        let seconds = i32::try_from(seconds).ok().filter(|_| self.rest.is_empty())?;
        (seconds <= OFFSET_SECONDS_MAX).then_some(if negative { -seconds } else { seconds })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_go_there_and_back() {
        for seconds in
            [0.0, 1_266_161_530.447, -0.5, -1.25, 1_681_475_405.123_456, 253_402_300_799.0]
        {
            let timestamp = DateTime::from_seconds(seconds).unwrap();
            assert_eq!(timestamp.seconds_as_double(), seconds, "{timestamp}");
        }
        assert_eq!(DateTime::from_seconds(1.999_999_9).unwrap().seconds, 2);
        for none in [f64::NAN, f64::INFINITY, 1e15, -1e15] {
            assert_eq!(DateTime::from_seconds(none), None);
        }
    }

    #[test]
    fn texts_of_rage_db_are_read_in_utc() {
        for text in [
            "2010-02-14T15:32:10.447+0000",
            "2010-02-14T15:32:10.447+0000Z",
            "2010-02-14 15:32:10.447",
            " 2010-02-14T16:32:10.447+01:00 ",
            "2010-02-14T15:32:10.447Z",
        ] {
            let read = DateTime::parse_utc(text).map(|read| read.to_string());
            assert_eq!(read.as_deref(), Some("2010-02-14T15:32:10.447Z"), "{text}");
        }
        assert_eq!(DateTime::parse_utc("2010-02-14").unwrap().seconds, 1_266_105_600);
        for text in ["", "tomorrow", "2010-02-30", "2010-02-14Z", "2010-02-14T", "é T 12:00+é"] {
            let known = text == "2010-02-14T";
            assert_eq!(DateTime::parse_utc(text).is_some(), known, "{text}");
        }
    }

    #[test]
    fn timestamps_are_read_in_all_their_forms() {
        for (text, shown) in [
            ("2018-03", "2018-03-01T00:00:00Z"),
            ("2018-03-22", "2018-03-22T00:00:00Z"),
            ("2018-03-22T00:35:44", "2018-03-22T00:35:44Z"),
            ("2018-03-22t00:35z", "2018-03-22T00:35:00Z"),
            ("2018-03-22T00:35:44.741Z", "2018-03-22T00:35:44.741Z"),
            ("2018-03-22T00:35:44.741+1600", "2018-03-22T00:35:44.741+16:00"),
            ("2018-03-22T00:35:44-05:30", "2018-03-22T00:35:44-05:30"),
            ("2018-03-22T00:35:44+16:00:00", "2018-03-22T00:35:44+16:00"),
            ("-0044-03-15", "-0044-03-15T00:00:00Z"),
        ] {
            let found = DateTime::parse(text).unwrap_or_else(|| panic!("{text} reads"));
            assert_eq!(found.to_string(), shown, "{text}");
        }
        for bad in [
            "",
            "18-03-22",
            "2018-3-22",
            "2018-02-30",
            "2018-03-22T24:00",
            "2018-03-22 10:00",
            "2018-03-22T10",
            "2018-03-22T10:00+19:00",
            "2018-03-22T10:00+1x",
            "2018-03-22T10:00:00.Z",
            "２０１８-03",
        ] {
            assert!(DateTime::parse(bad).is_none(), "{bad}");
        }
    }
}
