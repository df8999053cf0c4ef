//! Random calls of the functions on temporal values, with arguments at the ends of their ranges: none
//! panics, and results agree with one another.

use std::sync::Arc;

use millrace_model::Value;

use millrace_model::temporal::{
    self, Date, DateTime, Duration, Seconds, Span, TemporalKind, TemporalParts, Time,
};
use millrace_plan::Function;
use millrace_testkit::{Rng, run_seeds};

const KINDS: [TemporalKind; 5] = [
    TemporalKind::Date,
    TemporalKind::LocalTime,
    TemporalKind::Time,
    TemporalKind::LocalDateTime,
    TemporalKind::DateTime,
];

const FIELDS: [&str; 22] = [
    "year",
    "quarter",
    "month",
    "week",
    "ordinalDay",
    "dayOfQuarter",
    "dayOfWeek",
    "day",
    "hour",
    "minute",
    "second",
    "millisecond",
    "microsecond",
    "nanosecond",
    "epochSeconds",
    "epochMillis",
    "timezone",
    "date",
    "time",
    "datetime",
    "days",
    "months",
];

const TEXTS: [&str; 12] = [
    "2024-02-29",
    "+999999999-12-31",
    "-999999999-01-01T00:00",
    "2017-10-29T02:30+01:00[Europe/Stockholm]",
    "23:59:59.999999999-18:00",
    "Europe/Stockholm",
    "+18:00",
    "P1Y2M3DT4.5S",
    "P9223372036854775807M",
    "millennium",
    "week",
    "microsecond",
];

fn int(rng: &mut Rng) -> i64 {
    let near = *rng.pick(&[0, 1, 12, 60, 400, 2_024, 999_999_999, 1 << 31, 1 << 53, i64::MAX - 9]);
    let number = near + rng.below(9) as i64;
    if rng.below(3) == 0 { -number } else { number }
}

fn day(rng: &mut Rng) -> Date {
    let days = match rng.below(4) {
        0 => Date::MIN.days + rng.below(800) as i64,
        1 => Date::MAX.days - rng.below(800) as i64,
        _ => rng.below(2_000_000) as i64 - 1_000_000,
    };
    Date::from_days(days).expect("a day that there is")
}

/// A temporal value of a type.
fn instant(rng: &mut Rng, kind: TemporalKind) -> Value {
    let nanos = rng.below(86_400_000_000_000);
    let offset_seconds = *rng.pick(&[0, 3_600, -64_800, 3_208]);
    let local = day(rng).days * 86_400 + (nanos / 1_000_000_000) as i64;
    let timestamp = |offset_seconds| {
        let nanos = (nanos % 1_000_000_000) as u32;
        Value::DateTime(DateTime { seconds: local, nanos, offset_seconds })
    };
    match kind {
        TemporalKind::Date => Value::Date(day(rng)),
        TemporalKind::LocalTime => Value::Time(Time { nanos, offset_seconds: None }),
        TemporalKind::Time => Value::Time(Time { nanos, offset_seconds: Some(offset_seconds) }),
        TemporalKind::LocalDateTime => timestamp(DateTime::LOCAL),
        TemporalKind::DateTime if rng.below(2) == 0 => timestamp(offset_seconds),
        TemporalKind::DateTime => {
            let zone = *rng.pick(&["Europe/Stockholm", "America/New_York", "Australia/Lord_Howe"]);
            let pairs =
                vec![("datetime".into(), timestamp(0)), ("timezone".into(), Value::from(zone))];
            let made = temporal::make(kind, &Value::map(pairs), &Value::Null);
            made.unwrap_or_else(|_| timestamp(0))
        }
    }
}

fn duration(rng: &mut Rng) -> Value {
    let (months, days, seconds) = (int(rng), int(rng), int(rng));
    let nanos = rng.below(1_000_000_000) as u32;
    Value::Duration(Arc::new(Duration { months, days, seconds, nanos }))
}

fn value(rng: &mut Rng, depth: u32) -> Value {
    match rng.below(if depth == 0 { 8 } else { 10 }) {
        0 => Value::Null,
        1 | 2 => Value::I64(int(rng)),
        3 => Value::F64(*rng.pick(&[0.5, -1e18, f64::NAN, 1e-320, f64::INFINITY, 12.1])),
        4 => Value::from(*rng.pick(&TEXTS)),
        5 | 6 => {
            let kind = *rng.pick(&KINDS);
            instant(rng, kind)
        }
        7 => duration(rng),
        _ => {
            let pairs = (0..rng.below(5)).map(|_| {
                let name = *rng.pick(&FIELDS);
                let number = if rng.below(2) == 0 {
                    Value::I64(rng.below(13) as i64)
                } else {
                    value(rng, 0)
                };
                (Value::from(name), number)
            });
            Value::map(pairs.collect())
        }
    }
}

#[test]
fn no_arguments_make_a_function_panic() {
    let names = ["year", "week", "weekYear", "epochMillis", "offset", "nanoseconds", "years"];
    run_seeds(300, |_, rng| {
        for _ in 0..50 {
            let kind = *rng.pick(&KINDS);
            let function = match rng.below(7) {
                0 | 1 => Function::MakeTemporal(kind),
                2 => Function::ClockAs(kind),
                3 => Function::TruncateTemporal(kind),
                4 => Function::MakeDuration,
                5 => Function::FromEpoch,
                _ => Function::DurationBetween(*rng.pick(&[
                    Span::Parts,
                    Span::Months,
                    Span::Days,
                    Span::Seconds,
                ])),
            };
            let arguments: Vec<_> = (0..function.arity().1).map(|_| value(rng, 1)).collect();
            let result = function.call(&arguments);
            let both = [result.unwrap_or(Value::Null), value(rng, 1)];
            for operation in [temporal::plus, temporal::minus, temporal::times, temporal::divide] {
                let result = operation(&both[0], &both[1]).unwrap_or(Value::Null);
                let _ = temporal::text(&result, Seconds::Always);
                let _ = temporal::component(&result, rng.pick::<&str>(&names));
            }
        }
    });
}

#[test]
fn temporal_values_are_read_back_from_their_texts() {
    run_seeds(300, |_, rng| {
        for kind in KINDS {
            let value = instant(rng, kind);
            for seconds in [Seconds::Always, Seconds::IfAny] {
                let text = temporal::text(&value, seconds).expect("a temporal value");
                let read = temporal::make(kind, &Value::from(text.as_str()), &Value::Null);
                assert_eq!(read.as_ref(), Ok(&value), "{text}");
            }
        }
    });
}

#[test]
fn durations_are_read_back_from_their_texts() {
    run_seeds(300, |_, rng| {
        let value = duration(rng);
        let text = temporal::text(&value, Seconds::IfAny).expect("a duration");
        let read = temporal::make_duration(&Value::from(text.as_str()));
        assert_eq!(read.as_ref(), Ok(&value), "{text}");
    });
}

#[test]
fn a_temporal_value_and_the_duration_to_another_make_the_other() {
    run_seeds(300, |_, rng| {
        for kind in KINDS {
            let [from, to] = [0, 1].map(|_| instant(rng, kind));
            for span in [Span::Parts, Span::Seconds] {
                let between = temporal::between(span, &from, &to).expect("a duration");
                let Ok(sum) = temporal::plus(&from, &between) else {
                    // In the zone of the first the other may be beyond all days.
                    assert_eq!(kind, TemporalKind::DateTime, "{from:?} {to:?}");
                    continue;
                };
                // Times of day go round.
                let instant = |value| {
                    let instant = TemporalParts::of(value).expect("a temporal value");
                    let nanos = instant.instant_nanos();
                    if kind.has_date() { nanos } else { nanos.rem_euclid(86_400_000_000_000) }
                };
                assert_eq!(instant(&sum), instant(&to), "{from:?} {to:?} {between:?}");
            }
        }
    });
}

/// A text with some letters left out, put in, or replaced.
fn changed(rng: &mut Rng, text: &str) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    for _ in 0..rng.below(4) {
        let at = rng.index(letters.len() + 1);
        let letter =
            *rng.pick(&['0', '9', '-', '+', ':', '.', 'T', 'W', 'Z', '[', ']', 'P', 'é', '٣']);
        match rng.below(3) {
            0 if at < letters.len() => letters[at] = letter,
            1 if at < letters.len() => {
                letters.remove(at);
            }
            _ => letters.insert(at, letter),
        }
    }
    letters.into_iter().collect()
}

#[test]
fn damaged_texts_are_refused_or_have_a_text_again() {
    let texts = [
        "2015-07-21T21:40:32.142+02:00[Europe/Stockholm]",
        "2015W302T214032.142Z",
        "-999999999-Q3-92",
        "21:40-01:30",
        "P1Y2M3W4DT5H6M7.25S",
        "P2012-02-02T14:37:21.545",
    ];
    run_seeds(2_000, |_, rng| {
        let origin = *rng.pick(&texts);
        let text = changed(rng, origin);
        let value = Value::from(text.as_str());
        let mut read: Vec<_> =
            KINDS.map(|kind| temporal::make(kind, &value, &Value::Null).ok()).into();
        read.push(temporal::make_duration(&value).ok());
        for (place, value) in read.into_iter().enumerate() {
            let Some(value) = value else { continue };
            let shown = temporal::text(&value, Seconds::Always).expect("temporal");
            let shown = Value::from(shown.as_str());
            let again = match KINDS.get(place) {
                Some(kind) => temporal::make(*kind, &shown, &Value::Null),
                None => temporal::make_duration(&shown),
            };
            assert_eq!(again.as_ref(), Ok(&value), "{text}");
        }
    });
}
