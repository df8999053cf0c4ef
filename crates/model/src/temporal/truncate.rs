//! Temporal values truncated to the beginning of a unit, with fields set afterwards.

use super::build::from_fields;
use super::failures::{bad, out_of_range};
use super::fields::{Fields, MILLISECOND_NANOS, wanted};
use super::parts::{DAY_NANOS, SECOND_NANOS, TemporalKind, TemporalParts, ZoneId};
use crate::calendar::Date;
use crate::errors::error::{Error, Result};
use crate::values::value::Value;

/// The unit: a temporal value is truncated to its beginning.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Granularity {
    /// So many years.
    Years(i64),
    WeekYear,
    Quarter,
    Month,
    Week,
    Day,
    /// So many nanoseconds of the day.
    Clock(u64),
}

const GRANULARITIES: [(&str, Granularity); 14] = [
    ("millennium", Granularity::Years(1_000)),
    ("century", Granularity::Years(100)),
    ("decade", Granularity::Years(10)),
    ("year", Granularity::Years(1)),
    ("weekYear", Granularity::WeekYear),
    ("quarter", Granularity::Quarter),
    ("month", Granularity::Month),
    ("week", Granularity::Week),
    ("day", Granularity::Day),
    ("hour", Granularity::Clock(3_600 * SECOND_NANOS)),
    ("minute", Granularity::Clock(60 * SECOND_NANOS)),
    ("second", Granularity::Clock(SECOND_NANOS)),
    ("millisecond", Granularity::Clock(MILLISECOND_NANOS)),
    ("microsecond", Granularity::Clock(1_000)),
];

impl Granularity {
    fn of(name: &str) -> Result<Granularity> {
        let found = GRANULARITIES.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.map(|(_, unit)| *unit).ok_or_else(|| {
            let shown: String = name.chars().take(60).collect();
            let names: Vec<&str> = GRANULARITIES.iter().map(|(name, _)| *name).collect();
            bad(format!("there is no unit '{shown}'"))
                .with_help(format!("units are {}", names.join(", ")))
        })
    }
}

/// A value of a type: the beginning of the unit of another temporal value, with fields of a map set. A zone
/// among them changes the zone and not the clock. `clock` is the timestamp of the statement, for the offset
/// that a named zone has for a time of day. A null value gives null, null fields are none.
pub fn truncate(
    kind: TemporalKind,
    unit: &str,
    value: &Value,
    fields: &Value,
    clock: &Value,
) -> Result<Value> {
    if value.is_null() {
        return Ok(Value::Null);
    }
    let unit = Granularity::of(unit)?;
    let parts = TemporalParts::of(value).ok_or_else(|| {
        bad(format!("truncate expects a temporal value but got a {}", value.type_name()))
    })?;
    let pairs: &[(Value, Value)] = match fields {
        Value::Null => &[],
        Value::Map(pairs) => pairs,
        other => return Err(bad(format!("fields are a map, not a {}", other.type_name()))),
    };
    let mut fields = Fields::of_changes(kind, pairs)?;
    let start = beginning_of(kind, unit, &parts)?;
    let zone = fields.zone.take().or(parts.zone.as_ref().map(|zone| zone.id()));
    let start = in_zone(kind, &start, &zone.unwrap_or(ZoneId::UTC), &parts, clock)?;
    if fields.is_empty() {
        return start.value();
    }
    fields.retained_nanos = match unit {
        Granularity::Clock(nanos) if nanos <= MILLISECOND_NANOS => Some(nanos),
        _ => None,
    };
    let base = match kind {
        TemporalKind::Date => &mut fields.date,
        TemporalKind::LocalTime | TemporalKind::Time => &mut fields.time,
        TemporalKind::LocalDateTime | TemporalKind::DateTime => &mut fields.datetime,
    };
    *base = Some(start);
    from_fields(kind, &fields, clock)?.value()
}

fn beyond_a_day(kind: TemporalKind) -> Error {
    bad(format!("a {} is not truncated to a unit larger than a day", kind.name()))
}

fn too_small(found: &TemporalParts) -> Error {
    bad(format!("a {} is not truncated to a unit smaller than a day", found.kind().name()))
}

/// The parts that the type has, without a zone, at the beginning of the unit.
fn beginning_of(
    kind: TemporalKind,
    unit: Granularity,
    parts: &TemporalParts,
) -> Result<TemporalParts> {
    let Granularity::Clock(unit_nanos) = unit else {
        let nanos = kind.has_clock().then_some(0);
        if kind.has_date() {
            let date = wanted(parts.date, "day", parts)?;
            let date = beginning(unit, date).ok_or_else(out_of_range)?;
            return Ok(TemporalParts { date: Some(date), nanos, zone: None });
        }
        if unit != Granularity::Day {
            return Err(beyond_a_day(kind));
        }
        let _ = wanted(parts.nanos, "time of day", parts)?;
        return Ok(TemporalParts { date: None, nanos, zone: None });
    };
    if !kind.has_clock() {
        return Err(bad("a date is not truncated to a unit smaller than a day"));
    }
    let nanos = parts.nanos.ok_or_else(|| too_small(parts))?;
    debug_assert!(nanos < DAY_NANOS, "a time of day");
    let date = if kind.has_date() { Some(wanted(parts.date, "day", parts)?) } else { None };
    Ok(TemporalParts { date, nanos: Some(nanos / unit_nanos * unit_nanos), zone: None })
}

/// The first day of the unit; `None` before the first there is.
fn beginning(unit: Granularity, date: Date) -> Option<Date> {
    let (year, month, _) = date.civil();
    let year = i64::from(year);
    match unit {
        Granularity::Years(years) => Date::from_numbers(year.div_euclid(years) * years, 1, 1),
        Granularity::WeekYear => Date::from_week(date.week().0, 1, 1),
        Granularity::Quarter => Date::from_quarter(year, date.quarter(), 1),
        Granularity::Month => Date::from_numbers(year, month.into(), 1),
        Granularity::Week => date.add_days(1 - date.weekday()),
        Granularity::Day | Granularity::Clock(_) => Some(date),
    }
}

/// The same clock in a zone; without one if the type has none.
fn in_zone(
    kind: TemporalKind,
    start: &TemporalParts,
    id: &ZoneId,
    from: &TemporalParts,
    clock: &Value,
) -> Result<TemporalParts> {
    let preferred = from.zone.as_ref().map(|zone| zone.offset_seconds);
    match (kind, start.date, start.nanos) {
        (TemporalKind::DateTime, Some(date), Some(nanos)) => {
            TemporalParts::in_zone(date, nanos, id, preferred)
        }
        (TemporalKind::Time, _, _) => {
            // A time of day keeps the offset of its origin.
            let own =
                preferred.filter(|_| from.zone.as_ref().map(|zone| zone.id()).as_ref() == Some(id));
            let id = own.map_or(id.clone(), ZoneId::Offset);
            let base = TemporalParts { zone: None, ..start.clone() };
            let mut fields = Fields::default();
            (fields.zone, fields.time) = (Some(id), Some(base));
            from_fields(kind, &fields, clock)
        }
        _ => Ok(start.clone()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::temporal::{Seconds, make, text};

    fn truncated(
        kind: TemporalKind,
        unit: &str,
        value: &str,
        fields: &[(&str, Value)],
    ) -> Result<String> {
        let from = if value.contains('T') { TemporalKind::DateTime } else { TemporalKind::Date };
        let value = make(from, &Value::from(value), &Value::Null)?;
        let pairs = fields.iter().map(|(name, value)| (Value::from(*name), value.clone()));
        let start = truncate(kind, unit, &value, &Value::map(pairs.collect()), &Value::Null)?;
        Ok(text(&start, Seconds::IfAny).expect("temporal"))
    }

    #[test]
    fn days_are_truncated_to_the_beginning_of_each_step() {
        for (unit, value, expected) in [
            ("millennium", "2017-10-11", "2000-01-01"),
            ("century", "1999-12-31", "1900-01-01"),
            ("decade", "-0001-05-05", "-0010-01-01"),
            ("year", "2017-10-11", "2017-01-01"),
            ("weekYear", "2021-01-03", "2019-12-30"),
            ("quarter", "2017-06-30", "2017-04-01"),
            ("month", "2017-06-30", "2017-06-01"),
            ("week", "2021-01-03", "2020-12-28"),
            ("DAY", "2017-06-30", "2017-06-30"),
        ] {
            let start = truncated(TemporalKind::Date, unit, value, &[]);
            assert_eq!(start.as_deref(), Ok(expected), "{unit} {value}");
        }
        truncated(TemporalKind::Date, "hour", "2017-06-30", &[]).expect_err("a unit of clocks");
        truncated(TemporalKind::Date, "fortnight", "2017-06-30", &[]).expect_err("no unit");
        truncated(TemporalKind::DateTime, "hour", "2017-06-30", &[]).expect_err("no time of day");
        truncated(TemporalKind::Time, "month", "2017-06-30T10:00", &[]).expect_err("no day");
        truncated(TemporalKind::Date, "decade", "-999999999-01-01", &[])
            .expect_err("before all days");
    }

    #[test]
    fn fields_are_set_after_truncation() {
        let value = "2017-06-30T12:31:14.645876123+02:00";
        for (unit, fields, expected) in [
            ("year", vec![("day", Value::I64(2))], "2017-01-02T00:00+02:00"),
            ("week", vec![("dayOfWeek", Value::I64(2))], "2017-06-27T00:00+02:00"),
            ("hour", vec![("nanosecond", Value::I64(2))], "2017-06-30T12:00:00.000000002+02:00"),
            (
                "millisecond",
                vec![("nanosecond", Value::I64(2))],
                "2017-06-30T12:31:14.645000002+02:00",
            ),
            (
                "millisecond",
                vec![("microsecond", Value::I64(7))],
                "2017-06-30T12:31:14.645007+02:00",
            ),
            (
                "microsecond",
                vec![("nanosecond", Value::I64(2))],
                "2017-06-30T12:31:14.645876002+02:00",
            ),
            ("day", vec![("timezone", Value::from("-05:00"))], "2017-06-30T00:00-05:00"),
            ("day", vec![("day", Value::Null)], "2017-06-30T00:00+02:00"),
        ] {
            let start = truncated(TemporalKind::DateTime, unit, value, &fields);
            assert_eq!(start.as_deref(), Ok(expected), "{unit} {fields:?}");
        }
        let start = truncated(TemporalKind::Time, "minute", value, &[("second", Value::I64(5))]);
        assert_eq!(start.as_deref(), Ok("12:31:05+02:00"));
        let beyond = [("nanosecond", Value::I64(1_000_000))];
        truncated(TemporalKind::DateTime, "millisecond", value, &beyond)
            .expect_err("a millisecond");
    }

    #[test]
    fn the_zone_changes_and_the_clock_does_not() {
        let zone = [("timezone", Value::from("Europe/Stockholm"))];
        let start = truncated(TemporalKind::DateTime, "hour", "2017-07-30T12:31-01:00", &zone);
        assert_eq!(start.as_deref(), Ok("2017-07-30T12:00+02:00[Europe/Stockholm]"));
    }
}
