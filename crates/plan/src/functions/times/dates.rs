//! Functions on days and timestamps, by the proleptic Gregorian calendar. Zones are the languages'.

use millrace_model::temporal::{Date, DateTime};
use millrace_model::{Error, Result, Value};

use crate::functions::arguments::{bad, int, misplaced, text};
use crate::functions::conversions::casts::millis;
use crate::functions::{DatePart, Function, MonthEnd, OnFailure};

/// The rows of this family; see `functions!`.
macro_rules! dates_rows {
    ([$next:ident $(, $rest:ident)*] $($rows:tt)*) => {
        $next! {
            [$($rest),*] $($rows)*
            /// A day by year, month and day.
            Date: [3, 3], ALL, Fails::May => times::dates::call;
            /// A day by its ISO 8601 text.
            ParseDate(OnFailure): [1, 1], ALL, Fails::May => times::dates::call;
            /// A part of a day, or of a date and time.
            Part(DatePart): [1, 1], ALL, Fails::May => times::dates::call;
            /// A day so many days later.
            AddDays: [2, 2], ALL, Fails::May => times::dates::call;
            /// A day so many months later.
            AddMonths(MonthEnd): [2, 2], ALL, Fails::May => times::dates::call;
            /// The days from a day to another.
            DaysBetween: [2, 2], ALL, Fails::May => times::dates::call;
            /// Whole seconds from 1970 to a date and time.
            EpochSeconds: [1, 1], ALL, Fails::May => times::dates::call;
            /// The timestamp so many seconds after 1970.
            FromEpochSeconds: [1, 1], ALL, Fails::May => times::dates::call;
            /// A timestamp so many seconds later.
            AddSeconds: [2, 2], ALL, Fails::May => times::dates::call;
            /// The milliseconds from the second timestamp to the first.
            MillisecondsSince: [2, 2], ALL, Fails::May => times::dates::call;
        }
    };
}

const DAY_SECONDS: i64 = 86_400;

pub(in crate::functions) fn call(function: Function, arguments: &[Value]) -> Result<Value> {
    match function {
        Function::Date => {
            let [year, month, day] = [0, 1, 2].map(|place| int(function, &arguments[place]));
            let date = civil(year?, month?, day?);
            date.map(Value::Date).ok_or_else(|| bad("there is no such day"))
        }
        Function::ParseDate(on_failure) => {
            match (parse(text(function, &arguments[0])?), on_failure) {
                (Some(date), _) => Ok(Value::Date(date)),
                (None, OnFailure::Null) => Ok(Value::Null),
                (None, OnFailure::Error) => Err(bad("a day is written as 2024-02-29")),
            }
        }
        Function::Part(part) => part_of(function, part, &arguments[0]),
        Function::AddDays => {
            let later = day(function, &arguments[0])?.add_days(int(function, &arguments[1])?);
            later.map(Value::Date).ok_or_else(out_of_range)
        }
        Function::AddMonths(mode) => {
            let later =
                add_months(mode, day(function, &arguments[0])?, int(function, &arguments[1])?);
            later.map(Value::Date).ok_or_else(out_of_range)
        }
        Function::DaysBetween => {
            let (from, to) = (day(function, &arguments[0])?, day(function, &arguments[1])?);
            Ok(Value::I64(to.days - from.days))
        }
        Function::AddSeconds => {
            let own = timestamp(function, &arguments[0])?;
            let seconds = own.seconds.checked_add(int(function, &arguments[1])?);
            let later = DateTime { seconds: seconds.ok_or_else(out_of_range)?, ..own };
            clock(later).map(|_| Value::DateTime(later))
        }
        Function::MillisecondsSince => {
            let [own, other] = [0, 1].map(|place| millis(timestamp(function, &arguments[place])?));
            own?.checked_sub(other?).map(Value::I64).ok_or_else(out_of_range)
        }
        Function::EpochSeconds => match &arguments[0] {
            Value::DateTime(timestamp) => Ok(Value::I64(timestamp.seconds)),
            other => Ok(Value::I64(day(function, other)?.days * DAY_SECONDS)),
        },
        Function::FromEpochSeconds => {
            let seconds = int(function, &arguments[0])?;
            Date::from_days(seconds.div_euclid(DAY_SECONDS)).ok_or_else(out_of_range)?;
            Ok(Value::DateTime(DateTime { seconds, nanos: 0, offset_seconds: 0 }))
        }
        other => Err(misplaced(other)),
    }
}

fn out_of_range() -> Error {
    bad("a day further off than there are dates")
}

fn civil(year: i64, month: i64, day: i64) -> Option<Date> {
    let year = i32::try_from(year).ok()?;
    Date::from_civil(year, u32::try_from(month).ok()?, u32::try_from(day).ok()?)
}

fn day(function: Function, value: &Value) -> Result<Date> {
    match value {
        Value::Date(date) => Ok(*date),
        Value::DateTime(timestamp) => clock(*timestamp).map(|(date, _)| date),
        other => Err(bad(format!("{function} expects a day but got a {}", other.type_name()))),
    }
}

fn timestamp(function: Function, value: &Value) -> Result<DateTime> {
    match value {
        Value::DateTime(timestamp) => Ok(*timestamp),
        other => {
            Err(bad(format!("{function} expects a timestamp but got a {}", other.type_name())))
        }
    }
}

/// The day and the seconds of it, by the timestamp's own clock.
fn clock(timestamp: DateTime) -> Result<(Date, i64)> {
    let local = timestamp.offset_seconds == DateTime::LOCAL;
    let shift = if local { 0 } else { i64::from(timestamp.offset_seconds) };
    let seconds = timestamp.seconds.checked_add(shift).ok_or_else(out_of_range)?;
    let date = Date::from_days(seconds.div_euclid(DAY_SECONDS)).ok_or_else(out_of_range)?;
    Ok((date, seconds.rem_euclid(DAY_SECONDS)))
}

fn part_of(function: Function, part: DatePart, value: &Value) -> Result<Value> {
    let date = day(function, value)?;
    let (year, month, day) = date.civil();
    let seconds = || match value {
        Value::DateTime(timestamp) => clock(*timestamp).map(|(_, seconds)| seconds),
        other => {
            Err(bad(format!("{function} expects a timestamp but got a {}", other.type_name())))
        }
    };
    Ok(Value::I64(match part {
        DatePart::Year => i64::from(year),
        DatePart::Month => i64::from(month),
        DatePart::Day => i64::from(day),
        DatePart::Weekday => date.weekday(),
        DatePart::YearDay => date.ordinal_day(),
        DatePart::Hour => seconds()? / 3_600,
        DatePart::Minute => seconds()? / 60 % 60,
        DatePart::Second => seconds()? % 60,
    }))
}

/// `2024-02-29`, the year with a sign if it needs one.
fn parse(text: &str) -> Option<Date> {
    let (sign, digits) = text.strip_prefix('-').map_or((1, text), |digits| (-1, digits));
    let mut parts = digits.split('-');
    let mut number = |length: usize| {
        let part = parts.next()?;
        let digits = part.bytes().all(|byte| byte.is_ascii_digit());
        (part.len() == length && digits).then(|| part.parse::<i64>().ok()).flatten()
    };
    let (year, month, day) = (number(4)?, number(2)?, number(2)?);
    if parts.next().is_some() {
        return None;
    }
    civil(sign * year, month, day)
}

fn add_months(mode: MonthEnd, date: Date, months: i64) -> Option<Date> {
    let (year, month, day) = date.civil();
    let sum = (i64::from(year) * 12 + i64::from(month) - 1).checked_add(months)?;
    let (year, month, day) = (sum.div_euclid(12), sum.rem_euclid(12) + 1, i64::from(day));
    if let Some(date) = civil(year, month, day) {
        return Some(date);
    }
    let last = (28..31).rev().find_map(|last| Some((civil(year, month, last)?, last)));
    let (date, last) = last?;
    match mode {
        MonthEnd::Clamp => Some(date),
        MonthEnd::Spill => date.add_days(day - last),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_go_over_days_and_keep_the_offset() {
        let timestamp = |text| Value::DateTime(DateTime::parse(text).expect("reads"));
        let add =
            |text, seconds| Function::AddSeconds.call(&[timestamp(text), Value::I64(seconds)]);
        assert_eq!(add("2023-08-02", -3_600), Ok(timestamp("2023-08-01T23:00:00Z")));
        assert_eq!(add("2023-12-31T23:59:59+02:00", 1), Ok(timestamp("2024-01-01T00:00+02:00")));
        add("2023-08-02", i64::MAX).expect_err("too far");
        add("2023-08-02", i64::MAX / 2).expect_err("no such day");
    }

    #[test]
    fn milliseconds_are_counted_between_timestamps_of_any_offset() {
        let timestamp = |text| Value::DateTime(DateTime::parse(text).expect("reads"));
        let since = |from, to| Function::MillisecondsSince.call(&[timestamp(from), timestamp(to)]);
        assert_eq!(since("2023-08-02", "2023-08-09"), Ok(Value::I64(-604_800_000)));
        assert_eq!(since("2023-08-02T02:00+02:00", "2023-08-02"), Ok(Value::I64(0)));
        assert_eq!(since("1970-01-01T00:00:00.25Z", "1970-01-01"), Ok(Value::I64(250)));
    }
}
