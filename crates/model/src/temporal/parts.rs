//! A temporal value: a day, a time of day and a zone, of which each type of value has some.
//!
//! Day and time are those of its own clock. So `date`, `localtime`, `time`, `localdatetime` and
//! `datetime` are one shape, and a function on them is written once.

use std::sync::Arc;

use super::failures::{bad, out_of_range};
use crate::calendar::zones::Offsets;
use crate::calendar::{Date, DateTime, Time, zones};
use crate::errors::error::Result;
use crate::values::value::Value;

/// Nanoseconds in a second.
pub(super) const SECOND_NANOS: u64 = 1_000_000_000;
/// Nanoseconds in a day.
pub(super) const DAY_NANOS: u64 = 86_400 * SECOND_NANOS;
const DAY_SECONDS: i64 = 86_400;

/// The types of temporal values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TemporalKind {
    /// A day.
    Date,
    /// A time of day.
    LocalTime,
    /// A time of day with an offset.
    Time,
    /// A day and a time of day.
    LocalDateTime,
    /// A day and a time of day in a zone.
    DateTime,
}

impl TemporalKind {
    /// Its word in messages.
    pub fn name(self) -> &'static str {
        match self {
            TemporalKind::Date => "date",
            TemporalKind::LocalTime => "local time",
            TemporalKind::Time => "time",
            TemporalKind::LocalDateTime => "local datetime",
            TemporalKind::DateTime => "datetime",
        }
    }

    /// Whether it has a day.
    pub fn has_date(self) -> bool {
        !matches!(self, TemporalKind::LocalTime | TemporalKind::Time)
    }

    /// Whether it has a time of day.
    pub fn has_clock(self) -> bool {
        self != TemporalKind::Date
    }

    /// Whether it has a zone.
    pub fn has_zone(self) -> bool {
        matches!(self, TemporalKind::Time | TemporalKind::DateTime)
    }
}

/// A zone as it is written: an offset, or a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ZoneId {
    /// Seconds east of UTC.
    Offset(i32),
    /// A name of IANA.
    Named(Arc<str>),
}

impl ZoneId {
    /// No offset.
    pub const UTC: ZoneId = ZoneId::Offset(0);

    /// The zone of a name that IANA has.
    pub fn named(name: &str) -> Result<ZoneId> {
        let known = zones::canonical(name).map(ZoneId::Named);
        known.ok_or_else(|| {
            let shown: String = name.chars().take(60).collect();
            bad(format!("there is no time zone '{shown}'"))
                .with_help("a zone is an offset, as +01:00, or a name of IANA, as Europe/Stockholm")
        })
    }

    /// The zone at an instant, in seconds since 1970.
    pub fn at(&self, seconds: i64) -> Result<Zone> {
        Ok(match self {
            ZoneId::Offset(offset_seconds) => Zone { name: None, offset_seconds: *offset_seconds },
            ZoneId::Named(name) => {
                let offset_seconds = zones::offset_at(name, seconds).ok_or_else(out_of_range)?;
                Zone { name: Some(name.clone()), offset_seconds }
            }
        })
    }

    /// The zone at a time of its own clocks, and that time. A time that was skipped is as much later as
    /// the clocks were set forward. A time that came twice has the preferred offset, else the first.
    pub fn at_local(&self, seconds: i64, preferred: Option<i32>) -> Result<(Zone, i64)> {
        let name = match self {
            ZoneId::Offset(offset_seconds) => {
                return Ok((Zone { name: None, offset_seconds: *offset_seconds }, seconds));
            }
            ZoneId::Named(name) => name,
        };
        let offsets = zones::offsets_of(name, seconds).ok_or_else(out_of_range)?;
        let (offset_seconds, seconds) = match offsets {
            Offsets::One(offset) => (offset, seconds),
            Offsets::Twice { second, .. } if preferred == Some(second) => (second, seconds),
            Offsets::Twice { first, .. } => (first, seconds),
            Offsets::Skipped { before, after } => (after, seconds + i64::from(after - before)),
        };
        Ok((Zone { name: Some(name.clone()), offset_seconds }, seconds))
    }
}

/// The zone of a temporal value: its offset at that time, and its name if it has one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Zone {
    /// The name of IANA.
    pub name: Option<Arc<str>>,
    /// Seconds east of UTC.
    pub offset_seconds: i32,
}

impl Zone {
    /// The zone as it is written.
    pub fn id(&self) -> ZoneId {
        match &self.name {
            Some(name) => ZoneId::Named(name.clone()),
            None => ZoneId::Offset(self.offset_seconds),
        }
    }
}

/// A day, a time of day and a zone, by its own clock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TemporalParts {
    /// The day.
    pub date: Option<Date>,
    /// Nanoseconds since midnight.
    pub nanos: Option<u64>,
    /// The zone.
    pub zone: Option<Zone>,
}

impl TemporalParts {
    /// The parts of a value; `None` if it is of another type.
    pub fn of(value: &Value) -> Option<TemporalParts> {
        let (timestamp, name) = match value {
            Value::Date(date) => {
                return Some(TemporalParts { date: Some(*date), nanos: None, zone: None });
            }
            Value::Time(time) => {
                let zone =
                    time.offset_seconds.map(|offset_seconds| Zone { name: None, offset_seconds });
                return Some(TemporalParts { date: None, nanos: Some(time.nanos), zone });
            }
            Value::DateTime(timestamp) => (timestamp, None),
            Value::ZonedDateTime(zoned) => (&zoned.0, Some(zoned.1.clone())),
            _ => return None,
        };
        let offset = Some(timestamp.offset_seconds).filter(|it| *it != DateTime::LOCAL);
        let wall = timestamp.seconds.saturating_add(offset.unwrap_or(0).into());
        let clock = wall.rem_euclid(DAY_SECONDS) as u64 * SECOND_NANOS;
        Some(TemporalParts {
            date: Some(Date { days: wall.div_euclid(DAY_SECONDS) }),
            nanos: Some(clock + u64::from(timestamp.nanos)),
            zone: offset.map(|offset_seconds| Zone { name, offset_seconds }),
        })
    }

    /// The parts of a timestamp, from seconds since 1970 by its own clock and nanoseconds within the second.
    pub(super) fn of_wall(seconds: i64, nanos: u32, zone: Option<Zone>) -> TemporalParts {
        let clock = seconds.rem_euclid(DAY_SECONDS) as u64 * SECOND_NANOS;
        TemporalParts {
            date: Some(Date { days: seconds.div_euclid(DAY_SECONDS) }),
            nanos: Some(clock + u64::from(nanos)),
            zone,
        }
    }

    /// A day and a time of day of a zone's clocks.
    pub fn in_zone(
        date: Date,
        nanos: u64,
        id: &ZoneId,
        preferred: Option<i32>,
    ) -> Result<TemporalParts> {
        let date = Date::from_days(date.days).ok_or_else(out_of_range)?;
        let wall = date.days * DAY_SECONDS + (nanos / SECOND_NANOS) as i64;
        let (zone, wall) = id.at_local(wall, preferred)?;
        Ok(TemporalParts::of_wall(wall, (nanos % SECOND_NANOS) as u32, Some(zone)))
    }

    /// Its type.
    pub fn kind(&self) -> TemporalKind {
        match (self.date.is_some(), self.nanos.is_some(), self.zone.is_some()) {
            (true, true, true) => TemporalKind::DateTime,
            (true, true, false) => TemporalKind::LocalDateTime,
            (true, false, _) => TemporalKind::Date,
            (false, _, true) => TemporalKind::Time,
            (false, _, false) => TemporalKind::LocalTime,
        }
    }

    /// The value; an error beyond the years that dates have.
    pub fn value(&self) -> Result<Value> {
        let nanos = self.nanos.unwrap_or(0);
        let offset = self.zone.as_ref().map(|zone| zone.offset_seconds);
        let Some(date) = self.date else {
            return Ok(Value::Time(Time { nanos, offset_seconds: offset }));
        };
        let date = Date::from_days(date.days).ok_or_else(out_of_range)?;
        if self.nanos.is_none() {
            return Ok(Value::Date(date));
        }
        let wall = date.days * DAY_SECONDS + (nanos / SECOND_NANOS) as i64;
        let timestamp = DateTime {
            seconds: wall - i64::from(offset.unwrap_or(0)),
            nanos: (nanos % SECOND_NANOS) as u32,
            offset_seconds: offset.unwrap_or(DateTime::LOCAL),
        };
        Ok(match self.zone.as_ref().and_then(|zone| zone.name.clone()) {
            Some(name) => Value::ZonedDateTime(Arc::new((timestamp, name))),
            None => Value::DateTime(timestamp),
        })
    }

    fn offset_nanos(&self) -> i128 {
        let offset = self.zone.as_ref().map_or(0, |zone| zone.offset_seconds);
        i128::from(offset) * i128::from(SECOND_NANOS)
    }

    /// Nanoseconds by its own clock, since 1970 or, without a day, since midnight.
    pub fn wall_nanos(&self) -> i128 {
        let days = self.date.map_or(0, |date| date.days);
        i128::from(days) * i128::from(DAY_NANOS) + i128::from(self.nanos.unwrap_or(0))
    }

    /// Nanoseconds in UTC, since 1970 or, without a day, since midnight: the key by which values of one
    /// type are before or after each other.
    pub fn instant_nanos(&self) -> i128 {
        self.wall_nanos() - self.offset_nanos()
    }

    /// The same instant in another zone. A temporal value without a day takes the zone's offset at `seconds`.
    pub(super) fn with_zone(&self, id: &ZoneId, seconds: i64) -> Result<TemporalParts> {
        if self.date.is_none() {
            let zone = Zone { name: None, ..id.at(seconds)? };
            let shift = i128::from(zone.offset_seconds) * i128::from(SECOND_NANOS);
            let nanos = (self.instant_nanos() + shift).rem_euclid(i128::from(DAY_NANOS)) as u64;
            return Ok(TemporalParts { nanos: Some(nanos), zone: Some(zone), date: None });
        }
        let instant = self.instant_nanos();
        TemporalParts::at_instant(instant, id)
    }

    /// The parts of an instant, in nanoseconds since 1970, by the clocks of a zone.
    pub fn at_instant(instant_nanos: i128, id: &ZoneId) -> Result<TemporalParts> {
        let second_nanos = i128::from(SECOND_NANOS);
        let seconds = i64::try_from(instant_nanos.div_euclid(second_nanos));
        let seconds = seconds.map_err(|_| out_of_range())?;
        let zone = id.at(seconds)?;
        let wall = seconds.checked_add(zone.offset_seconds.into()).ok_or_else(out_of_range)?;
        let nanos = instant_nanos.rem_euclid(second_nanos) as u32;
        Ok(TemporalParts::of_wall(wall, nanos, Some(zone)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stockholm(date: (i32, u32, u32), hour: u64, preferred: Option<i32>) -> TemporalParts {
        let date = Date::from_civil(date.0, date.1, date.2).expect("a day");
        let id = ZoneId::named("Europe/Stockholm").expect("a zone");
        TemporalParts::in_zone(date, hour * 3_600 * SECOND_NANOS, &id, preferred)
            .expect("a temporal value")
    }

    fn hour_and_offset(parts: &TemporalParts) -> (u64, i32) {
        let offset = parts.zone.as_ref().map_or(0, |zone| zone.offset_seconds / 3_600);
        (parts.nanos.unwrap_or(0) / SECOND_NANOS / 3_600, offset)
    }

    #[test]
    fn a_time_that_came_twice_is_the_first_unless_another_offset_is_preferred() {
        assert_eq!(hour_and_offset(&stockholm((2017, 10, 29), 2, None)), (2, 2));
        assert_eq!(hour_and_offset(&stockholm((2017, 10, 29), 2, Some(3_600))), (2, 1));
        assert_eq!(hour_and_offset(&stockholm((2017, 10, 29), 2, Some(0))), (2, 2));
    }

    #[test]
    fn a_skipped_time_moves_forward() {
        assert_eq!(hour_and_offset(&stockholm((2017, 3, 26), 2, None)), (3, 2));
    }

    #[test]
    fn values_become_parts_and_values_again() {
        let timestamp = DateTime { seconds: -1, nanos: 7, offset_seconds: 3_600 };
        let local = DateTime { offset_seconds: DateTime::LOCAL, ..timestamp };
        for value in [
            Value::Date(Date { days: -5 }),
            Value::Time(Time { nanos: 5, offset_seconds: None }),
            Value::Time(Time { nanos: 5, offset_seconds: Some(-60) }),
            Value::DateTime(timestamp),
            Value::DateTime(local),
            Value::ZonedDateTime(Arc::new((timestamp, Arc::from("Europe/Stockholm")))),
        ] {
            let parts = TemporalParts::of(&value).expect("a temporal value");
            assert_eq!(parts.value(), Ok(value));
        }
        assert_eq!(TemporalParts::of(&Value::I64(1)), None);
        let beyond = TemporalParts { date: Some(Date { days: i64::MAX }), nanos: None, zone: None };
        beyond.value().expect_err("no such day");
    }
}
