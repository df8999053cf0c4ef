//! Texts to values of a type.

use millrace_model::geometry::geojson;
use millrace_model::temporal::DateTime;
use millrace_model::{Decimal, Error, ErrorKind, Result, Value, parse_vector};
use millrace_quads::text::{
    parse_date, parse_datetime, parse_far_offset, parse_year, parse_year_month,
};

use crate::limits::{DECIMAL_SCALE_MAX, YEAR_DIGITS_MIN};
use crate::schema::Kind;
use crate::text::shown;

/// The value of a type that a text says.
pub(crate) fn read(text: &str, kind: Kind) -> Result<Value> {
    match kind {
        Kind::Default | Kind::String | Kind::Password => Ok(Value::from(text)),
        Kind::Geo => geojson::parse_argument(text)
            .map(Value::from)
            .map_err(|fault| Error::new(ErrorKind::BadQuery, fault.to_string())),
        Kind::Int => text.parse().map(Value::I64).map_err(|_| refused("a whole number", text)),
        Kind::Float => read_float(text).map(Value::F64),
        Kind::Bool => read_bool(text).map(Value::Bool),
        Kind::DateTime => read_datetime(text),
        Kind::BigFloat => match Decimal::parse_with_exponent(text, DECIMAL_SCALE_MAX) {
            Some(decimal) => Ok(Value::Decimal(decimal.into())),
            None => Err(refused("a decimal number of up to 38 digits", text)),
        },
        Kind::Vector => read_vector(text),
        Kind::Uid => read_uid(text).map(Value::I64),
    }
}

/// `0x1f`, `31`.
pub(crate) fn read_uid(text: &str) -> Result<i64> {
    let trimmed = text.trim();
    let hex = trimmed.strip_prefix("0x").or_else(|| trimmed.strip_prefix("0X"));
    let number = match hex {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => trimmed.parse().ok(),
    };
    let number = number.and_then(|number| i64::try_from(number).ok());
    number.ok_or_else(|| refused("a uid such as 0x1f or 31, below 2^63", text))
}

fn read_float(text: &str) -> Result<f64> {
    let number: Option<f64> =
        match text.trim_start_matches(['+', '-']).to_ascii_lowercase().as_str() {
            // A name of no number is none, and an infinite one cannot be an answer.
            "inf" | "infinity" | "nan" => None,
            _ => text.parse().ok().filter(|number: &f64| number.is_finite()),
        };
    number.ok_or_else(|| refused("a number", text))
}

/// As Go reads truths.
pub(crate) fn read_bool(text: &str) -> Result<bool> {
    match text {
        "1" | "t" | "T" | "true" | "TRUE" | "True" => Ok(true),
        "0" | "f" | "F" | "false" | "FALSE" | "False" => Ok(false),
        _ => Err(refused("true or false", text)),
    }
}

/// A year, a month, a day, or a day and a time; without a zone it is UTC.
fn read_datetime(text: &str) -> Result<Value> {
    let refused = || refused("a point in time, such as 2006-01-02T15:04:05Z", text);
    // `-1` is a number, and no year.
    let year = text.trim_start_matches(['+', '-']).bytes().take_while(u8::is_ascii_digit);
    if year.count() < YEAR_DIGITS_MIN {
        return Err(refused());
    }
    let value = match text.len() {
        4 => parse_year(text).ok(),
        7 => parse_year_month(text).ok(),
        _ => parse_datetime(text).ok().or_else(|| parse_far_offset(text)),
    };
    let value = value.or_else(|| parse_date(text).ok());
    match value {
        Some(Value::Date(date)) => Ok(Value::DateTime(DateTime::at_start_of(date))),
        Some(Value::DateTime(instant)) => Ok(Value::DateTime(instant)),
        Some(_) | None => Err(refused()),
    }
}

/// `[1.5, 2, 3]`, with commas or blanks between the numbers.
fn read_vector(text: &str) -> Result<Value> {
    // As in Dgraph, an empty text is a vector without numbers.
    let numbers = if text.trim().is_empty() { Some([].into()) } else { parse_vector(text) };
    numbers.map(Value::Vector).ok_or_else(|| refused("numbers in brackets, such as [1.5, 2]", text))
}

fn refused(expected: &str, text: &str) -> Error {
    let detail = format!("expected {expected}, found `{}`", shown(text));
    Error::new(ErrorKind::BadQuery, detail)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_in_time_has_five_forms() {
        for (text, seconds, offset) in [
            ("1970", 0, 0),
            ("1970-02", 2_678_400, 0),
            ("1970-01-02", 86_400, 0),
            ("1970-01-01T00:00:01", 1, 0),
            ("1970-01-01T01:00:01+01:00", 1, 3_600),
            ("1970-01-01T23:00:01+23:00", 1, 82_800),
        ] {
            let Ok(Value::DateTime(found)) = read(text, Kind::DateTime) else { panic!("{text}") };
            assert_eq!((found.seconds, found.offset_seconds), (seconds, offset), "{text}");
        }
        assert!(read("197", Kind::DateTime).is_err());
    }

    #[test]
    fn a_uid_is_decimal_or_hexadecimal() {
        assert_eq!(read_uid("0x1f").ok(), Some(31));
        assert_eq!(read_uid("31").ok(), Some(31));
        for wrong in ["", "x", "0x", "-1", "0xffffffffffffffff", "1.0"] {
            assert!(read_uid(wrong).is_err(), "{wrong}");
        }
    }
}
