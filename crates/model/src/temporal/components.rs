//! The components of temporal values and durations by name, as numbers and texts. Case does not matter.

use super::failures::bad;
use super::iso::offset_text;
use super::parts::{TemporalKind, TemporalParts, Zone};
use crate::calendar::{Date, Duration};
use crate::errors::error::{Error, Result};
use crate::values::value::Value;

/// A component of a temporal value or duration; an error if it has none of that name. Null gives null.
pub fn component(value: &Value, name: &str) -> Result<Value> {
    let lower = name.to_ascii_lowercase();
    match value {
        Value::Null => Ok(Value::Null),
        Value::Duration(duration) => {
            let found = of_duration(duration, &lower);
            found.ok_or_else(|| none("duration", name)).and_then(whole)
        }
        other => {
            let parts = TemporalParts::of(other).ok_or_else(|| none(other.type_name(), name))?;
            let found = of_parts(&parts, &lower);
            found.ok_or_else(|| none(parts.kind().name(), name))
        }
    }
}

fn none(kind: &str, name: &str) -> Error {
    bad(format!("a {kind} has no component {name}"))
}

fn whole(number: i128) -> Result<Value> {
    let number = i64::try_from(number).map_err(|_| bad("a number beyond 64 bits"))?;
    Ok(Value::I64(number))
}

fn of_parts(parts: &TemporalParts, name: &str) -> Option<Value> {
    let of_date = parts.date.and_then(|date| of_date(date, name));
    let of_clock = || parts.nanos.and_then(|nanos| of_clock(nanos, name));
    let number = of_date.or_else(of_clock).or_else(|| of_instant(parts, name));
    let of_zone = || parts.zone.as_ref().and_then(|zone| of_zone(zone, name));
    number.map(Value::I64).or_else(of_zone)
}

fn of_date(date: Date, name: &str) -> Option<i64> {
    let (year, month, day) = date.civil();
    Some(match name {
        "year" => year.into(),
        "quarter" => date.quarter(),
        "month" => month.into(),
        "week" => date.week().1,
        "weekyear" => date.week().0,
        "dayofquarter" | "quarterday" => date.day_of_quarter(),
        "ordinalday" => date.ordinal_day(),
        "dayofweek" | "weekday" => date.weekday(),
        "day" => day.into(),
        _ => return None,
    })
}

fn of_clock(nanos: u64, name: &str) -> Option<i64> {
    let (seconds, fraction) = (nanos / 1_000_000_000, nanos % 1_000_000_000);
    let number = match name {
        "hour" => seconds / 3_600,
        "minute" => seconds / 60 % 60,
        "second" => seconds % 60,
        "millisecond" => fraction / 1_000_000,
        "microsecond" => fraction / 1_000,
        "nanosecond" => fraction,
        _ => return None,
    };
    i64::try_from(number).ok()
}

fn of_instant(parts: &TemporalParts, name: &str) -> Option<i64> {
    if parts.kind() != TemporalKind::DateTime {
        return None;
    }
    let unit = match name {
        "epochseconds" => 1_000_000_000,
        "epochmillis" => 1_000_000,
        _ => return None,
    };
    i64::try_from(parts.instant_nanos().div_euclid(unit)).ok()
}

fn of_zone(zone: &Zone, name: &str) -> Option<Value> {
    let offset = || Value::string(&offset_text(zone.offset_seconds));
    Some(match name {
        "timezone" => zone.name.as_deref().map_or_else(offset, Value::string),
        "offset" => offset(),
        "offsetminutes" => Value::I64((zone.offset_seconds / 60).into()),
        "offsetseconds" => Value::I64(zone.offset_seconds.into()),
        _ => return None,
    })
}

/// Numbers of a group of units are towards zero; those within a second count forward, as nanoseconds do.
fn of_duration(duration: &Duration, name: &str) -> Option<i128> {
    let months = i128::from(duration.months);
    let days = i128::from(duration.days);
    let (seconds, fraction) = (i128::from(duration.seconds), i128::from(duration.nanos));
    Some(match name {
        "years" => months / 12,
        "quarters" => months / 3,
        "months" => months,
        "quartersofyear" => months / 3 % 4,
        "monthsofquarter" => months % 3,
        "monthsofyear" => months % 12,
        "weeks" => days / 7,
        "days" => days,
        "daysofweek" => days % 7,
        "hours" => seconds / 3_600,
        "minutes" => seconds / 60,
        "seconds" => seconds,
        "milliseconds" => seconds * 1_000 + fraction / 1_000_000,
        "microseconds" => seconds * 1_000_000 + fraction / 1_000,
        "nanoseconds" => seconds * 1_000_000_000 + fraction,
        "minutesofhour" => seconds / 60 % 60,
        "secondsofminute" => seconds % 60,
        "millisecondsofsecond" => fraction / 1_000_000,
        "microsecondsofsecond" => fraction / 1_000,
        "nanosecondsofsecond" => fraction,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::temporal::make;

    fn made(kind: TemporalKind, text: &str) -> Value {
        make(kind, &Value::from(text), &Value::Null).expect(text)
    }

    fn check(value: &Value, rows: &[(&str, Value)]) {
        for (name, expected) in rows {
            assert_eq!(component(value, name).as_ref(), Ok(expected), "{name}");
        }
    }

    #[test]
    fn days_have_components_of_every_calendar() {
        let rows = [
            ("year", 2021),
            ("quarter", 1),
            ("month", 1),
            ("week", 53),
            ("weekYear", 2020),
            ("day", 3),
            ("ordinalDay", 3),
            ("dayOfWeek", 7),
            ("weekday", 7),
            ("dayOfQuarter", 3),
        ];
        let date = made(TemporalKind::Date, "2021-01-03");
        check(&date, &rows.map(|(name, number)| (name, Value::I64(number))));
        for none in ["hour", "offset", "epochSeconds", "years", ""] {
            component(&date, none).expect_err(none);
        }
    }

    #[test]
    fn timestamps_have_components_of_clock_zone_and_instant() {
        let value = made(TemporalKind::DateTime, "1969-12-31T23:59:58.25-01:30");
        check(
            &value,
            &[
                ("hour", Value::I64(23)),
                ("second", Value::I64(58)),
                ("millisecond", Value::I64(250)),
                ("microsecond", Value::I64(250_000)),
                ("nanosecond", Value::I64(250_000_000)),
                ("timezone", Value::from("-01:30")),
                ("offset", Value::from("-01:30")),
                ("offsetMinutes", Value::I64(-90)),
                ("offsetSeconds", Value::I64(-5_400)),
                ("epochSeconds", Value::I64(5_398)),
                ("epochMillis", Value::I64(5_398_250)),
            ],
        );
        let value = made(TemporalKind::DateTime, "2024-07-01T00:00[Europe/Stockholm]");
        let rows =
            [("timezone", Value::from("Europe/Stockholm")), ("offset", Value::from("+02:00"))];
        check(&value, &rows);
        let time = made(TemporalKind::Time, "12:00Z");
        check(&time, &[("timezone", Value::from("Z")), ("offsetSeconds", Value::I64(0))]);
        component(&time, "epochSeconds").expect_err("no day");
        component(&made(TemporalKind::LocalDateTime, "2024-07-01"), "timezone").expect_err("local");
    }

    #[test]
    fn durations_have_components_of_each_part() {
        let duration = Duration { months: -14, days: 10, seconds: -86_400, nanos: 100_000_000 };
        let rows = [
            ("years", -1),
            ("monthsOfYear", -2),
            ("quarters", -4),
            ("weeks", 1),
            ("daysOfWeek", 3),
            ("hours", -24),
            ("seconds", -86_400),
            ("nanosecondsOfSecond", 100_000_000),
            ("milliseconds", -86_399_900),
        ];
        let value = Value::Duration(Arc::new(duration));
        check(&value, &rows.map(|(name, number)| (name, Value::I64(number))));
        component(&value, "year").expect_err("a component of moments");
        let long = Duration { months: 0, days: 0, seconds: i64::MAX, nanos: 0 };
        component(&Value::Duration(Arc::new(long)), "nanoseconds").expect_err("beyond 64 bits");
    }
}
