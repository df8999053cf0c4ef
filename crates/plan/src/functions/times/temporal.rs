//! Temporal values and durations as Cypher makes them, of maps, texts, other temporal values and the clock.
//!
//! A function never asks the clock of the machine: the same arguments give the same value. The time of the
//! statement or the transaction is an argument, a parameter as a rule. `dates` has the functions
//! of other languages on days and timestamps.

use millrace_model::temporal;
use millrace_model::{Result, Value};

use crate::functions::Function;
use crate::functions::arguments::{int, misplaced, text};

/// The rows of this family; see `functions!`.
macro_rules! temporal_rows {
    ([$next:ident $(, $rest:ident)*] $($rows:tt)*) => {
        $next! {
            [$($rest),*] $($rows)*
            /// A temporal value of a map of fields, a text or another one; and the timestamp of the statement,
            /// which is the value of a map with nothing but a `timezone`.
            MakeTemporal(TemporalKind): [2, 2], 1, Fails::May => times::temporal::call;
            /// A timestamp of the clock as another type, in UTC or in a zone: a text, or a map with a `timezone`.
            ClockAs(TemporalKind): [1, 2], ALL, Fails::May => times::temporal::call;
            /// The beginning of a unit: the unit, a temporal value, a map of fields to set then or null,
            /// and the timestamp of the statement.
            TruncateTemporal(TemporalKind): [4, 4], 2, Fails::May => times::temporal::call;
            /// The timestamp in UTC so many seconds and nanoseconds after 1970.
            FromEpoch: [2, 2], ALL, Fails::May => times::temporal::call;
            /// The timestamp in UTC so many milliseconds after 1970.
            FromEpochMillis: [1, 1], ALL, Fails::May => times::temporal::call;
            /// A duration of a map of parts, or of a text.
            MakeDuration: [1, 1], ALL, Fails::May => times::temporal::call;
            /// The duration from a temporal value to another.
            DurationBetween(Span): [2, 2], ALL, Fails::May => times::temporal::call;
        }
    };
}

pub(in crate::functions) fn call(function: Function, arguments: &[Value]) -> Result<Value> {
    match (function, arguments) {
        (Function::MakeTemporal(kind), [value, clock]) => temporal::make(kind, value, clock),
        (Function::ClockAs(kind), [clock, zone @ ..]) => temporal::now(kind, clock, zone.first()),
        (Function::TruncateTemporal(kind), [unit, value, fields, clock]) => {
            temporal::truncate(kind, text(function, unit)?, value, fields, clock)
        }
        (Function::FromEpoch, [seconds, nanos]) => {
            temporal::from_epoch(int(function, seconds)?, int(function, nanos)?)
        }
        (Function::FromEpochMillis, [millis]) => {
            temporal::from_epoch_millis(int(function, millis)?)
        }
        (Function::MakeDuration, [value]) => temporal::make_duration(value),
        (Function::DurationBetween(span), [from, to]) => temporal::between(span, from, to),
        (other, _) => Err(misplaced(other)),
    }
}

#[cfg(test)]
mod tests {
    use millrace_model::temporal::{Seconds, Span, TemporalKind, text};

    use super::*;

    fn shown(function: Function, arguments: &[Value]) -> Result<String> {
        Ok(text(&function.call(arguments)?, Seconds::IfAny).unwrap_or_else(|| "null".to_owned()))
    }

    fn clock() -> Value {
        temporal::from_epoch(1_500_000_000, 5).expect("a timestamp")
    }

    #[test]
    fn the_clock_is_an_argument() {
        use TemporalKind::{Date, DateTime, LocalDateTime, LocalTime, Time};
        for (kind, zone, expected) in [
            (Date, "Pacific/Kiritimati", "2017-07-14"),
            (LocalTime, "UTC", "02:40:00.000000005"),
            (Time, "Europe/Stockholm", "04:40:00.000000005+02:00"),
            (LocalDateTime, "-05:00", "2017-07-13T21:40:00.000000005"),
            (DateTime, "Europe/Stockholm", "2017-07-14T04:40:00.000000005+02:00[Europe/Stockholm]"),
        ] {
            let zone = Value::from(zone);
            let map = Value::map(vec![("timezone".into(), zone.clone())]);
            let by_text = shown(Function::ClockAs(kind), &[clock(), zone]);
            assert_eq!(by_text.as_deref(), Ok(expected));
            let by_map = shown(Function::ClockAs(kind), &[clock(), map.clone()]);
            assert_eq!(by_map, by_text);
            assert_eq!(shown(Function::MakeTemporal(kind), &[map, clock()]), by_text);
            let null = Function::ClockAs(kind).call(&[clock(), Value::Null]);
            assert_eq!(null, Ok(Value::Null));
        }
        let utc = shown(Function::ClockAs(DateTime), &[clock()]);
        assert_eq!(utc.as_deref(), Ok("2017-07-14T02:40:00.000000005Z"));
        Function::ClockAs(Date).call(&["2017".into()]).expect_err("no clock");
    }

    #[test]
    fn null_gives_null_where_there_is_no_value() {
        let kind = TemporalKind::Date;
        let make = Function::MakeTemporal(kind);
        assert_eq!(make.call(&[Value::Null, clock()]), Ok(Value::Null));
        let truncate = Function::TruncateTemporal(kind);
        let day = temporal::make(kind, &"2024-02-29".into(), &Value::Null).expect("a day");
        let cut = shown(truncate, &["month".into(), day, Value::Null, clock()]);
        assert_eq!(cut.as_deref(), Ok("2024-02-01"));
        let of_null = truncate.call(&["month".into(), Value::Null, Value::Null, clock()]);
        assert_eq!(of_null, Ok(Value::Null));
        assert_eq!(Function::MakeDuration.call(&[Value::Null]), Ok(Value::Null));
        let between = Function::DurationBetween(Span::Days);
        assert_eq!(between.call(&[Value::Null, clock()]), Ok(Value::Null));
    }

    #[test]
    fn epochs_are_in_utc() {
        let seconds = shown(Function::FromEpoch, &[Value::I64(416_779), Value::I64(999_999_999)]);
        assert_eq!(seconds.as_deref(), Ok("1970-01-05T19:46:19.999999999Z"));
        let millis = shown(Function::FromEpochMillis, &[Value::I64(-1)]);
        assert_eq!(millis.as_deref(), Ok("1969-12-31T23:59:59.999Z"));
        Function::FromEpoch.call(&[Value::I64(i64::MAX), Value::I64(0)]).expect_err("too far");
        Function::FromEpoch.call(&[Value::I64(0), Value::I64(-1)]).expect_err("nanoseconds");
    }
}
