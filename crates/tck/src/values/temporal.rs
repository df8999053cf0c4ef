//! The texts of dates, times and durations, from the numbers that Bolt sends.
//!
//! Years reach ±999,999,999, so the calendar is counted here in 64 bits. A named zone has rules that this crate does
//! not know: an [`Instant`] is compared by its second, nanosecond and zone.

use std::fmt;

const DAY_SECONDS: i64 = 86_400;
const SECOND_NANOS: i64 = 1_000_000_000;

/// Days of 400 years, after which the calendar repeats.
const CYCLE_DAYS: i64 = 146_097;

/// Days from 1 March of the year 0 to 1 January 1970.
const EPOCH_DAYS: i64 = 719_468;

/// The text of a day, counted from 1 January 1970.
pub(crate) fn date(days: i64) -> String {
    let (year, month, day) = civil(days);
    let sign = match year {
        10_000.. => "+",
        ..0 => "-",
        _ => "",
    };
    format!("{sign}{:04}-{month:02}-{day:02}", year.unsigned_abs())
}

/// The text of a time of day.
pub(crate) fn local_time(nanos_of_day: i64) -> String {
    let (seconds, nanos) = (nanos_of_day / SECOND_NANOS, nanos_of_day % SECOND_NANOS);
    let mut text = format!("{:02}:{:02}", seconds / 3_600, seconds / 60 % 60);
    if seconds % 60 != 0 || nanos != 0 {
        text.push_str(&format!(":{:02}", seconds % 60));
    }
    text.push_str(&fraction(nanos));
    text
}

/// The text of a local date and time, from seconds since 1970 as if it were UTC.
pub(crate) fn local_date_time(seconds: i64, nanos: i64) -> String {
    let of_day = seconds.rem_euclid(DAY_SECONDS) * SECOND_NANOS + nanos;
    format!("{}T{}", date(seconds.div_euclid(DAY_SECONDS)), local_time(of_day))
}

/// The text of an offset from UTC.
pub(crate) fn offset(seconds: i64) -> String {
    if seconds == 0 {
        return "Z".to_owned();
    }
    let sign = if seconds < 0 { '-' } else { '+' };
    let size = seconds.abs();
    let mut text = format!("{sign}{:02}:{:02}", size / 3_600, size / 60 % 60);
    if size % 60 != 0 {
        text.push_str(&format!(":{:02}", size % 60));
    }
    text
}

/// The text of a duration. Years and months, hours, minutes and seconds are split by their sizes; days stay days.
pub(crate) fn duration(months: i64, days: i64, seconds: i64, nanos: i64) -> String {
    let total = i128::from(seconds) * i128::from(SECOND_NANOS) + i128::from(nanos);
    let whole = total / i128::from(SECOND_NANOS);
    let rest = total % i128::from(SECOND_NANOS);
    let mut text = String::from("P");
    let part = |number: i128, unit: char| match number {
        0 => String::new(),
        number => format!("{number}{unit}"),
    };
    text.push_str(&part(i128::from(months / 12), 'Y'));
    text.push_str(&part(i128::from(months % 12), 'M'));
    text.push_str(&part(i128::from(days), 'D'));
    if total != 0 {
        text.push('T');
        text.push_str(&part(whole / 3_600, 'H'));
        text.push_str(&part(whole / 60 % 60, 'M'));
        if whole % 60 != 0 || rest != 0 {
            let sign = if total < 0 { "-" } else { "" };
            let digits = format!("{:09}", rest.unsigned_abs());
            let digits = digits.trim_end_matches('0');
            let point = if digits.is_empty() { "" } else { "." };
            text.push_str(&format!("{sign}{}{point}{digits}S", (whole % 60).unsigned_abs()));
        }
    }
    if text.len() == 1 { "PT0S".to_owned() } else { text }
}

/// Nanoseconds with three, six or nine digits, whichever suffice.
fn fraction(nanos: i64) -> String {
    match nanos {
        0 => String::new(),
        nanos if nanos % 1_000_000 == 0 => format!(".{:03}", nanos / 1_000_000),
        nanos if nanos % 1_000 == 0 => format!(".{:06}", nanos / 1_000),
        nanos => format!(".{nanos:09}"),
    }
}

/// Year, month and day of a day. Years begin in March here, so that a leap day is the last of its year.
fn civil(days: i64) -> (i64, i64, i64) {
    let shifted = days + EPOCH_DAYS;
    let (cycle, day_of_cycle) = (shifted.div_euclid(CYCLE_DAYS), shifted.rem_euclid(CYCLE_DAYS));
    let year_of_cycle = (day_of_cycle - day_of_cycle / 1_460 + day_of_cycle / 36_524
        - day_of_cycle / 146_096)
        / 365;
    let day_of_year =
        day_of_cycle - (365 * year_of_cycle + year_of_cycle / 4 - year_of_cycle / 100);
    let from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    (cycle * 400 + year_of_cycle + i64::from(month <= 2), month, day)
}

/// The day of a year, month and day.
fn days_of(year: i64, month: i64, day: i64) -> i64 {
    let year = year - i64::from(month <= 2);
    let from_march = (month + 9) % 12;
    let (cycle, year_of_cycle) = (year.div_euclid(400), year.rem_euclid(400));
    let day_of_year = (153 * from_march + 2) / 5 + day - 1;
    let day_of_cycle = year_of_cycle * 365 + year_of_cycle / 4 - year_of_cycle / 100 + day_of_year;
    cycle * CYCLE_DAYS + day_of_cycle - EPOCH_DAYS
}

/// A date and time in a named zone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Instant {
    /// Seconds since 1970 in UTC.
    pub(crate) seconds: i64,
    pub(crate) nanos: i64,
    pub(crate) zone: String,
}

impl Instant {
    /// The instant of `DATETtimeOFFSET[ZONE]`, if the text has this form.
    pub(super) fn parse(text: &str) -> Option<Instant> {
        let (moment, zone) = text.strip_suffix(']')?.split_once('[')?;
        let (date, time) = moment.split_once('T')?;
        let (time, offset) = match time.strip_suffix('Z') {
            Some(time) => (time, 0),
            None => {
                let (time, offset) = time.split_at(time.find(['+', '-'])?);
                let sign = if offset.starts_with('-') { -1 } else { 1 };
                (time, sign * clock(offset.get(1..)?)?)
            }
        };
        let (negative, date) = match date.strip_prefix('-') {
            Some(date) => (true, date),
            None => (false, date.strip_prefix('+').unwrap_or(date)),
        };
        let mut parts = date.split('-').map(|part| part.parse::<i64>().ok());
        let (year, month, day) = (parts.next()??, parts.next()??, parts.next()??);
        let year = if negative { -year } else { year };
        let (time, nanos) = match time.split_once('.') {
            Some((time, digits)) => (time, format!("{digits:0<9}").parse().ok()?),
            None => (time, 0),
        };
        let seconds = days_of(year, month, day) * DAY_SECONDS + clock(time)? - offset;
        Some(Instant { seconds, nanos, zone: zone.to_owned() })
    }
}

/// Seconds of hours, minutes and perhaps seconds.
fn clock(text: &str) -> Option<i64> {
    let mut seconds = 0;
    let mut unit = 3_600;
    for part in text.split(':') {
        seconds += part.parse::<i64>().ok()? * unit;
        unit /= 60;
    }
    Some(seconds)
}

impl fmt::Display for Instant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}Z[{}]", local_date_time(self.seconds, self.nanos), self.zone)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_have_their_dates_and_dates_their_days() {
        for (days, text) in [
            (0, "1970-01-01"),
            (-1, "1969-12-31"),
            (59, "1970-03-01"),
            (11_016, "2000-02-29"),
            (-719_528, "0000-01-01"),
            (-719_529, "-0001-12-31"),
            (2_932_897, "+10000-01-01"),
            (365_241_780_471, "+999999999-12-31"),
            (-365_243_219_162, "-999999999-01-01"),
        ] {
            assert_eq!(date(days), text);
            let (year, month, day) = civil(days);
            assert_eq!(days_of(year, month, day), days);
        }
    }

    #[test]
    fn a_time_shows_as_few_digits_as_it_needs() {
        let of = |hours: i64, minutes: i64, seconds: i64, nanos: i64| {
            local_time(((hours * 60 + minutes) * 60 + seconds) * SECOND_NANOS + nanos)
        };
        assert_eq!(of(12, 0, 0, 0), "12:00");
        assert_eq!(of(12, 31, 14, 0), "12:31:14");
        assert_eq!(of(12, 31, 14, 645_000_000), "12:31:14.645");
        assert_eq!(of(12, 31, 0, 645_876_000), "12:31:00.645876");
        assert_eq!(of(0, 0, 0, 3), "00:00:00.000000003");
        assert_eq!(local_date_time(-1, 0), "1969-12-31T23:59:59");
        let offsets = [0, 3_600, -36_000, 3_208].map(offset);
        assert_eq!(offsets, ["Z", "+01:00", "-10:00", "+00:53:28"]);
    }

    #[test]
    fn a_duration_is_split_by_sizes_and_keeps_its_signs() {
        for (parts, text) in [
            ((0, 0, 0, 0), "PT0S"),
            ((149, 14, 58_390, 1), "P12Y5M14DT16H13M10.000000001S"),
            ((-23, 0, 0, 0), "P-1Y-11M"),
            ((0, -27, -78_033, 858_000_000), "P-27DT-21H-40M-32.142S"),
            ((0, 0, -1, 600_000_000), "PT-0.4S"),
            ((0, 0, 0, 400_000_000), "PT0.4S"),
            ((0, 0, 60, 0), "PT1M"),
            ((0, 0, -15_036, -143_000_000), "PT-4H-10M-36.143S"),
        ] {
            let (months, days, seconds, nanos) = parts;
            assert_eq!(duration(months, days, seconds, nanos), text);
        }
    }

    #[test]
    fn a_text_with_a_zone_is_an_instant() {
        let parsed = Instant::parse("1818-07-21T21:40:32.142+00:53:28[Europe/Stockholm]");
        let expected = Instant {
            seconds: days_of(1818, 7, 21) * DAY_SECONDS + 20 * 3_600 + 47 * 60 + 4,
            nanos: 142_000_000,
            zone: "Europe/Stockholm".to_owned(),
        };
        assert_eq!(parsed, Some(expected));
        let utc = Instant::parse("1970-01-01T00:00Z[UTC]").map(|instant| instant.to_string());
        assert_eq!(utc.as_deref(), Some("1970-01-01T00:00Z[UTC]"));
        for text in ["1970-01-01", "1970-01-01T00:00Z", "[a]", "T[a]", "1970-01-01T00:00[a]"] {
            assert_eq!(Instant::parse(text), None, "{text}");
        }
    }
}
