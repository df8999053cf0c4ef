//! A time of day and a timestamp. A local one has no offset; rules of zones are in `zones`.

use std::fmt;

use super::date::Date;

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

impl DateTime {
    /// The offset of a local date and time: none.
    pub const LOCAL: i32 = i32::MIN;
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
        let seconds = self.seconds.checked_add(shift).ok_or(fmt::Error)?;
        let date = Date::from_days(seconds.div_euclid(86_400)).ok_or(fmt::Error)?;
        write!(f, "{date}T")?;
        write_clock(f, seconds.rem_euclid(86_400) as u64, self.nanos)?;
        if local { Ok(()) } else { write_offset(f, self.offset_seconds) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timestamps_print_as_iso_8601() {
        let timestamp = DateTime { seconds: 86_400, nanos: 500_000_000, offset_seconds: 3600 };
        assert_eq!(timestamp.to_string(), "1970-01-02T01:00:00.5+01:00");
        let local = DateTime { seconds: -1, nanos: 0, offset_seconds: DateTime::LOCAL };
        assert_eq!(local.to_string(), "1969-12-31T23:59:59");
    }
}
