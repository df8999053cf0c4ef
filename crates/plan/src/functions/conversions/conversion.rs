//! Conversions from one type into another.

use millrace_model::{Result, Value};

use crate::functions::arguments::{bad, misplaced};
use crate::functions::{Function, OnFailure};

/// The rows of this family; see `functions!`.
macro_rules! conversion_rows {
    ([$next:ident $(, $rest:ident)*] $($rows:tt)*) => {
        $next! {
            [$($rest),*] $($rows)*
            /// As a whole number; a fraction is cut off.
            ToInteger(OnFailure): [1, 1], ALL, Fails::May => conversions::conversion::call;
            /// As a double.
            ToDouble(OnFailure): [1, 1], ALL, Fails::May => conversions::conversion::call;
            /// As a boolean.
            ToBoolean(OnFailure): [1, 1], ALL, Fails::May => conversions::conversion::call;
            /// As a text.
            ToText(OnFailure): [1, 1], ALL, Fails::May => conversions::conversion::call;
            /// The word for the value's type.
            TypeName: [1, 1], ALL, Fails::May => conversions::conversion::call;
        }
    };
}

/// 2^63: the first double above all whole numbers of 64 bits.
const INTEGER_BOUND: f64 = 9_223_372_036_854_775_808.0;

pub(in crate::functions) fn call(function: Function, arguments: &[Value]) -> Result<Value> {
    let value = &arguments[0];
    let (converted, on_failure, wanted) = match function {
        Function::ToInteger(on_failure) => (integer(value), on_failure, "a whole number"),
        Function::ToDouble(on_failure) => (double(value), on_failure, "a number"),
        Function::ToBoolean(on_failure) => (boolean(value), on_failure, "true or false"),
        Function::ToText(on_failure) => (text(value), on_failure, "a text"),
        Function::TypeName => return Ok(Value::string(value.type_name())),
        other => return Err(misplaced(other)),
    };
    match (converted, on_failure) {
        (Some(converted), _) => Ok(converted),
        (None, OnFailure::Null) => Ok(Value::Null),
        (None, OnFailure::Error) => Err(bad(format!("this {} is not {wanted}", value.type_name()))),
    }
}

fn integer(value: &Value) -> Option<Value> {
    let whole = |double: f64| {
        (-INTEGER_BOUND..INTEGER_BOUND).contains(&double).then(|| double.trunc() as i64)
    };
    let int = match value {
        Value::Bool(truth) => Some(i64::from(*truth)),
        Value::String(text) => {
            let text = text.trim();
            text.parse().ok().or_else(|| text.parse().ok().and_then(whole))
        }
        other => other.as_int().or_else(|| other.as_double().and_then(whole)),
    };
    int.map(Value::I64)
}

fn double(value: &Value) -> Option<Value> {
    let double = match value {
        Value::String(text) => text.trim().parse().ok(),
        other => other.as_double(),
    };
    double.map(Value::F64)
}

fn boolean(value: &Value) -> Option<Value> {
    match value {
        Value::Bool(_) => Some(value.clone()),
        Value::String(text) if text.trim().eq_ignore_ascii_case("true") => Some(Value::Bool(true)),
        Value::String(text) if text.trim().eq_ignore_ascii_case("false") => {
            Some(Value::Bool(false))
        }
        other => other.as_int().map(|int| Value::Bool(int != 0)),
    }
}

fn text(value: &Value) -> Option<Value> {
    let text = match value {
        Value::String(_) => return Some(value.clone()),
        Value::Bool(truth) => truth.to_string(),
        Value::F32(double) => format!("{double:?}"),
        Value::F64(double) => format!("{double:?}"),
        Value::Decimal(decimal) => decimal.to_string(),
        Value::Date(date) => date.to_string(),
        Value::Time(time) => time.to_string(),
        Value::Duration(duration) => duration.to_string(),
        Value::DateTime(timestamp) => text_of(timestamp)?,
        other => other.as_int()?.to_string(),
    };
    Some(Value::string(&text))
}

/// A timestamp beyond all days has no text.
fn text_of(timestamp: &millrace_model::temporal::DateTime) -> Option<String> {
    use std::fmt::Write;
    let mut text = String::new();
    write!(text, "{timestamp}").ok()?;
    Some(text)
}
