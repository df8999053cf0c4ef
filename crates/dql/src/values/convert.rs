//! A stored value as one of the type that its predicate has now: `/alter` changes how values are read, and another
//! language may have stored one of any type.

use millrace_model::temporal::DateTime;
use std::cmp::Ordering;

use millrace_model::compare::total;
use millrace_model::{Decimal, Value};

use super::read::read;
use super::write::write_text;
use crate::schema::Kind;

/// The value as one of a type; none where it has no such form, and then it is left out.
pub(crate) fn converted(value: &Value, kind: Kind) -> Option<Value> {
    match kind {
        Kind::Default => Some(value.clone()),
        Kind::String => Some(match value {
            Value::String(_) => value.clone(),
            other => Value::from(&*write_text(other)),
        }),
        Kind::Int => match value {
            Value::I64(_) => Some(value.clone()),
            Value::DateTime(instant) => Some(Value::I64(instant.seconds)),
            Value::Bool(truth) => Some(Value::I64(i64::from(*truth))),
            Value::String(text) => read(text, kind).ok(),
            other => whole(number(other)?),
        },
        Kind::Float => match value {
            Value::F64(_) => Some(value.clone()),
            Value::DateTime(instant) => Some(Value::F64(instant.seconds_as_double())),
            Value::Bool(truth) => Some(Value::F64(f64::from(u8::from(*truth)))),
            Value::String(text) => read(text, kind).ok(),
            other => number(other).map(Value::F64),
        },
        Kind::Bool => match value {
            Value::Bool(_) => Some(value.clone()),
            Value::String(text) => read(text, kind).ok(),
            other => number(other).map(|number| Value::Bool(number != 0.0)),
        },
        Kind::DateTime => match value {
            Value::DateTime(_) => Some(value.clone()),
            Value::Date(date) => Some(Value::DateTime(DateTime::at_start_of(*date))),
            Value::ZonedDateTime(zoned) => Some(Value::DateTime(zoned.0)),
            Value::String(text) => read(text, kind).ok(),
            other => {
                let seconds = number(other)?;
                DateTime::from_seconds(seconds).map(Value::DateTime)
            }
        },
        Kind::BigFloat => match value {
            Value::Decimal(_) => Some(value.clone()),
            Value::String(text) => read(text, kind).ok(),
            other => {
                let decimal = Decimal::parse(&format!("{}", number(other)?))?;
                Some(Value::Decimal(decimal.into()))
            }
        },
        Kind::Vector => match value {
            Value::Vector(_) => Some(value.clone()),
            Value::String(text) => read(text, kind).ok(),
            _ => None,
        },
        Kind::Geo => match value {
            Value::Geometry(_) => Some(value.clone()),
            Value::String(text) => read(text, kind).ok(),
            _ => None,
        },
        Kind::Password => matches!(value, Value::String(_)).then(|| value.clone()),
        Kind::Uid => Some(value.clone()),
    }
}

/// The order of two values: numbers by their sizes, texts by their characters, points in time as they come.
pub(crate) fn compare(one: &Value, other: &Value) -> Ordering {
    total(one, other)
}

/// A number as a double.
pub(super) fn number(value: &Value) -> Option<f64> {
    match value {
        Value::I8(number) => Some(f64::from(*number)),
        Value::I16(number) => Some(f64::from(*number)),
        Value::I32(number) => Some(f64::from(*number)),
        Value::I64(number) => Some(*number as f64),
        Value::F32(number) => Some(f64::from(*number)),
        Value::F64(number) => Some(*number),
        Value::Decimal(decimal) => Some(decimal.to_f64()),
        _ => None,
    }
}

/// A double without its fraction, if it is in the range of integers.
fn whole(number: f64) -> Option<Value> {
    const END: f64 = 9_223_372_036_854_775_808.0;
    let is_in_range = (-END..END).contains(&number);
    is_in_range.then(|| Value::I64(number as i64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_float_read_as_an_integer_loses_its_fraction_and_a_text_is_read() {
        assert_eq!(converted(&Value::F64(1.6), Kind::Int), Some(Value::I64(1)));
        assert_eq!(converted(&Value::from("7"), Kind::Int), Some(Value::I64(7)));
        assert_eq!(converted(&Value::from("x"), Kind::Int), None);
        assert_eq!(converted(&Value::I64(7), Kind::String), Some(Value::from("7")));
        assert_eq!(converted(&Value::Bool(true), Kind::Float), Some(Value::F64(1.0)));
        assert_eq!(converted(&Value::F64(9.25e18), Kind::Int), None);
    }
}
