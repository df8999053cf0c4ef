//! Temporal values from maps, texts, other temporal values, the clock, and seconds since 1970.
//!
//! A map names a day by one calendar: month, week, quarter, or day of the year. Smaller fields that are
//! left out are the first; with a value to take parts of (`date`, `time`, `datetime`) they are the value's. A
//! zone beside a value that has one changes the clock and not the instant; beside others it is only added.

use super::failures::{bad, out_of_range};
use super::fields::{Field, Fields, fraction, wanted, zone_of};
use super::parts::{SECOND_NANOS, TemporalKind, TemporalParts, Zone, ZoneId};
use super::read::read;
use crate::calendar::Date;
use crate::errors::error::{Error, Result};
use crate::values::value::Value;

/// A value of a type from a map of fields, a text, or another temporal value; null gives null. `clock` is
/// the timestamp of the statement: a map with nothing but a zone means now, and a named zone of a time of day
/// has the offset it has then.
pub fn make(kind: TemporalKind, value: &Value, clock: &Value) -> Result<Value> {
    match value {
        Value::Null => Ok(Value::Null),
        Value::String(text) => read(kind, text, &ZoneId::UTC)?.value(),
        Value::Map(pairs) => {
            let fields = Fields::of(kind, pairs)?;
            if fields.is_empty() {
                return Err(bad(format!("a {} expects at least one field", kind.name())));
            }
            match &fields.zone {
                Some(zone) if fields.is_zone_only() => now_in(kind, clock, zone),
                _ => from_fields(kind, &fields, clock)?.value(),
            }
        }
        other => match TemporalParts::of(other) {
            Some(parts) => select(kind, &parts)?.value(),
            None => {
                let (name, found) = (kind.name(), other.type_name());
                Err(bad(format!("a {name} is created from a map or a text, not from a {found}")))
            }
        },
    }
}

/// A value of a type from a text of ISO 8601, in a zone where the text has none.
pub fn parse(kind: TemporalKind, text: &str, default: &ZoneId) -> Result<Value> {
    read(kind, text, default)?.value()
}

/// A timestamp of the clock as a value of a type, in a zone: a text, a map with a `timezone`, or
/// UTC if it is left out. Null gives null.
pub fn now(kind: TemporalKind, clock: &Value, zone: Option<&Value>) -> Result<Value> {
    match zone {
        None => now_in(kind, clock, &ZoneId::UTC),
        Some(Value::Null) => Ok(Value::Null),
        Some(Value::Map(pairs)) => match Fields::of(kind, pairs)? {
            fields if fields.is_zone_only() => {
                now_in(kind, clock, fields.zone.as_ref().unwrap_or(&ZoneId::UTC))
            }
            _ => Err(bad("the clock is asked with a timezone and no other field")),
        },
        Some(text) => now_in(kind, clock, &zone_of(text)?),
    }
}

fn now_in(kind: TemporalKind, clock: &Value, zone: &ZoneId) -> Result<Value> {
    let now = TemporalParts::at_instant(instant(clock)?, zone)?;
    parts_of(kind, &now)?.value()
}

fn instant(clock: &Value) -> Result<i128> {
    let now = TemporalParts::of(clock).filter(|now| now.kind() == TemporalKind::DateTime);
    let now = now.map(|now| now.instant_nanos());
    now.ok_or_else(|| bad("the clock is a timestamp"))
}

/// The timestamp in UTC so many seconds, and nanoseconds, after 1970.
pub fn from_epoch(seconds: i64, nanos: i64) -> Result<Value> {
    let nanos = u32::try_from(nanos).ok().filter(|nanos| u64::from(*nanos) < SECOND_NANOS);
    let nanos = nanos.ok_or_else(|| bad("nanosecond is outside of 0 to 999999999"))?;
    let zone = Zone { name: None, offset_seconds: 0 };
    TemporalParts::of_wall(seconds, nanos, Some(zone)).value()
}

/// The timestamp in UTC so many milliseconds after 1970.
pub fn from_epoch_millis(millis: i64) -> Result<Value> {
    from_epoch(millis.div_euclid(1_000), millis.rem_euclid(1_000) * 1_000_000)
}

/// Another temporal value as one of this type, in UTC if it has no zone.
fn select(kind: TemporalKind, parts: &TemporalParts) -> Result<TemporalParts> {
    match kind {
        TemporalKind::DateTime if parts.zone.is_none() => {
            let date = wanted(parts.date, "day", parts)?;
            let nanos = wanted(parts.nanos, "time of day", parts)?;
            TemporalParts::in_zone(date, nanos, &ZoneId::UTC, None)
        }
        _ => parts_of(kind, parts),
    }
}

/// The parts of a temporal value that a type has.
fn parts_of(kind: TemporalKind, parts: &TemporalParts) -> Result<TemporalParts> {
    let date = if kind.has_date() { Some(wanted(parts.date, "day", parts)?) } else { None };
    let nanos =
        if kind.has_clock() { Some(wanted(parts.nanos, "time of day", parts)?) } else { None };
    let utc = Zone { name: None, offset_seconds: 0 };
    let own = || parts.zone.clone().unwrap_or(utc);
    let zone = match kind {
        TemporalKind::Date | TemporalKind::LocalTime | TemporalKind::LocalDateTime => None,
        // A time of day has an offset only.
        TemporalKind::Time => Some(Zone { name: None, ..own() }),
        TemporalKind::DateTime => Some(own()),
    };
    Ok(TemporalParts { date, nanos, zone })
}

/// A temporal value of fields. `clock` says which offset a named zone has now, for a time of day.
pub(super) fn from_fields(
    kind: TemporalKind,
    fields: &Fields,
    clock: &Value,
) -> Result<TemporalParts> {
    let epoch = epoch_of(fields)?;
    let of_day = epoch.as_ref().or(fields.datetime.as_ref()).or(fields.date.as_ref());
    let of_clock = epoch.as_ref().or(fields.datetime.as_ref()).or(fields.time.as_ref());
    let nanos = if kind.has_clock() { Some(clock_of(fields, of_clock)?) } else { None };
    let date = match kind.has_date() {
        true => {
            let base = of_day.map(|parts| wanted(parts.date, "day", parts)).transpose()?;
            let date = date_of(fields, base)?;
            let is_whole = base.is_some() || (fields.of_clock().is_none() && of_clock.is_none());
            if !is_whole {
                check_whole(fields)?;
            }
            Some(date)
        }
        false => None,
    };
    let own_zone = of_clock.and_then(|parts| parts.zone.as_ref());
    let parts = TemporalParts { date, nanos, zone: None };
    match (kind, date) {
        (TemporalKind::DateTime, Some(date)) => {
            let added = fields.zone.clone().unwrap_or(ZoneId::UTC);
            let id = own_zone.map_or(added, Zone::id);
            let preferred = own_zone.map(|zone| zone.offset_seconds);
            let parts = TemporalParts::in_zone(date, nanos.unwrap_or(0), &id, preferred)?;
            match &fields.zone {
                Some(zone) if own_zone.is_some() => parts.with_zone(zone, 0),
                _ => Ok(parts),
            }
        }
        (TemporalKind::Time, _) => time_in_zone(parts.nanos, own_zone, fields, clock),
        _ => Ok(parts),
    }
}

fn time_in_zone(
    nanos: Option<u64>,
    own_zone: Option<&Zone>,
    fields: &Fields,
    clock: &Value,
) -> Result<TemporalParts> {
    let seconds = match &fields.zone {
        Some(ZoneId::Named(_)) => instant(clock)?.div_euclid(i128::from(SECOND_NANOS)),
        Some(ZoneId::Offset(_)) | None => 0,
    };
    let seconds = i64::try_from(seconds).map_err(|_| out_of_range())?;
    let placed = |zone| TemporalParts { date: None, nanos, zone: Some(zone) };
    let utc = Zone { name: None, offset_seconds: 0 };
    let own = own_zone.map(|zone| Zone { name: None, ..*zone });
    match (&fields.zone, own) {
        (Some(zone), Some(own)) => placed(own).with_zone(zone, seconds),
        (Some(zone), None) => Ok(placed(Zone { name: None, ..zone.at(seconds)? })),
        (None, own) => Ok(placed(own.unwrap_or(utc))),
    }
}

fn epoch_of(fields: &Fields) -> Result<Option<TemporalParts>> {
    let value = match (fields.get(Field::EpochSeconds), fields.get(Field::EpochMillis)) {
        (Some(seconds), _) => from_epoch(seconds, 0)?,
        (None, Some(millis)) => from_epoch_millis(millis)?,
        (None, None) => return Ok(None),
    };
    Ok(TemporalParts::of(&value))
}

fn no_such_day() -> Error {
    bad("there is no such day")
}

fn missing(field: Field) -> Error {
    bad(format!("{} must be given", field.name()))
}

/// The calendar that a day is named by.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Calendar {
    Month,
    Week,
    Quarter,
    Ordinal,
}

/// The fields of each calendar, the greater one first.
const CALENDARS: [(Calendar, &[Field]); 4] = [
    (Calendar::Month, &[Field::Month, Field::Day]),
    (Calendar::Week, &[Field::Week, Field::DayOfWeek]),
    (Calendar::Quarter, &[Field::Quarter, Field::DayOfQuarter]),
    (Calendar::Ordinal, &[Field::OrdinalDay]),
];

fn calendar_of(fields: &Fields) -> Result<Calendar> {
    let given =
        |fields_of: &[Field]| fields_of.iter().copied().find(|it| fields.get(*it).is_some());
    let mut found = CALENDARS.iter().filter_map(|(calendar, of)| Some((*calendar, given(of)?)));
    match (found.next(), found.next()) {
        (None, _) => Ok(Calendar::Month),
        (Some((calendar, _)), None) => Ok(calendar),
        (Some((_, first)), Some((_, second))) => {
            let (first, second) = (first.name(), second.name());
            Err(bad(format!("{first} and {second} do not name a day together")))
        }
    }
}

/// The day of fields, and of a day that gives those left out.
fn date_of(fields: &Fields, base: Option<Date>) -> Result<Date> {
    let calendar = calendar_of(fields)?;
    let year = match (fields.get(Field::Year), base) {
        (Some(year), _) => year,
        (None, Some(base)) if calendar == Calendar::Week => base.week().0,
        (None, Some(base)) => base.civil().0.into(),
        (None, None) => return Err(missing(Field::Year)),
    };
    let get = |field| fields.get(field);
    if base.is_none() {
        check_order(fields, calendar)?;
    }
    let date = match (calendar, base) {
        (Calendar::Month, base) => {
            let (_, month, day) = base.map_or((0, 1, 1), Date::civil);
            let month = get(Field::Month).unwrap_or(month.into());
            match get(Field::Day) {
                Some(day) => Date::from_numbers(year, month, day),
                None => Date::clamped(year, month, day),
            }
        }
        (Calendar::Week, base) => {
            let (week, weekday) = base.map_or((1, 1), |base| (base.week().1, base.weekday()));
            let weekday = get(Field::DayOfWeek).unwrap_or(weekday);
            Date::from_week(year, get(Field::Week).unwrap_or(week), weekday)
        }
        (Calendar::Quarter, base) => {
            let (_, month, day) = base.map_or((0, 1, 1), Date::civil);
            let quarter = get(Field::Quarter).unwrap_or(i64::from(month - 1) / 3 + 1);
            match get(Field::DayOfQuarter) {
                Some(day) => Date::from_quarter(year, quarter, day),
                None if (1..=4).contains(&quarter) => {
                    Date::clamped(year, (quarter - 1) * 3 + i64::from(month - 1) % 3 + 1, day)
                }
                None => None,
            }
        }
        (Calendar::Ordinal, _) => {
            get(Field::OrdinalDay).and_then(|day| Date::from_ordinal(year, day))
        }
    };
    date.ok_or_else(no_such_day)
}

/// Without a day to take parts of, a smaller field wants the greater one.
fn check_order(fields: &Fields, calendar: Calendar) -> Result<()> {
    for (of, names) in CALENDARS {
        if let (true, [greater, smaller]) = (of == calendar, names)
            && fields.get(*greater).is_none()
            && fields.get(*smaller).is_some()
        {
            return Err(missing(*greater));
        }
    }
    Ok(())
}

/// A time of day wants a whole day before it.
fn check_whole(fields: &Fields) -> Result<()> {
    let calendar = calendar_of(fields)?;
    let of = CALENDARS.iter().filter(|(of, _)| *of == calendar).flat_map(|(_, names)| *names);
    match of.copied().find(|field| fields.get(*field).is_none()) {
        Some(field) => Err(missing(field)),
        None => Ok(()),
    }
}

/// The time of day of fields, and of a temporal value that gives those left out.
fn clock_of(fields: &Fields, base: Option<&TemporalParts>) -> Result<u64> {
    // A day gives no time of day to a timestamp that names it as a whole.
    let base = base.map(|parts| wanted(parts.nanos, "time of day", parts)).transpose()?;
    if base.is_none() {
        check_clock_order(fields)?;
    }
    let nanos = base.unwrap_or(0);
    let (seconds, fraction_before) = (nanos / SECOND_NANOS, nanos % SECOND_NANOS);
    let part = |field: Field, before: u64, most: u64| match fields.get(field) {
        None => Ok(before),
        Some(given) => {
            let given = u64::try_from(given).ok().filter(|given| *given < most);
            given.ok_or_else(|| bad(format!("{} is outside of 0 to {}", field.name(), most - 1)))
        }
    };
    let hour = part(Field::Hour, seconds / 3_600, 24)?;
    let minute = part(Field::Minute, seconds / 60 % 60, 60)?;
    let second = part(Field::Second, seconds % 60, 60)?;
    let fraction = fraction(fields, fraction_before)?.unwrap_or(fraction_before);
    Ok((hour * 3_600 + minute * 60 + second) * SECOND_NANOS + fraction)
}

/// Without a time to take parts of, a smaller field wants all greater ones.
fn check_clock_order(fields: &Fields) -> Result<()> {
    let given = |field| fields.get(field).is_some();
    let fraction = [Field::Millisecond, Field::Microsecond, Field::Nanosecond];
    let order = [Field::Hour, Field::Minute, Field::Second];
    let first = order.iter().position(|field| !given(*field)).unwrap_or(order.len());
    let is_smaller_given = order.iter().skip(first).chain(&fraction).any(|field| given(*field));
    match order.get(first) {
        Some(field) if is_smaller_given => Err(missing(*field)),
        _ => Ok(()),
    }
}
