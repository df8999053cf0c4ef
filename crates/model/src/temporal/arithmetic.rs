//! Sums, differences, products and quotients of temporal values and durations.
//!
//! A duration is added by part: months, days, then seconds. After whole days the clock of the zone shows the
//! same time, seconds pass by the instant. Parts that a type lacks are passed over; whole days of the seconds
//! count for a date.

use std::sync::Arc;

use super::duration::amount;
use super::failures::{bad, out_of_range};
use super::parts::{DAY_NANOS, SECOND_NANOS, TemporalKind, TemporalParts};
use crate::calendar::Duration;
use crate::errors::error::{Error, Result};
use crate::values::value::Value;

/// Whether a value is a temporal value or a duration.
pub fn is_temporal(value: &Value) -> bool {
    matches!(value, Value::Duration(_)) || TemporalParts::of(value).is_some()
}

/// The sum of a temporal value or duration and a duration, either way round; null gives null.
pub fn plus(left: &Value, right: &Value) -> Result<Value> {
    match (left, right) {
        (Value::Null, _) | (_, Value::Null) => Ok(Value::Null),
        (Value::Duration(left), Value::Duration(right)) => left.plus(right).map(duration),
        (Value::Duration(amount), other) | (other, Value::Duration(amount)) => {
            moved(other, amount, || unsuited("added", left, right))
        }
        _ => Err(unsuited("added", left, right)),
    }
}

/// A temporal value or duration less a duration; null gives null.
pub fn minus(left: &Value, right: &Value) -> Result<Value> {
    match (left, right) {
        (Value::Null, _) | (_, Value::Null) => Ok(Value::Null),
        (Value::Duration(left), Value::Duration(right)) => left.minus(right).map(duration),
        (other, Value::Duration(amount)) => {
            let zero = Duration { months: 0, days: 0, seconds: 0, nanos: 0 };
            moved(other, &zero.minus(amount)?, || unsuited("subtracted", left, right))
        }
        _ => Err(unsuited("subtracted", left, right)),
    }
}

/// A duration times a number, either way round; null gives null.
pub fn times(left: &Value, right: &Value) -> Result<Value> {
    match (left, right) {
        (Value::Null, _) | (_, Value::Null) => Ok(Value::Null),
        (Value::Duration(own), number) | (number, Value::Duration(own)) => {
            let factor = amount(number).ok_or_else(|| unsuited("multiplied", left, right))?;
            own.times(factor).map(duration)
        }
        _ => Err(unsuited("multiplied", left, right)),
    }
}

/// A duration divided by a number; null gives null.
pub fn divide(left: &Value, right: &Value) -> Result<Value> {
    match (left, right) {
        (Value::Null, _) | (_, Value::Null) => Ok(Value::Null),
        (Value::Duration(own), number) => {
            let divisor = amount(number).ok_or_else(|| unsuited("divided", left, right))?;
            if divisor.is_zero() {
                return Err(bad("a duration is not divided by zero"));
            }
            own.divided(divisor).map(duration)
        }
        _ => Err(unsuited("divided", left, right)),
    }
}

fn duration(duration: Duration) -> Value {
    Value::Duration(Arc::new(duration))
}

fn unsuited(verb: &str, left: &Value, right: &Value) -> Error {
    let (left, right) = (left.type_name(), right.type_name());
    bad(format!("a {left} and a {right} are not {verb}"))
}

fn moved(value: &Value, amount: &Duration, unsuited: impl Fn() -> Error) -> Result<Value> {
    let parts = TemporalParts::of(value).ok_or_else(unsuited)?;
    add(&parts, amount)?.value()
}

/// The value a duration later.
pub(super) fn add(parts: &TemporalParts, amount: &Duration) -> Result<TemporalParts> {
    let nanos = amount.clock_nanos();
    let Some(date) = parts.date else {
        let sum = i128::from(parts.nanos.unwrap_or(0)) + nanos;
        let nanos = sum.rem_euclid(i128::from(DAY_NANOS)) as u64;
        return Ok(TemporalParts { nanos: Some(nanos), ..parts.clone() });
    };
    let whole_days = match parts.kind() {
        TemporalKind::Date => nanos / i128::from(DAY_NANOS),
        _ => 0,
    };
    let days = i64::try_from(i128::from(amount.days) + whole_days).map_err(|_| out_of_range())?;
    let date = date.add_months(amount.months).and_then(|date| date.add_days(days));
    let date = date.ok_or_else(out_of_range)?;
    let Some(clock) = parts.nanos else {
        return Ok(TemporalParts { date: Some(date), nanos: None, zone: None });
    };
    let Some(zone) = &parts.zone else {
        let local = TemporalParts { date: Some(date), nanos: Some(clock), zone: None };
        let wall = local.wall_nanos() + nanos;
        let second = i128::from(SECOND_NANOS);
        let seconds = i64::try_from(wall.div_euclid(second)).map_err(|_| out_of_range())?;
        return Ok(TemporalParts::of_wall(seconds, wall.rem_euclid(second) as u32, None));
    };
    let same_clock = match amount.months == 0 && amount.days == 0 {
        true => parts.clone(),
        false => TemporalParts::in_zone(date, clock, &zone.id(), Some(zone.offset_seconds))?,
    };
    TemporalParts::at_instant(same_clock.instant_nanos() + nanos, &zone.id())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::temporal::{Seconds, make, make_duration, text};

    fn made(kind: TemporalKind, text: &str) -> Value {
        make(kind, &Value::from(text), &Value::Null).expect(text)
    }

    fn amount_of(text: &str) -> Value {
        make_duration(&Value::from(text)).expect(text)
    }

    fn shown(value: Result<Value>) -> Result<String> {
        Ok(text(&value?, Seconds::IfAny).expect("temporal"))
    }

    #[test]
    fn a_temporal_value_and_a_duration_add_by_part() {
        use TemporalKind::{Date, DateTime, LocalDateTime, LocalTime, Time};
        for (kind, parts, amount, sum) in [
            (Date, "2024-01-31", "P1M", "2024-02-29"),
            (Date, "2024-01-31", "P1M1D", "2024-03-01"),
            (Date, "2024-01-31", "PT47H", "2024-02-01"),
            (Date, "2024-01-31", "PT-0.5S", "2024-01-31"),
            (Date, "2024-01-31", "PT-24H", "2024-01-30"),
            (LocalTime, "23:30", "P1Y1DT45M", "00:15"),
            (Time, "00:15+01:00", "PT-30M", "23:45+01:00"),
            (LocalDateTime, "2024-02-28T23:00", "P1DT1H", "2024-03-01T00:00"),
            (DateTime, "2024-02-28T23:00-03:00", "PT1.5S", "2024-02-28T23:00:01.5-03:00"),
        ] {
            let [parts, amount] = [made(kind, parts), amount_of(amount)];
            assert_eq!(shown(plus(&parts, &amount)).as_deref(), Ok(sum), "{parts:?} {amount:?}");
            assert_eq!(plus(&amount, &parts), plus(&parts, &amount));
        }
        let last = made(Date, "+999999999-12-31");
        plus(&last, &amount_of("P1D")).expect_err("beyond all days");
        plus(&last, &amount_of("P9223372036854775807D")).expect_err("beyond 64 bits");
        plus(&last, &last).expect_err("two days");
        minus(&amount_of("P1D"), &last).expect_err("a duration less a day");
        assert_eq!(plus(&last, &Value::Null), Ok(Value::Null));
    }

    #[test]
    fn a_day_is_by_the_clock_and_24_hours_are_not() {
        let before = made(TemporalKind::DateTime, "2017-10-28T12:00[Europe/Stockholm]");
        let day = shown(plus(&before, &amount_of("P1D")));
        assert_eq!(day.as_deref(), Ok("2017-10-29T12:00+01:00[Europe/Stockholm]"));
        let hours = shown(plus(&before, &amount_of("PT24H")));
        assert_eq!(hours.as_deref(), Ok("2017-10-29T11:00+01:00[Europe/Stockholm]"));
        let skipped = made(TemporalKind::DateTime, "2017-03-25T02:30[Europe/Stockholm]");
        let day = shown(plus(&skipped, &amount_of("P1D")));
        assert_eq!(day.as_deref(), Ok("2017-03-26T03:30+02:00[Europe/Stockholm]"));
        // A time that came twice keeps the offset it has.
        let second = made(TemporalKind::DateTime, "2017-10-29T02:30+01:00[Europe/Stockholm]");
        let year =
            shown(minus(&plus(&second, &amount_of("P1D")).expect("a day"), &amount_of("P1D")));
        assert_eq!(year.as_deref(), Ok("2017-10-29T02:30+01:00[Europe/Stockholm]"));
    }

    #[test]
    fn durations_are_added_multiplied_and_divided() {
        let [long, short] = [amount_of("P1Y2M3DT4H"), amount_of("P1M1DT30M0.5S")];
        assert_eq!(shown(plus(&long, &short)).as_deref(), Ok("P1Y3M4DT4H30M0.5S"));
        assert_eq!(shown(minus(&short, &long)).as_deref(), Ok("P-1Y-1M-2DT-3H-29M-59.5S"));
        assert_eq!(shown(times(&long, &Value::I64(-2))).as_deref(), Ok("P-2Y-4M-6DT-8H"));
        assert_eq!(shown(times(&Value::F64(0.5), &short)).as_deref(), Ok("P15DT17H29M33.25S"));
        assert_eq!(shown(divide(&short, &Value::I64(2))).as_deref(), Ok("P15DT17H29M33.25S"));
        divide(&long, &Value::I64(0)).expect_err("by zero");
        divide(&long, &Value::F64(0.0)).expect_err("by zero");
        divide(&Value::I64(1), &long).expect_err("by a duration");
        times(&long, &Value::F64(f64::NAN)).expect_err("no number");
        times(&long, &long).expect_err("two durations");
        let longest = amount_of("P9223372036854775807M");
        plus(&longest, &longest).expect_err("beyond 64 bits");
    }
}
