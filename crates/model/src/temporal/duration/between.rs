//! The duration from one temporal value to another: in all parts, or in months, days or seconds alone.
//!
//! Both are compared in one zone: that of the first, else that of the second; a value without a zone
//! is taken to be in it, a day is its midnight. Where one of them has no day, the times of day are
//! compared. Months and days are counted by the clock, the rest by the instant.

use std::sync::Arc;

use crate::calendar::{Date, Duration};
use crate::errors::error::Result;
use crate::temporal::failures::{bad, out_of_range};
use crate::temporal::parts::{DAY_NANOS, TemporalParts, Zone};
use crate::values::value::Value;

/// The parts in which a duration is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Span {
    /// Months, then days, then seconds.
    Parts,
    /// Months alone.
    Months,
    /// Days alone.
    Days,
    /// Seconds alone.
    Seconds,
}

/// The duration from a temporal value to another, towards zero; null gives null.
pub fn between(span: Span, from: &Value, to: &Value) -> Result<Value> {
    if from.is_null() || to.is_null() {
        return Ok(Value::Null);
    }
    let parts = |value: &Value| {
        let found = value.type_name();
        let wrong = || bad(format!("a duration is between two temporal values, not a {found}"));
        TemporalParts::of(value).ok_or_else(wrong)
    };
    let (from, to) = (parts(from)?, parts(to)?);
    let parts = match (from.date, to.date) {
        (Some(_), Some(_)) => {
            let (from, to) = in_one_zone(&from, &to)?;
            of_days(span, &from, &to)?
        }
        _ => match span {
            Span::Months | Span::Days => Some((0, 0, 0)),
            Span::Parts | Span::Seconds => Some((0, 0, of_clocks(&from, &to)?)),
        },
    };
    let duration = parts.and_then(|(months, days, nanos)| Duration::of(months, days, nanos));
    Ok(Value::Duration(Arc::new(duration.ok_or_else(out_of_range)?)))
}

/// Nanoseconds between times of day; by the instant where both have an offset, or where one without a zone is placed on
/// the day and in the zone of the other.
fn of_clocks(from: &TemporalParts, to: &TemporalParts) -> Result<i128> {
    if let Some(from) = placed_beside(from, to)? {
        return Ok(to.instant_nanos() - from.instant_nanos());
    }
    if let Some(to) = placed_beside(to, from)? {
        return Ok(to.instant_nanos() - from.instant_nanos());
    }
    let clock = |parts: &TemporalParts| {
        let offset_nanos = parts.wall_nanos() - parts.instant_nanos();
        (i128::from(parts.nanos.unwrap_or(0)), offset_nanos)
    };
    let ((from_clock, from_offset), (to_clock, to_offset)) = (clock(from), clock(to));
    if from.zone.is_some() && to.zone.is_some() {
        return Ok((to_clock - to_offset) - (from_clock - from_offset));
    }
    Ok(to_clock - from_clock)
}

/// A time of day without a zone on the day and in the zone of another value, if that has both.
fn placed_beside(time: &TemporalParts, other: &TemporalParts) -> Result<Option<TemporalParts>> {
    let (None, None, Some(date), Some(zone)) = (time.date, &time.zone, other.date, &other.zone)
    else {
        return Ok(None);
    };
    TemporalParts::in_zone(date, time.nanos.unwrap_or(0), &zone.id(), None).map(Some)
}

/// Both with a day and a time of day, and in one zone if one of them has a zone.
fn in_one_zone(from: &TemporalParts, to: &TemporalParts) -> Result<(TemporalParts, TemporalParts)> {
    let Some(zone) = from.zone.as_ref().or(to.zone.as_ref()) else {
        let midnight = |parts: &TemporalParts| TemporalParts {
            nanos: parts.nanos.or(Some(0)),
            ..parts.clone()
        };
        return Ok((midnight(from), midnight(to)));
    };
    let placed = |parts: &TemporalParts| match (&parts.zone, parts.date) {
        (Some(own), _) if own.id() == zone.id() => Ok(parts.clone()),
        (Some(_), _) => parts.with_zone(&zone.id(), 0),
        (None, Some(date)) => {
            TemporalParts::in_zone(date, parts.nanos.unwrap_or(0), &zone.id(), None)
        }
        (None, None) => Ok(parts.clone()),
    };
    Ok((placed(from)?, placed(to)?))
}

type Parts = (i128, i128, i128);

fn of_days(span: Span, from: &TemporalParts, to: &TemporalParts) -> Result<Option<Parts>> {
    let day = i128::from(DAY_NANOS);
    let whole_days = |from: &TemporalParts| (to.wall_nanos() - from.wall_nanos()) / day;
    Ok(Some(match span {
        Span::Seconds => (0, 0, to.instant_nanos() - from.instant_nanos()),
        Span::Days => (0, whole_days(from), 0),
        Span::Months => match months(from, to) {
            Some(months) => (months.into(), 0, 0),
            None => return Ok(None),
        },
        Span::Parts => {
            let Some(months) = months(from, to) else { return Ok(None) };
            let Some(later) = moved(from, months, 0)? else { return Ok(None) };
            let days = whole_days(&later);
            let Some(later) = i64::try_from(days).ok().map(|days| moved(from, months, days)) else {
                return Ok(None);
            };
            let Some(later) = later? else { return Ok(None) };
            (months.into(), days, to.instant_nanos() - later.instant_nanos())
        }
    }))
}

/// Whole months by the clock, towards zero.
fn months(from: &TemporalParts, to: &TemporalParts) -> Option<i64> {
    let count = |date: Date| {
        let (year, month, _) = date.civil();
        i64::from(year) * 12 + i64::from(month)
    };
    let (first, last) = (from.date?, to.date?);
    let months = count(last) - count(first);
    // The last month is not whole if its day or its clock is not reached.
    let within = |parts: &TemporalParts, date: Date| (date.civil().2, parts.nanos.unwrap_or(0));
    let (start, end) = (within(from, first), within(to, last));
    Some(if 0 < months && end < start {
        months - 1
    } else if months < 0 && start < end {
        months + 1
    } else {
        months
    })
}

/// The value so many months and days later by its clock, in its zone.
fn moved(from: &TemporalParts, months: i64, days: i64) -> Result<Option<TemporalParts>> {
    let date = from.date.and_then(|date| date.add_months(months)?.add_days(days));
    let Some(date) = date else { return Ok(None) };
    if months == 0 && days == 0 {
        return Ok(Some(from.clone()));
    }
    Ok(Some(match &from.zone {
        Some(zone @ Zone { offset_seconds, .. }) => TemporalParts::in_zone(
            date,
            from.nanos.unwrap_or(0),
            &zone.id(),
            Some(*offset_seconds),
        )?,
        None => TemporalParts { date: Some(date), ..from.clone() },
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::temporal::{Seconds, TemporalKind, make, text};

    fn shown(span: Span, kind: TemporalKind, from: &str, to: &str) -> String {
        let [from, to] =
            [from, to].map(|text| make(kind, &Value::from(text), &Value::Null).expect(text));
        let between = between(span, &from, &to).expect("a duration");
        text(&between, Seconds::IfAny).expect("temporal")
    }

    #[test]
    fn parts_have_one_sign() {
        let check = |from, to, forward, backward| {
            let kind = TemporalKind::LocalDateTime;
            assert_eq!(shown(Span::Parts, kind, from, to), forward, "{from} {to}");
            assert_eq!(shown(Span::Parts, kind, to, from), backward, "{to} {from}");
        };
        check("2018-01-01T12:00", "2018-01-02T10:00", "PT22H", "PT-22H");
        check("2018-01-31", "2018-03-01", "P1M1D", "P-1M-1D");
        check("2018-01-30T01:00", "2018-02-28T00:00", "P28DT23H", "P-28DT-23H");
        check("2016-02-29", "2017-02-28", "P11M30D", "P-11M-28D");
        check("2018-01-01", "2018-01-01T00:00:00.5", "PT0.5S", "PT-0.5S");
    }

    #[test]
    fn spans_of_one_part_leave_the_others_out() {
        let (from, to) = ("2016-02-29T10:00", "2018-02-28T09:00");
        let shown = |span| shown(span, TemporalKind::LocalDateTime, from, to);
        assert_eq!(shown(Span::Months), "P1Y11M");
        assert_eq!(shown(Span::Days), "P729D");
        assert_eq!(shown(Span::Seconds), "PT17519H");
    }

    #[test]
    fn days_are_by_the_clock_and_hours_by_the_instant() {
        let (from, to) =
            ("2017-10-28T12:00[Europe/Stockholm]", "2017-10-29T13:00[Europe/Stockholm]");
        let shown = |span, to| shown(span, TemporalKind::DateTime, from, to);
        assert_eq!(shown(Span::Parts, to), "P1DT1H");
        assert_eq!(shown(Span::Seconds, to), "PT26H");
        let at_night = "2017-10-29T04:00[Europe/Stockholm]";
        assert_eq!(shown(Span::Parts, at_night), "PT17H");
    }

    #[test]
    fn a_time_without_a_zone_is_on_the_day_and_in_the_zone_of_the_other() {
        let made = |kind, text: &str| make(kind, &Value::from(text), &Value::Null).expect(text);
        let check = |time, timestamp, forward, backward| {
            let time = made(TemporalKind::LocalTime, time);
            let timestamp = made(TemporalKind::DateTime, timestamp);
            let shown = |from, to| {
                text(&between(Span::Seconds, from, to).expect("a duration"), Seconds::IfAny)
            };
            assert_eq!(shown(&time, &timestamp), Some(String::from(forward)));
            assert_eq!(shown(&timestamp, &time), Some(String::from(backward)));
        };
        check("00:00", "2017-10-29T04:00[Europe/Stockholm]", "PT5H", "PT-5H");
        check("12:00", "2017-10-29T00:00[Europe/Stockholm]", "PT-13H", "PT13H");
        check("02:30", "2018-03-25T04:00[Europe/Stockholm]", "PT30M", "PT-30M");
        check("02:30", "2018-03-26T04:00[Europe/Stockholm]", "PT1H30M", "PT-1H-30M");
    }

    #[test]
    fn the_second_is_taken_in_the_zone_of_the_first() {
        let (from, to) = ("2017-10-01T00:30+02:00", "2017-11-01T00:00-01:00");
        let shown = |span| shown(span, TemporalKind::DateTime, from, to);
        assert_eq!(shown(Span::Months), "P1M");
        assert_eq!(shown(Span::Parts), "P1MT2H30M");
    }

    #[test]
    fn null_gives_null_and_numbers_are_refused() {
        let date = Value::Date(Date { days: 0 });
        assert_eq!(between(Span::Parts, &date, &Value::Null), Ok(Value::Null));
        between(Span::Days, &date, &Value::I64(1)).expect_err("a number");
    }
}
