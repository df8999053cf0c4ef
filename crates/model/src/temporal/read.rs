//! Temporal values from ISO 8601 text, in basic form (`20150721T2140`) and extended form (`2015-07-21T21:40`).
//!
//! A day is written by month, week (`2015-W30-2`), quarter (`2015-Q3-21`) or day of the year (`2015-202`);
//! parts that are left out are the first. A year of other than four digits wants a sign and dashes.

use super::failures::bad;
use super::parts::{SECOND_NANOS, TemporalKind, TemporalParts, ZoneId};
use crate::calendar::zones::Offsets;
use crate::calendar::{Date, zones};
use crate::errors::error::{Error, Result};

/// Seconds that an offset may be from UTC: 18 hours, as in Java.
const OFFSET_SECONDS_MAX: i32 = 18 * 3_600;

/// The temporal value that a text names. Without a zone it is in the default one.
pub(super) fn read(kind: TemporalKind, text: &str, default: &ZoneId) -> Result<TemporalParts> {
    let mut reader = Reader { rest: text };
    let parts = parts(kind, &mut reader).filter(|_| reader.rest.is_empty());
    let (date, nanos, zone) = parts.ok_or_else(|| unreadable(kind, text))?;
    let date = match date {
        Some(parts) => Some(
            parts.date().ok_or_else(|| bad(format!("there is no such day: '{}'", shown(text))))?,
        ),
        None => None,
    };
    match (kind, zone) {
        (TemporalKind::Date, _) => Ok(TemporalParts { date, nanos: None, zone: None }),
        (TemporalKind::LocalTime | TemporalKind::LocalDateTime, _) => {
            Ok(TemporalParts { date, nanos: Some(nanos), zone: None })
        }
        (TemporalKind::Time, ZoneText { name: Some(_), .. }) => {
            Err(bad("a time without a day has no named zone")
                .with_help("write its offset, as +01:00"))
        }
        (TemporalKind::Time, ZoneText { offset, .. }) => {
            let id = offset.map_or(default.clone(), ZoneId::Offset);
            Ok(TemporalParts { date: None, nanos: Some(nanos), zone: Some(id.at(0)?) })
        }
        (TemporalKind::DateTime, zone) => {
            let date = date.ok_or_else(|| unreadable(kind, text))?;
            in_zone(date, nanos, &zone, default)
        }
    }
}

/// A zone as a map or an argument has it: an offset, or a name.
pub(super) fn read_zone(text: &str) -> Result<ZoneId> {
    let mut reader = Reader { rest: text };
    match reader.offset().filter(|_| reader.rest.is_empty()) {
        Some(offset) => Ok(ZoneId::Offset(offset)),
        None => ZoneId::named(text),
    }
}

impl ZoneId {
    /// The zone of a text: an offset as `+01:00`, or a name that IANA has.
    pub fn read(text: &str) -> Result<ZoneId> {
        read_zone(text)
    }
}

fn in_zone(date: Date, nanos: u64, zone: &ZoneText<'_>, default: &ZoneId) -> Result<TemporalParts> {
    let Some(name) = zone.name else {
        let id = zone.offset.map_or(default.clone(), ZoneId::Offset);
        return TemporalParts::in_zone(date, nanos, &id, None);
    };
    let id = ZoneId::named(name)?;
    if let (Some(offset), ZoneId::Named(name)) = (zone.offset, &id) {
        let wall = date.days * 86_400 + (nanos / SECOND_NANOS) as i64;
        let agrees = match zones::offsets_of(name, wall) {
            Some(Offsets::One(only)) => offset == only,
            Some(Offsets::Twice { first, second }) => offset == first || offset == second,
            Some(Offsets::Skipped { .. }) | None => false,
        };
        if !agrees {
            return Err(bad(format!("{name} does not have that offset at that time"))
                .with_help("leave the offset out, or the name of the zone"));
        }
    }
    TemporalParts::in_zone(date, nanos, &id, zone.offset)
}

fn unreadable(kind: TemporalKind, text: &str) -> Error {
    let example = match kind {
        TemporalKind::Date => "2015-07-21",
        TemporalKind::LocalTime => "21:40:32.142",
        TemporalKind::Time => "21:40:32.142+01:00",
        TemporalKind::LocalDateTime => "2015-07-21T21:40:32.142",
        TemporalKind::DateTime => "2015-07-21T21:40:32.142+02:00[Europe/Stockholm]",
    };
    bad(format!("'{}' is not a {}", shown(text), kind.name()))
        .with_help(format!("a {} is written as {example}", kind.name()))
}

/// The beginning of a text, for a message.
fn shown(text: &str) -> String {
    text.chars().take(60).collect()
}

type Parts<'t> = (Option<DateText>, u64, ZoneText<'t>);

fn parts<'t>(kind: TemporalKind, reader: &mut Reader<'t>) -> Option<Parts<'t>> {
    let date = if kind.has_date() { Some(reader.date()?) } else { None };
    let has_clock = match date {
        Some(_) => kind.has_clock() && (reader.take('T') || reader.take('t')),
        None => {
            let _ = reader.take('T') || reader.take('t');
            true
        }
    };
    let nanos = if has_clock { Clock::read(reader)?.nanos } else { 0 };
    let zone = if has_clock && kind.has_zone() { reader.zone()? } else { ZoneText::default() };
    Some((date, nanos, zone))
}

/// A day as it is written.
enum DateText {
    Month { year: i64, month: i64, day: i64 },
    Week { year: i64, week: i64, weekday: i64 },
    Quarter { year: i64, quarter: i64, day: i64 },
    Ordinal { year: i64, day: i64 },
}

impl DateText {
    fn date(&self) -> Option<Date> {
        match *self {
            DateText::Month { year, month, day } => Date::from_numbers(year, month, day),
            DateText::Week { year, week, weekday } => Date::from_week(year, week, weekday),
            DateText::Quarter { year, quarter, day } => Date::from_quarter(year, quarter, day),
            DateText::Ordinal { year, day } => Date::from_ordinal(year, day),
        }
    }
}

/// A zone behind a time: an offset, a name in brackets, or both.
#[derive(Default)]
struct ZoneText<'t> {
    offset: Option<i32>,
    name: Option<&'t str>,
}

/// A time of day.
pub(super) struct Clock {
    /// Nanoseconds since midnight.
    pub(super) nanos: u64,
}

impl Clock {
    /// A time of day and nothing else.
    pub(super) fn read_whole(text: &str) -> Option<Clock> {
        let mut reader = Reader { rest: text };
        Clock::read(&mut reader).filter(|_| reader.rest.is_empty())
    }

    /// Hours, perhaps minutes, seconds and a fraction, with colons or without.
    fn read(reader: &mut Reader<'_>) -> Option<Clock> {
        let digits = reader.digit_count();
        let hour = reader.number(if digits == 1 { 1..=1 } else { 2..=2 })?;
        let has_colons = reader.rest.starts_with(':');
        let next = |reader: &mut Reader<'_>| match has_colons {
            true if reader.take(':') => reader.number(1..=2).map(Some),
            false if reader.digit_count() > 0 => reader.number(2..=2).map(Some),
            _ => Some(None),
        };
        let minute = next(reader)?;
        let second = if minute.is_some() { next(reader)? } else { None };
        let has_fraction = second.is_some() && (reader.take('.') || reader.take(','));
        let fraction = if has_fraction { reader.fraction()? } else { 0 };
        let (minute, second) = (minute.unwrap_or(0), second.unwrap_or(0));
        if hour > 23 || minute > 59 || second > 59 {
            return None;
        }
        let seconds = (hour * 3_600 + minute * 60 + second) as u64;
        Some(Clock { nanos: seconds * SECOND_NANOS + fraction })
    }
}

struct Reader<'t> {
    rest: &'t str,
}

impl<'t> Reader<'t> {
    fn take(&mut self, letter: char) -> bool {
        let rest = self.rest.strip_prefix(letter);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn digit_count(&self) -> usize {
        self.rest.bytes().take_while(u8::is_ascii_digit).count()
    }

    /// A number of as many digits as there are, up to the most.
    fn number(&mut self, digits: std::ops::RangeInclusive<usize>) -> Option<i64> {
        let count = self.digit_count().min(*digits.end());
        if !digits.contains(&count) {
            return None;
        }
        let (number, rest) = self.rest.split_at(count);
        self.rest = rest;
        number.parse().ok()
    }

    /// Up to nine digits behind a point, as nanoseconds.
    fn fraction(&mut self) -> Option<u64> {
        let count = self.digit_count();
        let fraction = self.number(1..=9)?;
        let scale = 10u64.pow(9u32.checked_sub(u32::try_from(count).ok()?)?);
        Some(fraction as u64 * scale)
    }

    fn date(&mut self) -> Option<DateText> {
        let is_negative = self.rest.starts_with('-');
        let is_signed = is_negative || self.rest.starts_with('+');
        if is_signed {
            self.rest = &self.rest[1..];
            let year = self.number(1..=9)?;
            return self.extended(if is_negative { -year } else { year });
        }
        let digits = self.digit_count();
        let year = self.number(4..=4)?;
        match (digits, self.rest.chars().next()) {
            (4, Some('W' | 'Q' | 'w' | 'q')) | (5.., _) => self.basic(year, digits - 4),
            (4, _) => self.extended(year),
            _ => None,
        }
    }

    /// The rest of a day behind its year, without dashes; `digits` is the number of digits there.
    fn basic(&mut self, year: i64, digits: usize) -> Option<DateText> {
        if self.take('W') || self.take('w') {
            let week = self.number(2..=2)?;
            let weekday = if self.digit_count() > 0 { self.number(1..=1)? } else { 1 };
            return Some(DateText::Week { year, week, weekday });
        }
        if self.take('Q') || self.take('q') {
            let quarter = self.number(1..=1)?;
            let day = if self.digit_count() > 0 { self.number(2..=2)? } else { 1 };
            return Some(DateText::Quarter { year, quarter, day });
        }
        match digits {
            2 => Some(DateText::Month { year, month: self.number(2..=2)?, day: 1 }),
            3 => Some(DateText::Ordinal { year, day: self.number(3..=3)? }),
            4 => {
                let month = self.number(2..=2)?;
                Some(DateText::Month { year, month, day: self.number(2..=2)? })
            }
            _ => None,
        }
    }

    /// The rest of a day behind its year, with dashes.
    fn extended(&mut self, year: i64) -> Option<DateText> {
        if !self.take('-') {
            return Some(DateText::Month { year, month: 1, day: 1 });
        }
        if self.take('W') || self.take('w') {
            let week = self.number(1..=2)?;
            let weekday = if self.take('-') { self.number(1..=1)? } else { 1 };
            return Some(DateText::Week { year, week, weekday });
        }
        if self.take('Q') || self.take('q') {
            let quarter = self.number(1..=1)?;
            let day = if self.take('-') { self.number(1..=2)? } else { 1 };
            return Some(DateText::Quarter { year, quarter, day });
        }
        if self.digit_count() == 3 {
            return Some(DateText::Ordinal { year, day: self.number(3..=3)? });
        }
        let month = self.number(1..=2)?;
        let day = if self.take('-') { self.number(1..=2)? } else { 1 };
        Some(DateText::Month { year, month, day })
    }

    fn zone(&mut self) -> Option<ZoneText<'t>> {
        let has_offset = self.rest.starts_with(['Z', 'z', '+', '-']);
        let offset = if has_offset { Some(self.offset()?) } else { None };
        if !self.take('[') {
            return Some(ZoneText { offset, name: None });
        }
        let (name, rest) = self.rest.split_once(']')?;
        self.rest = rest;
        Some(ZoneText { offset, name: Some(name) })
    }

    /// `Z`, or hours with or without minutes and seconds, all with colons or none.
    fn offset(&mut self) -> Option<i32> {
        if self.take('Z') || self.take('z') {
            return Some(0);
        }
        let is_negative = self.take('-');
        if !is_negative && !self.take('+') {
            return None;
        }
        let mut seconds = self.number(2..=2)? * 3_600;
        let has_colons = self.rest.starts_with(':');
        for unit in [60, 1] {
            let part = match has_colons {
                true if self.take(':') => self.number(2..=2)?,
                false if self.digit_count() > 0 => self.number(2..=2)?,
                _ => break,
            };
            if part > 59 {
                return None;
            }
            seconds += part * unit;
        }
        let seconds = i32::try_from(seconds).ok().filter(|it| *it <= OFFSET_SECONDS_MAX)?;
        Some(if is_negative { -seconds } else { seconds })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::temporal::iso::{Seconds, parts_text};

    fn check(kind: TemporalKind, rows: &[(&str, &str)]) {
        for (text, shown) in rows {
            let read = read(kind, text, &ZoneId::UTC);
            let read = read.map(|parts| parts_text(&parts, Seconds::IfAny));
            assert_eq!(read.as_deref(), Ok(*shown), "{text}");
        }
    }

    fn refuse(kind: TemporalKind, texts: &[&str]) {
        for text in texts {
            read(kind, text, &ZoneId::UTC).expect_err(text);
        }
    }

    #[test]
    fn days_are_read_by_every_calendar() {
        let rows = [
            ("2024-02-29", "2024-02-29"),
            ("20240229", "2024-02-29"),
            ("2024-2-9", "2024-02-09"),
            ("2024-02", "2024-02-01"),
            ("202402", "2024-02-01"),
            ("2024", "2024-01-01"),
            ("2024-W09-4", "2024-02-29"),
            ("2024W094", "2024-02-29"),
            ("2024-W09", "2024-02-26"),
            ("2024W09", "2024-02-26"),
            ("2024-060", "2024-02-29"),
            ("2024060", "2024-02-29"),
            ("2024-Q1-60", "2024-02-29"),
            ("2024Q160", "2024-02-29"),
            ("2024-Q2", "2024-04-01"),
            ("-0044-03-15", "-0044-03-15"),
            ("-44-03", "-0044-03-01"),
            ("+999999999-12-31", "+999999999-12-31"),
            ("+12345", "+12345-01-01"),
            ("0000-01-01", "0000-01-01"),
        ];
        check(TemporalKind::Date, &rows);
        refuse(
            TemporalKind::Date,
            &[
                "",
                "20",
                "2023-02-29",
                "2024-13-01",
                "2024-00-01",
                "2024-W54",
                "2023-W53-1",
                "2024-Q5",
                "2024-Q1-92",
                "2023-366",
                "2024-02-29T10:00",
                "+1000000000-01-01",
                "２０２４",
                "2024-02-29 ",
                "12345-01-01",
                "2024-",
                "2024-W",
                "tomorrow",
            ],
        );
    }

    #[test]
    fn times_are_read_with_and_without_colons() {
        let rows = [
            ("21:40:32.142", "21:40:32.142"),
            ("214032.142", "21:40:32.142"),
            ("T21:40", "21:40"),
            ("2140", "21:40"),
            ("21", "21:00"),
            ("7:5", "07:05"),
            ("00:00:00.000000001", "00:00:00.000000001"),
        ];
        check(TemporalKind::LocalTime, &rows);
        refuse(
            TemporalKind::LocalTime,
            &[
                "",
                "24:00",
                "21:60",
                "21:40:60",
                "21:40:",
                "21:40:32.",
                "21:40:32.1234567890",
                "21:40Z",
                "21.5",
                "214",
                "21:4032",
            ],
        );
        let rows = [
            ("21:40:32+0100", "21:40:32+01:00"),
            ("2140-00:00", "21:40Z"),
            ("22+18:00", "22:00+18:00"),
            ("12:34:56-02:05:07", "12:34:56-02:05:07"),
            ("21:40", "21:40Z"),
        ];
        check(TemporalKind::Time, &rows);
        refuse(
            TemporalKind::Time,
            &["21:40[UTC]", "21:40+19:00", "21:40+1", "21:40+01:60", "21:40 Z"],
        );
    }

    #[test]
    fn timestamps_are_read_in_zones() {
        let rows = [
            ("2024-02-29T10:00", "2024-02-29T10:00"),
            ("2024060T1000", "2024-02-29T10:00"),
            ("2024-02-29", "2024-02-29T00:00"),
        ];
        check(TemporalKind::LocalDateTime, &rows);
        refuse(TemporalKind::LocalDateTime, &["2024-02-29T", "2024-02-29T10:00Z", "T10:00"]);
        let rows = [
            ("2024-02-29T10:00", "2024-02-29T10:00Z"),
            ("2024-02-29", "2024-02-29T00:00Z"),
            ("2024-07-01T10:00[Europe/London]", "2024-07-01T10:00+01:00[Europe/London]"),
            ("2024-07-01T10:00+0200[europe/stockholm]", "2024-07-01T10:00+02:00[Europe/Stockholm]"),
            // The clocks were set back: the offset says which.
            (
                "2017-10-29T02:30+01:00[Europe/Stockholm]",
                "2017-10-29T02:30+01:00[Europe/Stockholm]",
            ),
            (
                "2017-10-29T02:30+02:00[Europe/Stockholm]",
                "2017-10-29T02:30+02:00[Europe/Stockholm]",
            ),
        ];
        check(TemporalKind::DateTime, &rows);
        refuse(
            TemporalKind::DateTime,
            &[
                "2024-07-01T10:00+03:00[Europe/London]",
                "2024-07-01T10:00[Mars]",
                "2024-07-01T10:00[UTC",
                "2024-07-01Z",
            ],
        );
    }
}
