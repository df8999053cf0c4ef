//! Values as JSON and as text, as Dgraph writes them.

use std::fmt::Write;

use millrace_model::Value;
use millrace_model::geometry::geojson;
use millrace_model::temporal::{Date, DateTime, Seconds, text as iso_text};

/// Appends a value as JSON. What JSON cannot say is null.
pub(crate) fn write_json(value: &Value, to: &mut String) {
    match value {
        Value::Null => to.push_str("null"),
        Value::Bool(truth) => to.push_str(if *truth { "true" } else { "false" }),
        Value::I64(number) => push(to, format_args!("{number}")),
        Value::F64(number) => write_double(*number, to),
        Value::F32(number) => write_double(f64::from(*number), to),
        Value::I8(number) => push(to, format_args!("{number}")),
        Value::I16(number) => push(to, format_args!("{number}")),
        Value::I32(number) => push(to, format_args!("{number}")),
        Value::Decimal(decimal) => push(to, format_args!("{decimal}")),
        Value::String(text) => write_string(text, to),
        Value::Geometry(own) => geojson::write(to, own),
        Value::Vector(numbers) => {
            write_list(numbers.iter(), to, |number, to| write_single(*number, to));
        }
        Value::List(values) | Value::Set(values) => {
            write_list(values.iter(), to, write_json);
        }
        Value::PropertyValues(values) => {
            write_list(values.values().iter(), to, |own, to| write_json(&own.value, to));
        }
        Value::Map(entries) => {
            to.push('{');
            for (index, (name, value)) in entries.iter().enumerate() {
                to.push_str(if index == 0 { "" } else { "," });
                write_string(&write_text(name), to);
                to.push(':');
                write_json(value, to);
            }
            to.push('}');
        }
        other => write_string(&write_text(other), to),
    }
}

fn write_list<'a, T: 'a>(
    items: impl Iterator<Item = &'a T>,
    to: &mut String,
    write: impl Fn(&T, &mut String),
) {
    to.push('[');
    for (index, item) in items.enumerate() {
        to.push_str(if index == 0 { "" } else { "," });
        write(item, to);
    }
    to.push(']');
}

/// Appends a text in quotation marks, with the escapes of JSON.
pub(crate) fn write_string(text: &str, to: &mut String) {
    to.push('"');
    let mut from = 0;
    for (at, byte) in text.bytes().enumerate() {
        let escape = match byte {
            b'"' => "\\\"",
            b'\\' => "\\\\",
            b'\n' => "\\n",
            b'\r' => "\\r",
            b'\t' => "\\t",
            0..=0x1f => "",
            _ => continue,
        };
        to.push_str(text.get(from..at).unwrap_or_default());
        match escape {
            "" => push(to, format_args!("\\u{byte:04x}")),
            escape => to.push_str(escape),
        }
        from = at + 1;
    }
    to.push_str(text.get(from..).unwrap_or_default());
    to.push('"');
}

/// Appends a uid as JSON.
pub(crate) fn write_uid(uid: i64, to: &mut String) {
    push(to, format_args!("\"{uid:#x}\""));
}

/// A number of a vector: its digits and an exponent of two digits, as Go's `%E` has them.
fn write_single(number: f32, to: &mut String) {
    let text = format!("{number:E}");
    let (digits, exponent) = text.split_once('E').unwrap_or((&text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or_default();
    push(to, format_args!("{digits}E{exponent:+03}"));
}

/// A vector in N-Quads: its numbers as JSON has them, the largest and smallest with an exponent.
pub(crate) fn write_vector(numbers: &[f32], to: &mut String) {
    write_list(numbers.iter(), to, |number, to| match number.abs() {
        own if own != 0.0 && !(1e-6..1e21).contains(&own) => {
            let text = format!("{number:e}");
            let sign = if text.contains("e-") { "" } else { "+" };
            push(to, format_args!("{}", text.replace('e', &format!("e{sign}"))));
        }
        _ => push(to, format_args!("{number}")),
    });
}

/// Infinity and NaN are no numbers of JSON.
fn write_double(number: f64, to: &mut String) {
    match number.is_finite() {
        // Large and small ones as Go's `%g` has them, which JSON reads, too.
        true if number != 0.0 && !(1e-5..1e21).contains(&number.abs()) => {
            push(to, format_args!("{number:e}"));
        }
        true => push(to, format_args!("{number}")),
        false => to.push_str("null"),
    }
}

/// A value as a text.
pub(crate) fn write_text(value: &Value) -> String {
    match value {
        Value::String(text) => text.to_string(),
        Value::DateTime(instant) => datetime(*instant),
        Value::ZonedDateTime(zoned) => datetime(zoned.0),
        Value::Date(_) | Value::Time(_) | Value::Duration(_) => {
            iso_text(value, Seconds::Always).unwrap_or_default()
        }
        other => {
            let mut text = String::new();
            match other {
                Value::Bytes(bytes) => {
                    bytes.iter().for_each(|byte| push(&mut text, format_args!("{byte:02x}")));
                }
                Value::Bool(_)
                | Value::I8(_)
                | Value::I16(_)
                | Value::I32(_)
                | Value::I64(_)
                | Value::F32(_)
                | Value::F64(_)
                | Value::Decimal(_)
                | Value::List(_)
                | Value::Set(_)
                | Value::PropertyValues(_)
                | Value::Map(_) => write_json(other, &mut text),
                Value::Vector(numbers) => {
                    write_list(numbers.iter(), &mut text, |number, to| {
                        push(to, format_args!("{number}"));
                    });
                }
                Value::Geometry(own) => geojson::write(&mut text, own),
                other => push(&mut text, format_args!("{other:?}")),
            }
            text
        }
    }
}

/// RFC 3339, with as many digits of a second as it has. Years beyond four digits, and offsets of seconds, which RFC
/// 3339 lacks, are as ISO 8601 has them.
fn datetime(instant: DateTime) -> String {
    let offset = if instant.offset_seconds == DateTime::LOCAL { 0 } else { instant.offset_seconds };
    let local = instant.seconds + i64::from(offset);
    let (days, clock) = (local.div_euclid(86_400), local.rem_euclid(86_400));
    let (year, month, day) = Date::from_days(days).map_or((0, 1, 1), Date::civil);
    let (hour, minute, second) = (clock / 3_600, clock / 60 % 60, clock % 60);
    let before = if year < 0 { "-" } else { "" };
    let year = year.unsigned_abs();
    let mut text =
        format!("{before}{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}");
    if instant.nanos != 0 {
        let fraction = format!("{:09}", instant.nanos);
        push(&mut text, format_args!(".{}", fraction.trim_end_matches('0')));
    }
    match offset {
        0 => text.push('Z'),
        offset => {
            let (sign, minutes) = (if offset < 0 { '-' } else { '+' }, offset.abs() / 60);
            push(&mut text, format_args!("{sign}{:02}:{:02}", minutes / 60, minutes % 60));
        }
    }
    text
}

/// Writing to a text does not fail.
fn push(to: &mut String, what: std::fmt::Arguments<'_>) {
    let _ = to.write_fmt(what);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(value: &Value) -> String {
        let mut text = String::new();
        write_json(value, &mut text);
        text
    }

    #[test]
    fn texts_are_escaped_and_points_in_time_are_rfc_3339() {
        assert_eq!(json(&Value::from("a\"b\\\n\u{1}é")), "\"a\\\"b\\\\\\n\\u0001é\"");
        let instant = DateTime { seconds: 1, nanos: 500_000_000, offset_seconds: -5_400 };
        assert_eq!(json(&Value::DateTime(instant)), "\"1969-12-31T22:30:01.5-01:30\"");
        assert_eq!(json(&Value::F64(1.6e300)), "1.6e300");
        assert_eq!(json(&Value::F64(f64::NAN)), "null");
    }

    #[test]
    fn vectors_have_the_digits_that_single_precision_has() {
        let numbers = [0.1, 1e-7, 1e21, 123_456_789.0, -0.0, 1e-45, 3.402_823_5e38];
        let expected = "[1E-01,1E-07,1E+21,1.2345679E+08,-0E+00,1E-45,3.4028235E+38]";
        assert_eq!(json(&Value::vector(&numbers)), expected);
        let mut text = String::new();
        write_vector(&numbers, &mut text);
        assert_eq!(text, "[0.1,1e-7,1e+21,123456790,-0,1e-45,3.4028235e+38]");
    }
}
