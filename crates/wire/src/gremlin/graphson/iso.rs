//! ISO 8601 text of days, times, timestamps and durations, as Java's `toString` and `parse` have
//! it.
//!
//! Fractions are written in groups of three digits, which every driver reads. Invariant: the text of a
//! timestamp is in local time, its value in UTC.

use millrace_model::temporal::{Date, DateTime, Duration, Time};

use super::super::graphbinary::temporal::has_date;

const SECOND_NANOS: i128 = 1_000_000_000;

/// The text with its fraction padded to 3, 6 or 9 digits.
pub(crate) fn padded(text: &str) -> String {
    let Some((before, behind)) = text.split_once('.') else { return text.to_owned() };
    let digits = behind.bytes().take_while(u8::is_ascii_digit).count();
    let zeros = "0".repeat(digits.next_multiple_of(3) - digits);
    format!("{before}.{}{zeros}{}", &behind[..digits], &behind[digits..])
}

/// The text of a timestamp, if it is near enough to have a date; an offset with seconds has no
/// text, so UTC stands for it.
pub(crate) fn timestamp(timestamp: DateTime) -> Option<String> {
    let is_local = timestamp.offset_seconds == DateTime::LOCAL;
    if !is_local && timestamp.offset_seconds % 60 != 0 {
        return self::timestamp(DateTime { offset_seconds: 0, ..timestamp });
    }
    has_date(timestamp).then(|| padded(&timestamp.to_string()))
}

/// The text of a duration without months; none if it has more seconds than 64 bits.
pub(crate) fn duration(duration: &Duration) -> Option<String> {
    let whole = i128::from(duration.whole_seconds()?);
    let total = whole * SECOND_NANOS + i128::from(duration.nanos);
    let sign = if total < 0 { "-" } else { "" };
    let (whole, part) = (total.abs() / SECOND_NANOS, total.abs() % SECOND_NANOS);
    Some(match part {
        0 => format!("PT{sign}{whole}S"),
        part => padded(&format!("PT{sign}{whole}.{}S", format!("{part:09}").trim_end_matches('0'))),
    })
}

/// A text, eaten from its front.
struct Rest<'a>(&'a str);

impl Rest<'_> {
    fn eat(&mut self, character: char) -> Option<()> {
        self.0 = self.0.strip_prefix(character)?;
        Some(())
    }

    fn ate(&mut self, character: char) -> bool {
        self.eat(character).is_some()
    }

    /// So many digits.
    fn digits(&mut self, count: usize) -> Option<u32> {
        let digits = self.0.get(..count).filter(|text| text.bytes().all(|b| b.is_ascii_digit()))?;
        self.0 = &self.0[count..];
        digits.parse().ok()
    }

    /// A number with any sign, of 64 bits.
    fn number(&mut self) -> Option<i64> {
        let signed = usize::from(self.0.starts_with(['-', '+']));
        let digits = self.0[signed..].bytes().take_while(u8::is_ascii_digit).count();
        let (number, rest) = self.0.split_at(signed + digits);
        let number = number.parse().ok()?;
        self.0 = rest;
        Some(number)
    }

    /// The nanoseconds of `.5`, if there is a point.
    fn fraction(&mut self) -> Option<u32> {
        if !self.ate('.') {
            return Some(0);
        }
        let count = self.0.bytes().take_while(u8::is_ascii_digit).count();
        let digits = self.0.get(..count).filter(|_| (1..=9).contains(&count))?;
        self.0 = &self.0[count..];
        format!("{digits:0<9}").parse().ok()
    }

    fn date(&mut self) -> Option<Date> {
        let sign = if self.ate('-') { -1 } else { 1 };
        self.ate('+');
        let digits = self.0.bytes().take_while(u8::is_ascii_digit).count();
        let year = i32::try_from(self.digits(digits.clamp(4, 9))?).ok()?;
        self.eat('-')?;
        let month = self.digits(2)?;
        self.eat('-')?;
        Date::from_civil(sign * year, month, self.digits(2)?)
    }

    /// Nanoseconds since midnight.
    fn clock(&mut self) -> Option<u64> {
        let hour = self.digits(2).filter(|hour| *hour < 24)?;
        self.eat(':')?;
        let minute = self.digits(2).filter(|minute| *minute < 60)?;
        let (mut second, mut nanos) = (0, 0);
        if self.ate(':') {
            second = self.digits(2).filter(|second| *second < 60)?;
            nanos = self.fraction()?;
        }
        let seconds = u64::from(hour * 3_600 + minute * 60 + second);
        Some(seconds * SECOND_NANOS as u64 + u64::from(nanos))
    }

    /// Seconds east of UTC; the name of a zone behind it is passed over.
    fn offset(&mut self) -> Option<i32> {
        if self.ate('Z') {
            return Some(0);
        }
        let sign = if self.ate('-') { -1 } else { self.eat('+').map(|()| 1)? };
        let mut seconds = self.digits(2).filter(|hours| *hours <= 18)? * 3_600;
        for unit in [60, 1] {
            if self.ate(':') {
                seconds += self.digits(2).filter(|part| *part < 60)? * unit;
            }
        }
        i32::try_from(seconds).ok().map(|seconds| sign * seconds)
    }

    fn timestamp(&mut self) -> Option<DateTime> {
        let date = self.date()?;
        self.eat('T')?;
        let clock = self.clock()?;
        let seconds = date.days * 86_400 + (clock / SECOND_NANOS as u64) as i64;
        let nanos = (clock % SECOND_NANOS as u64) as u32;
        Some(DateTime { seconds, nanos, offset_seconds: DateTime::LOCAL })
    }

    fn end<T>(&self, found: T) -> Option<T> {
        self.0.is_empty().then_some(found)
    }
}

/// A day: `2024-02-29`.
pub(crate) fn parse_date(text: &str) -> Option<Date> {
    let mut rest = Rest(text);
    let date = rest.date()?;
    rest.end(date)
}

/// A time of day, with an offset or without: `12:30:45.5+01:00`.
pub(crate) fn parse_time(text: &str) -> Option<Time> {
    let mut rest = Rest(text);
    let nanos = rest.clock()?;
    let offset_seconds = if rest.0.is_empty() { None } else { Some(rest.offset()?) };
    rest.end(Time { nanos, offset_seconds })
}

/// A timestamp, with an offset or without: `2024-02-29T12:30:15.123+05:30`.
pub(crate) fn parse_timestamp(text: &str) -> Option<DateTime> {
    // The name of a zone says no more than the offset before it.
    let mut rest = Rest(text.split_once('[').map_or(text, |(timestamp, _)| timestamp));
    let local = rest.timestamp()?;
    if rest.0.is_empty() {
        return Some(local);
    }
    let offset_seconds = rest.offset()?;
    rest.end(DateTime {
        seconds: local.seconds - i64::from(offset_seconds),
        offset_seconds,
        ..local
    })
}

/// A duration or a period: `PT1H30M`, `P1Y6M15D`, `P5D`, `PT-0.5S`.
pub(crate) fn parse_duration(text: &str) -> Option<Duration> {
    let negative = text.starts_with('-');
    let mut rest = Rest(text.strip_prefix('-').unwrap_or(text));
    rest.eat('P')?;
    let mut found = Duration { months: 0, days: 0, seconds: 0, nanos: 0 };
    let mut nanos = 0i128;
    let mut is_clock = rest.ate('T');
    loop {
        let below = rest.0.starts_with('-');
        let number = rest.number()?;
        let part = i128::from(rest.fraction()?);
        let sign = if negative { -1 } else { 1 };
        let unit = rest.0.chars().next()?;
        rest.eat(unit)?;
        let times = |unit: i64| number.checked_mul(unit * sign);
        let (into, unit) = match (is_clock, unit) {
            (false, 'Y') => (&mut found.months, 12),
            (false, 'M') => (&mut found.months, 1),
            (false, 'W') => (&mut found.days, 7),
            (false, 'D') => (&mut found.days, 1),
            (true, 'H') => (&mut found.seconds, 3_600),
            (true, 'M') => (&mut found.seconds, 60),
            (true, 'S') => (&mut found.seconds, 1),
            _ => return None,
        };
        *into = into.checked_add(times(unit)?)?;
        if part != 0 {
            let is_seconds = is_clock && unit == 1;
            nanos = if below { -part } else { part } * i128::from(sign);
            is_seconds.then_some(())?;
        }
        if rest.0.is_empty() {
            break;
        }
        is_clock = is_clock || rest.ate('T');
    }
    found.seconds =
        found.seconds.checked_add(i64::try_from(nanos.div_euclid(SECOND_NANOS)).ok()?)?;
    found.nanos = nanos.rem_euclid(SECOND_NANOS) as u32;
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timestamps_go_there_and_back() {
        for text in [
            "2024-02-29T12:30:15.123456+05:30",
            "1969-12-31T23:59:59Z",
            "0001-01-01T00:00:00-18:00",
            "-0044-03-15T10:00:00.500",
        ] {
            assert_eq!(timestamp(parse_timestamp(text).expect(text)).as_deref(), Some(text));
        }
        let zoned =
            parse_timestamp("2016-12-23T12:12:24.000000036+02:00[GMT+02:00]").expect("a timestamp");
        assert_eq!(timestamp(zoned).as_deref(), Some("2016-12-23T12:12:24.000000036+02:00"));
        assert_eq!(timestamp(DateTime { seconds: i64::MAX, ..zoned }), None);
        assert_eq!(parse_timestamp("2016-10-30T06:30Z").expect("no seconds").nanos, 0);
        for text in
            ["", "2024-02-30T00:00Z", "2024-01-01", "2024-01-01T24:00Z", "2024-01-01T00:00+19:00"]
        {
            assert_eq!(parse_timestamp(text), None, "{text}");
        }
    }

    #[test]
    fn durations_go_there_and_back() {
        for text in [
            "PT0S",
            "PT120H",
            "PT1H1M1.000005S",
            "PT-0.5S",
            "P1Y6M15D",
            "P5D",
            "-PT2S",
            "P2DT3H",
            "PT977570003366400H",
            "PT9223372036854775807.999999999S",
            "PT-9223372036854775807.5S",
        ] {
            let found = parse_duration(text).expect(text);
            if found.months == 0 {
                assert_eq!(
                    duration(&found).and_then(|text| parse_duration(&text)).map(total),
                    Some(total(found)),
                    "{text}"
                );
            }
        }
        let wide = parse_duration("P106751991167301D").expect("days of 64 bits");
        assert_eq!(duration(&wide), None, "its seconds have no room");
        let half = parse_duration("PT-0.5S").expect("half a second");
        assert_eq!((half.seconds, half.nanos), (-1, 500_000_000));
        assert_eq!(duration(&half).as_deref(), Some("PT-0.500S"));
        assert_eq!(
            parse_duration("P1Y6M15D").map(|found| (found.months, found.days)),
            Some((18, 15))
        );
        for text in [
            "",
            "P",
            "PT",
            "5D",
            "PT5",
            "P1.5D",
            "PT5D",
            "P1DT",
            "PT1ST1S",
            "P99999999999999999999D",
        ] {
            assert_eq!(parse_duration(text), None, "{text}");
        }
    }

    fn total(duration: Duration) -> (i64, u32) {
        (duration.days * 86_400 + duration.seconds, duration.nanos)
    }
}
