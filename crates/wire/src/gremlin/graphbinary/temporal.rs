//! Days, times, timestamps and amounts of time.
//!
//! The format keeps the local clock and the offset, a timestamp here keeps UTC and the offset. A
//! timestamp is written as an OffsetDateTime, never as a Date, which would lose all below a
//! millisecond.

use millrace_model::temporal::{Date, DateTime, Duration, Seconds, Time, text};
use millrace_model::{Result, Value};

use super::code;
use super::reader::Reader;
use super::writer::{Writer, unwritable};

const DAY_SECONDS: i64 = 86_400;
const SECOND_NANOS: i64 = 1_000_000_000;
const DAY_NANOS: i64 = DAY_SECONDS * SECOND_NANOS;

/// The farthest offset from UTC, either way: 18 hours.
const OFFSET_SECONDS_MAX: u32 = 18 * 3_600;

impl Reader<'_> {
    /// Milliseconds since 1970, as Date and Timestamp are.
    pub(super) fn date(&mut self) -> Result<Value> {
        let millis = self.i64("a Date")?;
        let nanos = (millis.rem_euclid(1_000) * 1_000_000) as u32;
        let seconds = millis.div_euclid(1_000);
        self.utc(seconds, nanos)
    }

    fn utc(&self, seconds: i64, nanos: u32) -> Result<Value> {
        let timestamp = DateTime { seconds, nanos, offset_seconds: 0 };
        match has_date(timestamp) {
            true => Ok(Value::DateTime(timestamp)),
            false => Err(self.bad(format!("second {seconds} is too far away to have a date"))),
        }
    }

    pub(super) fn instant(&mut self) -> Result<Value> {
        let seconds = self.i64("an Instant")?;
        let nanos = self.nanos()?;
        self.utc(seconds, nanos)
    }

    fn nanos(&mut self) -> Result<u32> {
        let nanos = self.i32("nanoseconds")?;
        let fits = u32::try_from(nanos).ok().filter(|nanos| i64::from(*nanos) < SECOND_NANOS);
        fits.ok_or_else(|| self.bad(format!("a second has no {nanos} nanoseconds")))
    }

    pub(super) fn local_date(&mut self) -> Result<Date> {
        let year = self.i32("a year")?;
        let [month, day] = self.array("a month and a day")?;
        let date = Date::from_civil(year, month.into(), day.into());
        date.ok_or_else(|| self.bad(format!("there is no day {year}-{month}-{day}")))
    }

    fn nanos_of_day(&mut self) -> Result<u64> {
        let nanos = self.i64("a LocalTime")?;
        let fits = (0..DAY_NANOS).contains(&nanos).then_some(nanos as u64);
        fits.ok_or_else(|| self.bad(format!("a day has no {nanos} nanoseconds")))
    }

    fn offset_seconds(&mut self) -> Result<i32> {
        let seconds = self.i32("a ZoneOffset")?;
        if OFFSET_SECONDS_MAX < seconds.unsigned_abs() {
            return Err(self.bad(format!("no zone is {seconds} seconds from UTC")));
        }
        Ok(seconds)
    }

    pub(super) fn local_time(&mut self) -> Result<Value> {
        Ok(Value::Time(Time { nanos: self.nanos_of_day()?, offset_seconds: None }))
    }

    pub(super) fn offset_time(&mut self) -> Result<Value> {
        let nanos = self.nanos_of_day()?;
        Ok(Value::Time(Time { nanos, offset_seconds: Some(self.offset_seconds()?) }))
    }

    fn local(&mut self) -> Result<DateTime> {
        let (date, nanos) = (self.local_date()?, self.nanos_of_day()? as i64);
        let seconds = date.days * DAY_SECONDS + nanos / SECOND_NANOS;
        let nanos = (nanos % SECOND_NANOS) as u32;
        Ok(DateTime { seconds, nanos, offset_seconds: DateTime::LOCAL })
    }

    pub(super) fn local_date_time(&mut self) -> Result<Value> {
        self.local().map(Value::DateTime)
    }

    pub(super) fn offset_date_time(&mut self) -> Result<Value> {
        let local = self.local()?;
        let offset_seconds = self.offset_seconds()?;
        let seconds = local.seconds - i64::from(offset_seconds);
        Ok(Value::DateTime(DateTime { seconds, offset_seconds, ..local }))
    }

    pub(super) fn duration(&mut self) -> Result<Value> {
        let seconds = self.i64("a Duration")?;
        let nanos = self.nanos()?;
        Ok(Value::Duration(Duration { months: 0, days: 0, seconds, nanos }.into()))
    }

    pub(super) fn period(&mut self) -> Result<Value> {
        let mut part = || self.i32("a Period").map(i64::from);
        let (years, months, days) = (part()?, part()?, part()?);
        let months = years * 12 + months;
        Ok(Value::Duration(Duration { months, days, seconds: 0, nanos: 0 }.into()))
    }
}

impl Writer {
    pub(super) fn date(&mut self, date: Date) {
        let (year, month, day) = date.civil();
        self.put(&year.to_be_bytes());
        self.put(&[month as u8, day as u8]);
    }

    pub(super) fn time(&mut self, time: Time) {
        let code = if time.offset_seconds.is_some() { code::OFFSET_TIME } else { code::LOCAL_TIME };
        self.typed(code).put(&time.nanos.to_be_bytes());
        if let Some(offset) = time.offset_seconds {
            self.put(&offset.to_be_bytes());
        }
    }

    /// A timestamp, with the type that one with an offset has.
    pub(super) fn timestamp(&mut self, timestamp: DateTime, zoned: u8) -> Result<()> {
        let is_local = timestamp.offset_seconds == DateTime::LOCAL;
        let offset_seconds = if is_local { 0 } else { timestamp.offset_seconds };
        let seconds = timestamp.seconds.checked_add(offset_seconds.into());
        let date = seconds.and_then(|seconds| Date::from_days(seconds.div_euclid(DAY_SECONDS)));
        let (Some(date), Some(seconds)) = (date, seconds) else {
            return Err(unwritable("a timestamp is too far away to have a date"));
        };
        self.typed(if is_local { code::LOCAL_DATE_TIME } else { zoned }).date(date);
        let nanos = seconds.rem_euclid(DAY_SECONDS) * SECOND_NANOS + i64::from(timestamp.nanos);
        self.put(&nanos.to_be_bytes());
        if !is_local {
            self.put(&offset_seconds.to_be_bytes());
        }
        Ok(())
    }

    /// As a Duration, or as a Period where it has months and no seconds; as text where it fits neither.
    pub(super) fn duration(&mut self, value: &Value, duration: &Duration) -> Result<()> {
        let Duration { months, days, seconds, nanos } = *duration;
        if months == 0
            && let Some(whole) = duration.whole_seconds()
        {
            self.typed(code::DURATION).put(&whole.to_be_bytes());
            self.put(&nanos.to_be_bytes());
            return Ok(());
        }
        let parts = (i32::try_from(months), i32::try_from(days));
        let (Ok(months), Ok(days), 0, 0) = (parts.0, parts.1, seconds, nanos) else {
            let text = text(value, Seconds::Always).unwrap_or_default();
            return self.value(&Value::from(text.as_str()));
        };
        self.typed(code::PERIOD);
        for part in [months / 12, months % 12, days] {
            self.put(&part.to_be_bytes());
        }
        Ok(())
    }
}

/// Whether a timestamp's day can be counted.
pub(crate) fn has_date(timestamp: DateTime) -> bool {
    let is_local = timestamp.offset_seconds == DateTime::LOCAL;
    let shift = if is_local { 0 } else { timestamp.offset_seconds };
    let seconds = timestamp.seconds.checked_add(shift.into());
    seconds.is_some_and(|seconds| i32::try_from(seconds.div_euclid(86_400)).is_ok())
}
