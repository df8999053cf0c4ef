//! Dates, times and durations: fields and ISO 8601 text. Zone rules belong to the languages.
//!
//! Civil-date arithmetic follows Howard Hinnant's "chrono-compatible low-level date algorithms".

use std::fmt;

/// A day, counted from 1970-01-01.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date {
    /// Days since 1970-01-01, negative before.
    pub days: i32,
}

/// A time of day, with or without an offset from UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time {
    /// Nanoseconds since midnight, by the local clock.
    pub nanos: u64,
    /// Seconds east of UTC; `None` for a local time.
    pub offset_seconds: Option<i32>,
}

/// A timestamp. With an offset the seconds are UTC; without one they are of the local clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DateTime {
    /// Seconds since 1970-01-01T00:00:00.
    pub seconds: i64,
    /// Nanoseconds within the second.
    pub nanos: u32,
    /// Seconds east of UTC; [`DateTime::LOCAL`] for a local date and time.
    pub offset_seconds: i32,
}

/// An amount of time in three parts that do not convert into each other, and a fraction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Duration {
    /// Whole months.
    pub months: i64,
    /// Whole days.
    pub days: i64,
    /// Whole seconds.
    pub seconds: i64,
    /// Nanoseconds within the second.
    pub nanos: u32,
}

impl Duration {
    /// Its days and seconds in seconds; none if they have no room in 64 bits.
    pub fn whole_seconds(&self) -> Option<i64> {
        self.days.checked_mul(86_400)?.checked_add(self.seconds)
    }
}

impl Date {
    /// The date of a civil year, month and day; `None` if there is no such day.
    pub fn from_civil(year: i32, month: u32, day: u32) -> Option<Date> {
        let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        let last = match month {
            1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
            4 | 6 | 9 | 11 => 30,
            2 => 28 + u32::from(leap),
            _ => return None,
        };
        if day == 0 || day > last {
            return None;
        }
        let shifted = i64::from(year) - i64::from(month <= 2);
        let era = shifted.div_euclid(400);
        let year_of_era = shifted.rem_euclid(400);
        let month_from_march = i64::from((month + 9) % 12);
        let day_of_year = (153 * month_from_march + 2) / 5 + i64::from(day) - 1;
        let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
        i32::try_from(era * 146_097 + day_of_era - 719_468).ok().map(|days| Date { days })
    }

    /// Year, month and day.
    pub fn civil(self) -> (i32, u32, u32) {
        let days = i64::from(self.days) + 719_468;
        let era = days.div_euclid(146_097);
        let day_of_era = days.rem_euclid(146_097);
        let year_of_era =
            (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let month_from_march = (5 * day_of_year + 2) / 153;
        let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
        let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
        let year = year_of_era + era * 400 + i64::from(month <= 2);
        (year as i32, month as u32, day as u32)
    }
}

impl DateTime {
    /// The offset of a local date and time: none.
    pub const LOCAL: i32 = i32::MIN;
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = self.civil();
        // The sign of a year before 0 stands before its four digits.
        let sign = if year < 0 { "-" } else { "" };
        write!(f, "{sign}{:04}-{month:02}-{day:02}", year.unsigned_abs())
    }
}

fn write_clock(f: &mut fmt::Formatter<'_>, seconds: u64, nanos: u32) -> fmt::Result {
    write!(f, "{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)?;
    if nanos == 0 {
        return Ok(());
    }
    let digits = format!("{nanos:09}");
    write!(f, ".{}", digits.trim_end_matches('0'))
}

fn write_offset(f: &mut fmt::Formatter<'_>, offset_seconds: i32) -> fmt::Result {
    if offset_seconds == 0 {
        return f.write_str("Z");
    }
    let sign = if offset_seconds < 0 { '-' } else { '+' };
    let minutes = offset_seconds.unsigned_abs() / 60;
    write!(f, "{sign}{:02}:{:02}", minutes / 60, minutes % 60)
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_clock(f, self.nanos / 1_000_000_000, (self.nanos % 1_000_000_000) as u32)?;
        self.offset_seconds.map_or(Ok(()), |offset| write_offset(f, offset))
    }
}

impl fmt::Display for DateTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let local = self.offset_seconds == DateTime::LOCAL;
        let shift = if local { 0 } else { i64::from(self.offset_seconds) };
        let seconds = self.seconds + shift;
        let days = i32::try_from(seconds.div_euclid(86_400)).map_err(|_| fmt::Error)?;
        write!(f, "{}T", Date { days })?;
        write_clock(f, seconds.rem_euclid(86_400) as u64, self.nanos)?;
        if local { Ok(()) } else { write_offset(f, self.offset_seconds) }
    }
}

impl fmt::Display for Duration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "P{}M{}DT{}", self.months, self.days, self.seconds)?;
        if self.nanos != 0 {
            write!(f, ".{}", format!("{:09}", self.nanos).trim_end_matches('0'))?;
        }
        f.write_str("S")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn civil_dates_go_there_and_back() {
        for days in (-800_000..800_000).step_by(37) {
            let date = Date { days };
            let (year, month, day) = date.civil();
            assert_eq!(Date::from_civil(year, month, day), Some(date));
        }
        assert_eq!(Date::from_civil(1970, 1, 1), Some(Date { days: 0 }));
        assert_eq!(Date::from_civil(2000, 2, 30), None);
        assert_eq!(Date::from_civil(1900, 2, 29), None);
    }

    #[test]
    fn timestamps_print_as_iso_8601() {
        let timestamp = DateTime { seconds: 86_400, nanos: 500_000_000, offset_seconds: 3600 };
        assert_eq!(timestamp.to_string(), "1970-01-02T01:00:00.5+01:00");
        let local = DateTime { seconds: -1, nanos: 0, offset_seconds: DateTime::LOCAL };
        assert_eq!(local.to_string(), "1969-12-31T23:59:59");
    }
}
