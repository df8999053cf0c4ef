//! Dates, times, durations and points as structures.
//!
//! A timestamp with an offset or a zone is sent by the seconds of UTC; before 5.0, without the patch of the client's
//! first message, by those of the local clock.

use std::sync::Arc;

use millrace_model::temporal::{Date, DateTime, Duration, Time, offset_at, offset_at_wall};
use millrace_model::value::Point;
use millrace_model::{Result, Value};

use super::code;
use super::reader::Reader;
use super::writer::Writer;

/// Nanoseconds of a second, and of a day.
const SECOND: i64 = 1_000_000_000;
const DAY: i64 = 86_400 * SECOND;

/// Seconds that an offset may be from UTC: 18 hours, as in Java.
const OFFSET_MAX: i64 = 18 * 3_600;

/// Reads the fields of a structure; `None` if it is none of these.
pub(super) fn read(reader: &mut Reader<'_>, tag: u8, fields: usize) -> Result<Option<Value>> {
    Ok(Some(match (tag, fields) {
        (code::DATE, 1) => {
            let days = reader.int("the days of a date")?;
            Value::Date(Date::from_days(days).ok_or_else(|| outside(reader, "date", days))?)
        }
        (code::TIME, 2) => {
            let nanos = nanos_of_day(reader)?;
            let offset_seconds = Some(offset(reader)?);
            Value::Time(Time { nanos, offset_seconds })
        }
        (code::LOCAL_TIME, 1) => {
            Value::Time(Time { nanos: nanos_of_day(reader)?, offset_seconds: None })
        }
        (code::LOCAL_DATE_TIME, 2) => {
            let (seconds, nanos) = (seconds(reader)?, nanos(reader)?);
            Value::DateTime(DateTime { seconds, nanos, offset_seconds: DateTime::LOCAL })
        }
        (code::DATE_TIME, 3) => {
            let (seconds, nanos) = (seconds(reader)?, nanos(reader)?);
            Value::DateTime(DateTime { seconds, nanos, offset_seconds: offset(reader)? })
        }
        (code::LOCAL_CLOCK_DATE_TIME, 3) => {
            let (local, nanos, offset_seconds) =
                (seconds(reader)?, nanos(reader)?, offset(reader)?);
            let seconds = local - i64::from(offset_seconds);
            Value::DateTime(DateTime { seconds, nanos, offset_seconds })
        }
        (code::DATE_TIME_IN_ZONE, 3) => {
            let (seconds, nanos) = (seconds(reader)?, nanos(reader)?);
            let zone = reader.string("the name of a zone")?;
            let offset = offset_at(zone, seconds);
            in_zone(reader, (seconds, nanos, zone), offset)?
        }
        (code::LOCAL_CLOCK_DATE_TIME_IN_ZONE, 3) => {
            let (local, nanos) = (seconds(reader)?, nanos(reader)?);
            let zone = reader.string("the name of a zone")?;
            let offset = offset_at_wall(zone, local);
            let seconds = local - i64::from(offset.unwrap_or_default());
            in_zone(reader, (seconds, nanos, zone), offset)?
        }
        (code::DURATION, 4) => duration(reader)?,
        (code::POINT_2D, 3) => point(reader, 2)?,
        (code::POINT_3D, 4) => point(reader, 3)?,
        _ => return Ok(None),
    }))
}

fn outside(reader: &Reader<'_>, what: &str, found: i64) -> millrace_model::Error {
    reader.bad(format!("a {what} out of its range: {found}"))
}

fn nanos_of_day(reader: &mut Reader<'_>) -> Result<u64> {
    let nanos = reader.int("the nanoseconds of a time")?;
    match u64::try_from(nanos) {
        Ok(found) if nanos < DAY => Ok(found),
        _ => Err(outside(reader, "time of day", nanos)),
    }
}

fn nanos(reader: &mut Reader<'_>) -> Result<u32> {
    let nanos = reader.int("the nanoseconds of a timestamp")?;
    match u32::try_from(nanos) {
        Ok(found) if nanos < SECOND => Ok(found),
        _ => Err(outside(reader, "fraction of a second", nanos)),
    }
}

/// Seconds since 1970 of a day that there is.
fn seconds(reader: &mut Reader<'_>) -> Result<i64> {
    let seconds = reader.int("the seconds of a timestamp")?;
    match Date::from_days(seconds.div_euclid(86_400)) {
        Some(_) => Ok(seconds),
        None => Err(outside(reader, "timestamp", seconds)),
    }
}

fn offset(reader: &mut Reader<'_>) -> Result<i32> {
    let seconds = reader.int("the offset of a time")?;
    match i32::try_from(seconds) {
        Ok(offset) if (-OFFSET_MAX..=OFFSET_MAX).contains(&seconds) => Ok(offset),
        _ => Err(outside(reader, "offset from UTC", seconds)),
    }
}

fn in_zone(
    reader: &Reader<'_>,
    (seconds, nanos, zone): (i64, u32, &str),
    offset: Option<i32>,
) -> Result<Value> {
    let offset_seconds =
        offset.ok_or_else(|| reader.bad(format!("there is no time zone `{zone}`")))?;
    let at = DateTime { seconds, nanos, offset_seconds };
    Ok(Value::ZonedDateTime(Arc::new((at, Arc::from(zone)))))
}

/// Nanoseconds beyond a second, or negative ones, are carried into the seconds.
fn duration(reader: &mut Reader<'_>) -> Result<Value> {
    let months = reader.int("the months of a duration")?;
    let days = reader.int("the days of a duration")?;
    let whole = reader.int("the seconds of a duration")?;
    let fraction = reader.int("the nanoseconds of a duration")?;
    let seconds = whole
        .checked_add(fraction.div_euclid(SECOND))
        .ok_or_else(|| outside(reader, "duration in seconds", whole))?;
    let nanos = fraction.rem_euclid(SECOND) as u32;
    Ok(Value::Duration(Arc::new(Duration { months, days, seconds, nanos })))
}

fn point(reader: &mut Reader<'_>, dimensions: usize) -> Result<Value> {
    let srid = reader.int("the reference system of a point")?;
    let srid = u32::try_from(srid).map_err(|_| outside(reader, "reference system", srid))?;
    let coordinates =
        (0..dimensions).map(|_| reader.float("a coordinate")).collect::<Result<Vec<f64>>>()?;
    Ok(Value::Point(Arc::new(Point { srid, coordinates })))
}

impl Writer<'_> {
    pub(super) fn date(&mut self, date: Date) {
        self.structure(code::DATE, 1);
        self.int(date.days);
    }

    pub(super) fn time(&mut self, time: Time) {
        // A day has fewer nanoseconds than 63 bits.
        let nanos = time.nanos as i64;
        match time.offset_seconds {
            Some(offset) => {
                self.structure(code::TIME, 2);
                self.int(nanos);
                self.int(i64::from(offset));
            }
            None => {
                self.structure(code::LOCAL_TIME, 1);
                self.int(nanos);
            }
        }
    }

    pub(super) fn date_time(&mut self, at: DateTime) {
        if at.offset_seconds == DateTime::LOCAL {
            self.structure(code::LOCAL_DATE_TIME, 2);
            self.int(at.seconds);
            self.int(i64::from(at.nanos));
            return;
        }
        let tag = if self.form.is_utc { code::DATE_TIME } else { code::LOCAL_CLOCK_DATE_TIME };
        self.structure(tag, 3);
        self.seconds_of(at);
        self.int(i64::from(at.offset_seconds));
    }

    pub(super) fn date_time_in_zone(&mut self, at: DateTime, zone: &str) -> Result<()> {
        let tag = match self.form.is_utc {
            true => code::DATE_TIME_IN_ZONE,
            false => code::LOCAL_CLOCK_DATE_TIME_IN_ZONE,
        };
        self.structure(tag, 3);
        self.seconds_of(at);
        self.string(zone)
    }

    fn seconds_of(&mut self, at: DateTime) {
        let shift = if self.form.is_utc { 0 } else { i64::from(at.offset_seconds) };
        self.int(at.seconds.saturating_add(shift));
        self.int(i64::from(at.nanos));
    }

    pub(super) fn duration(&mut self, duration: &Duration) {
        self.structure(code::DURATION, 4);
        self.int(duration.months);
        self.int(duration.days);
        self.int(duration.seconds);
        self.int(i64::from(duration.nanos));
    }

    /// A point of other than two or three dimensions is a list of its coordinates.
    pub(super) fn point(&mut self, point: &Point) -> Result<()> {
        match point.coordinates.len() {
            2 => self.structure(code::POINT_2D, 3),
            3 => self.structure(code::POINT_3D, 4),
            count => {
                self.list(count)?;
                point.coordinates.iter().for_each(|coordinate| self.float(*coordinate));
                return Ok(());
            }
        }
        self.int(i64::from(point.srid));
        point.coordinates.iter().for_each(|coordinate| self.float(*coordinate));
        Ok(())
    }
}
