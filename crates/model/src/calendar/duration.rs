//! An amount of time. Months, days and seconds stay apart, because a month has no fixed number of days,
//! nor a day of seconds.
//!
//! Nanoseconds always count forward from the second: −0.4 seconds are −1 second and 600,000,000 nanoseconds.

use std::fmt;

/// Nanoseconds in a second.
pub(crate) const SECOND_NANOS: i128 = 1_000_000_000;

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

    /// A duration of months, days and nanoseconds; `None` if a part has no room in 64 bits.
    pub(crate) fn of(months: i128, days: i128, nanos: i128) -> Option<Duration> {
        Some(Duration {
            months: i64::try_from(months).ok()?,
            days: i64::try_from(days).ok()?,
            seconds: i64::try_from(nanos.div_euclid(SECOND_NANOS)).ok()?,
            nanos: nanos.rem_euclid(SECOND_NANOS) as u32,
        })
    }

    /// Its seconds and nanoseconds, in nanoseconds.
    pub fn clock_nanos(&self) -> i128 {
        i128::from(self.seconds) * SECOND_NANOS + i128::from(self.nanos)
    }

    /// Its average length in nanoseconds, a month as the 4,800th part of 400 years: a key by which
    /// durations can be ordered. Equal keys do not make equal durations.
    pub fn average_nanos(&self) -> i128 {
        const MONTH_NANOS: i128 = 2_629_746 * SECOND_NANOS;
        let months = i128::from(self.months) * MONTH_NANOS;
        months + i128::from(self.days) * 86_400 * SECOND_NANOS + self.clock_nanos()
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
