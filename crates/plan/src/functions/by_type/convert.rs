//! Conversions of a value of any type, by the grammars and texts of Java, which many clients know.
//!
//! Unlike `conversion`, a text that does not read gives null, and a value of a type that never converts is
//! an error.

use std::sync::Arc;

use millrace_model::geometry::geojson;
use millrace_model::temporal::{self, Seconds};
use millrace_model::{Error, Result, Value, java_float};

use crate::functions::arguments::{bad, list, misplaced};
use crate::functions::{Conversion, Function, OnFailure, points};

/// The rows of this family; see `functions!`.
macro_rules! convert_rows {
    ([$next:ident $(, $rest:ident)*] $($rows:tt)*) => {
        $next! {
            [$($rest),*] $($rows)*
            /// A value of any type as one of another.
            Convert(Conversion): [1, 1], ALL, Fails::May => by_type::convert::call;
        }
    };
}

/// The type that is wanted.
#[derive(Clone, Copy)]
enum Target {
    Integer,
    Float,
    Boolean,
    Text,
}

/// What is done with values of types that never convert.
#[derive(Clone, Copy)]
enum Others {
    Error,
    Null,
    /// They are entries of a list, and give null.
    OfEntries,
}

pub(in crate::functions) fn call(function: Function, arguments: &[Value]) -> Result<Value> {
    let Function::Convert(conversion) = function else { return Err(misplaced(function)) };
    let value = &arguments[0];
    let (target, others) = parts(conversion);
    match others {
        Others::Error => converted(target, value),
        Others::Null => Ok(converted(target, value).unwrap_or_default()),
        Others::OfEntries => {
            let entries = list(function, value)?.iter();
            let all = entries.map(|entry| converted(target, entry).unwrap_or_default());
            Ok(Value::list(all.collect()))
        }
    }
}

fn parts(conversion: Conversion) -> (Target, Others) {
    match conversion {
        Conversion::Integer => (Target::Integer, Others::Error),
        Conversion::IntegerOrNull => (Target::Integer, Others::Null),
        Conversion::Integers => (Target::Integer, Others::OfEntries),
        Conversion::Float => (Target::Float, Others::Error),
        Conversion::FloatOrNull => (Target::Float, Others::Null),
        Conversion::Floats => (Target::Float, Others::OfEntries),
        Conversion::Boolean => (Target::Boolean, Others::Error),
        Conversion::BooleanOrNull => (Target::Boolean, Others::Null),
        Conversion::Booleans => (Target::Boolean, Others::OfEntries),
        Conversion::Text => (Target::Text, Others::Error),
        Conversion::TextOrNull => (Target::Text, Others::Null),
        Conversion::Texts => (Target::Text, Others::OfEntries),
    }
}

fn converted(target: Target, value: &Value) -> Result<Value> {
    if value.is_null() {
        return Ok(Value::Null);
    }
    match target {
        Target::Integer => integer(value),
        Target::Float => match value {
            Value::String(text) => Ok(read_double(text).map_or(Value::Null, Value::F64)),
            other => other.as_double().map(Value::F64).ok_or_else(|| wrong("a double", other)),
        },
        Target::Boolean => boolean(value),
        Target::Text => text_of(value).map(Value::String).ok_or_else(|| wrong("a text", value)),
    }
}

fn wrong(wanted: &str, found: &Value) -> Error {
    let detail = format!("a {} does not convert to {wanted}", found.type_name());
    bad(detail).with_name("InvalidArgumentValue")
}

/// A double beyond 64 bits gives the nearest integer, and one that is not a number 0, as in Java.
fn integer(value: &Value) -> Result<Value> {
    match value {
        Value::Bool(truth) => Ok(Value::I64(i64::from(*truth))),
        Value::String(text) => Ok(read_integer(text)?.map_or(Value::Null, Value::I64)),
        other => match (other.as_int(), other.as_double()) {
            (Some(int), _) => Ok(Value::I64(int)),
            (None, Some(double)) => Ok(Value::I64(double as i64)),
            (None, None) => Err(wrong("an integer", other)),
        },
    }
}

fn boolean(value: &Value) -> Result<Value> {
    match value {
        Value::Bool(_) => Ok(value.clone()),
        Value::String(text) => Ok(match text.trim() {
            text if text.eq_ignore_ascii_case("true") => Value::Bool(true),
            text if text.eq_ignore_ascii_case("false") => Value::Bool(false),
            _ => Value::Null,
        }),
        other => match other.as_int() {
            Some(int) => Ok(Value::Bool(int != 0)),
            None => Err(wrong("a boolean", other)),
        },
    }
}

/// A decimal number with any exponent and without spaces around it, its fraction cut off. One beyond 64
/// bits is an error: it is a number, and null would say that it is none.
fn read_integer(text: &str) -> Result<Option<i64>> {
    if let Ok(int) = text.parse() {
        return Ok(Some(int));
    }
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().ok()),
        None => (text, Some(0)),
    };
    let digits = mantissa.strip_prefix(['+', '-']).unwrap_or(mantissa);
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let are_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let reads =
        are_digits(whole) && are_digits(fraction) && !(whole.is_empty() && fraction.is_empty());
    let Some(exponent) = exponent.filter(|_| reads) else { return Ok(None) };
    let all = format!("{whole}{fraction}");
    let all = all.trim_start_matches('0');
    // How many digits of `all` stand before the point once the exponent has moved it.
    let before = all.len() as i64 - fraction.len() as i64 + i64::from(exponent);
    if all.is_empty() || before <= 0 {
        return Ok(Some(0));
    }
    let too_wide = || bad(format!("{text} is not a 64-bit integer"));
    let count = usize::try_from(before).ok().filter(|count| *count <= DIGITS_MAX);
    let count = count.ok_or_else(too_wide)?;
    let sign = if mantissa.starts_with('-') { "-" } else { "" };
    let whole: String = all.chars().chain(std::iter::repeat('0')).take(count).collect();
    format!("{sign}{whole}").parse().map(Some).map_err(|_| too_wide())
}

/// Decimal digits of the longest 64-bit integer.
const DIGITS_MAX: usize = 19;

/// A double as Java reads it: with spaces around it, and one letter for its type behind it.
fn read_double(text: &str) -> Option<f64> {
    let text = text.trim();
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => (-1.0, digits),
        None => (1.0, text.strip_prefix('+').unwrap_or(text)),
    };
    let magnitude = match digits {
        "NaN" => f64::NAN,
        "Infinity" => f64::INFINITY,
        digits => {
            let is_number = |byte: u8| byte.is_ascii_digit() || byte == b'.';
            let digits = match digits.strip_suffix(['d', 'D', 'f', 'F']) {
                Some(untyped) if untyped.bytes().last().is_some_and(is_number) => untyped,
                _ => digits,
            };
            // The parser also reads words, and a second sign.
            digits.bytes().next().filter(|first| is_number(*first))?;
            digits.parse().ok()?
        }
    };
    Some(sign * magnitude)
}

/// The text of a number, a boolean, a text, a temporal value, a point, a geometry or a UUID; `None` of other types.
pub(super) fn text_of(value: &Value) -> Option<Arc<str>> {
    let text = match value {
        Value::String(text) => return Some(text.clone()),
        Value::F32(float) => java_float::text_of_f32(*float),
        Value::F64(double) => java_float::text(*double),
        Value::Point(point) => points::text_of(point),
        Value::Geometry(shape) => geojson::text(shape),
        Value::Uuid(bytes) => millrace_model::uuid::text(*bytes),
        Value::Duration(_) => temporal::text(value, Seconds::Always)?,
        Value::ZonedDateTime(zoned) => format!("{}[{}]", zoned.0, zoned.1),
        Value::Bool(_)
        | Value::I8(_)
        | Value::I16(_)
        | Value::I32(_)
        | Value::I64(_)
        | Value::Decimal(_)
        | Value::Date(_)
        | Value::Time(_)
        | Value::DateTime(_) => {
            let text = Function::ToText(OnFailure::Null).call(std::slice::from_ref(value));
            return text.ok()?.as_str().map(Arc::from);
        }
        Value::Null
        | Value::Bytes(_)
        | Value::List(_)
        | Value::Vector(_)
        | Value::Set(_)
        | Value::Map(_)
        | Value::Vertex(_)
        | Value::Edge(_)
        | Value::Path(_)
        | Value::VertexProperty(_)
        | Value::Property(_)
        | Value::Tree(_)
        | Value::Token(_)
        | Value::PropertyValues(_)
        | Value::Subgraph(_)
        | Value::MapEntry(_) => return None,
    };
    Some(Arc::from(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn convert(conversion: Conversion, value: impl Into<Value>) -> Result<Value> {
        Function::Convert(conversion).call(&[value.into()])
    }

    #[test]
    fn texts_read_as_integers_without_spaces_and_with_exponents() {
        for (text, expected) in [
            ("1", 1),
            ("+7", 7),
            ("1.7", 1),
            ("-1.7", -1),
            (".5", 0),
            ("5.", 5),
            ("1.25e2", 125),
            ("125E-2", 1),
            ("00012", 12),
            ("9223372036854775807", i64::MAX),
            ("-9223372036854775808.0", i64::MIN),
            ("0e400", 0),
            ("1e-400", 0),
        ] {
            assert_eq!(convert(Conversion::Integer, text), Ok(expected.into()), "{text}");
        }
        for text in [" 1 ", "abc", "", ".", "1e", "e1", "NaN", "0x10", "1_000", "--1", "1.2.3"] {
            assert_eq!(convert(Conversion::Integer, text), Ok(Value::Null), "{text}");
        }
        for text in ["1e400", "9223372036854775808", "1e19"] {
            convert(Conversion::Integer, text).expect_err(text);
            assert_eq!(convert(Conversion::IntegerOrNull, text), Ok(Value::Null), "{text}");
        }
    }

    #[test]
    fn texts_read_as_doubles_with_spaces() {
        for (text, expected) in [
            (" 1 ", 1.0),
            ("1e400", f64::INFINITY),
            ("-1.5f", -1.5),
            ("1d", 1.0),
            ("-Infinity", f64::NEG_INFINITY),
            (".5", 0.5),
        ] {
            assert_eq!(convert(Conversion::Float, text), Ok(expected.into()), "{text}");
        }
        for text in ["abc", "", "inf", "nan", "+-1", "fd", "e5"] {
            assert_eq!(convert(Conversion::Float, text), Ok(Value::Null), "{text}");
        }
        convert(Conversion::Float, true).expect_err("no number");
    }

    #[test]
    fn types_that_never_convert_are_errors_or_null() {
        let map = || Value::map(Vec::new());
        for (strict, lenient) in [
            (Conversion::Integer, Conversion::IntegerOrNull),
            (Conversion::Float, Conversion::FloatOrNull),
            (Conversion::Boolean, Conversion::BooleanOrNull),
            (Conversion::Text, Conversion::TextOrNull),
        ] {
            convert(strict, map()).expect_err("a map");
            assert_eq!(convert(lenient, map()), Ok(Value::Null));
        }
        convert(Conversion::Boolean, 1.0).expect_err("a double is no truth");
        assert_eq!(convert(Conversion::Boolean, 2), Ok(true.into()));
        assert_eq!(convert(Conversion::Boolean, " TRUE "), Ok(true.into()));
        assert_eq!(convert(Conversion::Boolean, "yes"), Ok(Value::Null));
        let mixed = Value::list(vec!["2".into(), 1.7.into(), Value::Null, map(), true.into()]);
        let ints = Value::list(vec![2.into(), 1.into(), Value::Null, Value::Null, 1.into()]);
        assert_eq!(convert(Conversion::Integers, mixed), Ok(ints));
        convert(Conversion::Texts, "a").expect_err("no list");
    }

    #[test]
    fn doubles_are_written_as_java_writes_them() {
        for (double, expected) in [
            (1.0, "1.0"),
            (-0.0, "-0.0"),
            (2.3, "2.3"),
            (1_234_567.0, "1234567.0"),
            (9_999_999.5, "9999999.5"),
            (1e7, "1.0E7"),
            (123_456_789.5, "1.234567895E8"),
            (0.001, "0.001"),
            (-0.012_5, "-0.0125"),
            (0.000_1, "1.0E-4"),
            (f64::NAN, "NaN"),
            (f64::NEG_INFINITY, "-Infinity"),
        ] {
            assert_eq!(convert(Conversion::Text, double), Ok(expected.into()), "{double}");
        }
        assert_eq!(convert(Conversion::Text, Value::F32(0.1)), Ok("0.1".into()));
        assert_eq!(convert(Conversion::Text, Value::I8(-5)), Ok("-5".into()));
    }
}
