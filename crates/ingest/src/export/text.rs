//! Values as text, in the words that every reader here knows.

use millrace_model::geometry::geojson;
use millrace_model::temporal::{Seconds, text};
use millrace_model::{Value, uuid};

/// The digits of a finite float; otherwise its name.
pub(super) fn double_text(number: f64, digits: &str) -> String {
    match number {
        number if number.is_nan() => "NaN".into(),
        f64::INFINITY => "Infinity".into(),
        f64::NEG_INFINITY => "-Infinity".into(),
        _ => digits.to_owned(),
    }
}

/// Seconds with a fraction, as one signed number: the fraction counts forward from the second.
pub(super) fn duration_seconds(seconds: i64, nanos: u32) -> String {
    let total = i128::from(seconds) * 1_000_000_000 + i128::from(nanos);
    let sign = if total < 0 { "-" } else { "" };
    let (whole, part) =
        (total.unsigned_abs() / 1_000_000_000, total.unsigned_abs() % 1_000_000_000);
    match part {
        0 => format!("{sign}{whole}"),
        part => format!("{sign}{whole}.{}", format!("{part:09}").trim_end_matches('0')),
    }
}

/// A single value as text, which a load with the type's name reads back. A kind that is no single value is
/// empty: callers refuse it before.
pub(super) fn value_text(value: &Value) -> String {
    match value {
        Value::String(text) => text.to_string(),
        Value::Bool(truth) => truth.to_string(),
        Value::F32(number) => double_text(f64::from(*number), &format!("{number:?}")),
        Value::F64(number) => double_text(*number, &format!("{number:?}")),
        Value::Decimal(decimal) => decimal.to_string(),
        Value::Uuid(bytes) => uuid::text(*bytes),
        Value::Date(date) => date.to_string(),
        Value::Time(time) => time.to_string(),
        Value::DateTime(timestamp) => timestamp.to_string(),
        zoned @ Value::ZonedDateTime(_) => text(zoned, Seconds::Always).unwrap_or_default(),
        Value::Duration(duration) => {
            let seconds = duration_seconds(duration.seconds, duration.nanos);
            format!("P{}M{}DT{seconds}S", duration.months, duration.days)
        }
        Value::Point(point) => {
            let names = ["x", "y", "z"].iter().zip(&point.coordinates);
            let parts: Vec<String> = names.map(|(name, at)| format!("{name}: {at:?}")).collect();
            format!("{{{}, srid: {}}}", parts.join(", "), point.srid)
        }
        Value::Geometry(shape) => geojson::text(shape),
        other => other.as_int().map_or_else(String::new, |whole| whole.to_string()),
    }
}
