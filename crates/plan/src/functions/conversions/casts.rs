//! Values cast to the types of Gremlin's numbers, to truth and to timestamps, with its messages.
//!
//! Unlike the conversions these never guess: a value that does not fit is an error, and a number
//! without a type asked for stays as wide as it is.

use std::sync::Arc;

use millrace_model::decimal::Decimal;
use millrace_model::temporal::{Date, DateTime};
use millrace_model::{Result, Value};

use crate::functions::arguments::{bad, misplaced};
use crate::functions::{Function, NumberType};

/// The rows of this family; see `functions!`.
macro_rules! casts_rows {
    ([$next:ident $(, $rest:ident)*] $($rows:tt)*) => {
        $next! {
            [$($rest),*] $($rows)*
            /// A number, or a text or timestamp as one, of a type.
            AsNumber(NumberType): [1, 1], ALL, Fails::May => conversions::casts::call;
            /// A boolean, number or text as a boolean.
            AsCondition: [1, 1], ALL, Fails::May => conversions::casts::call;
            /// A timestamp, or a text or milliseconds as one.
            ToDatetime: [1, 1], ALL, Fails::May => conversions::casts::call;
            /// The start of a day, by UTC.
            StartOfDay: [1, 1], ALL, Fails::May => conversions::casts::call;
        }
    };
}

const DAY_SECONDS: i64 = 86_400;

/// 2^127: the first double above all whole numbers of 128 bits.
const WHOLE_BOUND: f64 = 170_141_183_460_469_231_731_687_303_715_884_105_728.0;

pub(in crate::functions) fn call(function: Function, arguments: &[Value]) -> Result<Value> {
    let value = &arguments[0];
    match function {
        Function::AsNumber(wanted) => number(wanted, value),
        Function::AsCondition => truth(value),
        Function::ToDatetime => timestamp(value),
        Function::StartOfDay => match value {
            Value::Date(date) => Ok(midnight(*date)),
            other => Err(bad(format!("{function} expects a day but got a {}", other.type_name()))),
        },
        other => Err(misplaced(other)),
    }
}

fn truth(value: &Value) -> Result<Value> {
    let truth = match value {
        Value::Bool(truth) => Some(*truth),
        Value::String(text) if text.eq_ignore_ascii_case("true") => Some(true),
        Value::String(text) if text.eq_ignore_ascii_case("false") => Some(false),
        Value::String(text) => return Err(bad(format!("Can't parse {text} as Boolean."))),
        Value::Decimal(decimal) => Some(decimal.unscaled != 0),
        number => number.as_double().map(|double| double != 0.0 && !double.is_nan()),
    };
    let wrong = || bad(format!("Can't parse {} as Boolean.", value.type_name()));
    truth.map(Value::Bool).ok_or_else(wrong)
}

fn midnight(date: Date) -> Value {
    let seconds = date.days * DAY_SECONDS;
    Value::DateTime(DateTime { seconds, nanos: 0, offset_seconds: 0 })
}

/// A text by ISO 8601, a whole number as milliseconds from 1970.
fn timestamp(value: &Value) -> Result<Value> {
    let found = match value {
        Value::DateTime(_) | Value::ZonedDateTime(_) => Some(value.clone()),
        Value::Date(date) => Some(midnight(*date)),
        Value::String(text) => {
            let wrong = || bad(format!("Can't parse {text} as DateTime."));
            return DateTime::parse(text).map(Value::DateTime).ok_or_else(wrong);
        }
        other => other.as_int().map(|millis| {
            let nanos = millis.rem_euclid(1_000) as u32 * 1_000_000;
            let seconds = millis.div_euclid(1_000);
            Value::DateTime(DateTime { seconds, nanos, offset_seconds: 0 })
        }),
    };
    found.ok_or_else(|| bad(format!("Can't parse {} as DateTime.", value.type_name())))
}

/// Milliseconds from 1970.
pub(in crate::functions) fn millis(timestamp: DateTime) -> Result<i64> {
    let millis = timestamp.seconds.checked_mul(1_000);
    let millis =
        millis.and_then(|millis| millis.checked_add(i64::from(timestamp.nanos / 1_000_000)));
    millis.ok_or_else(|| bad("a timestamp further off than milliseconds can be counted"))
}

fn number(wanted: NumberType, value: &Value) -> Result<Value> {
    let number = match value {
        Value::String(text) => {
            let wrong = || bad(format!("Can't parse string '{text}' as number."));
            parse(text.trim()).ok_or_else(wrong)?
        }
        Value::DateTime(timestamp) => Value::I64(millis(*timestamp)?),
        number if name(number).is_some() => number.clone(),
        other => {
            let word = if let Value::List(_) = other { "ArrayList" } else { other.type_name() };
            return Err(bad(format!("Can't parse type {word} as number.")));
        }
    };
    if wanted == NumberType::Any {
        return Ok(number);
    }
    let overflow = || {
        let own = name(&number).unwrap_or("Number");
        bad(format!("Can't convert number of type {own} to {wanted:?} due to overflow."))
    };
    cast(wanted, &number).ok_or_else(overflow)
}

/// The name of a number's type.
fn name(number: &Value) -> Option<&'static str> {
    Some(match number {
        Value::I8(_) => "Byte",
        Value::I16(_) => "Short",
        Value::I32(_) => "Integer",
        Value::I64(_) => "Long",
        Value::F32(_) => "Float",
        Value::F64(_) => "Double",
        Value::Decimal(decimal) if decimal.scale == 0 => "BigInteger",
        Value::Decimal(_) => "BigDecimal",
        _ => return None,
    })
}

/// A fraction is cut off where a whole number is wanted; `None` where it does not fit.
fn cast(wanted: NumberType, number: &Value) -> Option<Value> {
    let decimal = |decimal| Value::Decimal(Arc::new(decimal));
    match wanted {
        NumberType::Any => Some(number.clone()),
        NumberType::Byte => i8::try_from(whole(number)?).ok().map(Value::I8),
        NumberType::Short => i16::try_from(whole(number)?).ok().map(Value::I16),
        NumberType::Integer => i32::try_from(whole(number)?).ok().map(Value::I32),
        NumberType::Long => i64::try_from(whole(number)?).ok().map(Value::I64),
        NumberType::Float => {
            let double = double(number)?;
            let float = double as f32;
            (float.is_finite() || !double.is_finite()).then_some(Value::F32(float))
        }
        NumberType::Double => double(number).map(Value::F64),
        NumberType::BigInteger => Some(decimal(Decimal { unscaled: whole(number)?, scale: 0 })),
        NumberType::BigDecimal => {
            let exact = match number {
                Value::Decimal(own) => **own,
                Value::F32(float) => Decimal::parse(&float.to_string())?,
                Value::F64(double) => Decimal::parse(&double.to_string())?,
                int => Decimal { unscaled: whole(int)?, scale: 0 },
            };
            with_digits_behind_the_point(exact).map(decimal)
        }
    }
}

/// One without would be a big integer: see decision 0051.
fn with_digits_behind_the_point(exact: Decimal) -> Option<Decimal> {
    if exact.scale != 0 {
        return Some(exact);
    }
    exact.unscaled.checked_mul(10).map(|unscaled| Decimal { unscaled, scale: 1 })
}

fn double(number: &Value) -> Option<f64> {
    match number {
        Value::Decimal(decimal) => Some(decimal.to_f64()),
        other => other.as_double(),
    }
}

fn whole(number: &Value) -> Option<i128> {
    match number {
        Value::Decimal(decimal) => {
            Some(10i128.checked_pow(decimal.scale).map_or(0, |power| decimal.unscaled / power))
        }
        Value::F32(_) | Value::F64(_) => {
            let double = number.as_double()?;
            (-WHOLE_BOUND..WHOLE_BOUND).contains(&double).then(|| double.trunc() as i128)
        }
        int => int.as_int().map(i128::from),
    }
}

/// The narrowest of `Integer`, `Long` and `BigInteger`; with a point or an exponent a double, or a
/// decimal where only that says all its digits. `0x5` is hexadecimal.
fn parse(text: &str) -> Option<Value> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    if !digits.starts_with(|first: char| first.is_ascii_digit() || first == '.') {
        return None;
    }
    let hexadecimal = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X"));
    if let Some(digits) = hexadecimal {
        let plain = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        let int = i128::from_str_radix(digits, 16).ok().filter(|_| plain)?;
        return Some(narrowest(if negative { -int } else { int }));
    }
    if let Ok(int) = text.parse::<i128>() {
        return Some(narrowest(int));
    }
    let double: f64 = text.parse().ok()?;
    match Decimal::parse(text) {
        Some(exact) if exact.scale == 0 => Some(Value::Decimal(Arc::new(exact))),
        Some(exact) if !says_all(double, exact) => Some(Value::Decimal(Arc::new(exact))),
        _ => Some(Value::F64(double)),
    }
}

/// Whether a double, as it is written, is the decimal.
fn says_all(double: f64, exact: Decimal) -> bool {
    let written = Decimal::parse(&double.to_string());
    written.is_some_and(|written| written.compare(exact).is_eq())
}

fn narrowest(int: i128) -> Value {
    let decimal = || Value::Decimal(Arc::new(Decimal { unscaled: int, scale: 0 }));
    Value::integer_of_width(int, 4).unwrap_or_else(decimal)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn as_number(wanted: NumberType, value: impl Into<Value>) -> Result<Value> {
        Function::AsNumber(wanted).call(&[value.into()])
    }

    fn decimal(text: &str) -> Value {
        Value::Decimal(Arc::new(Decimal::parse(text).expect("reads")))
    }

    #[test]
    fn a_text_is_the_narrowest_number_that_says_it() {
        for (text, number) in [
            ("5", Value::I32(5)),
            (" -0x10 ", Value::I32(-16)),
            ("2147483648", Value::I64(2_147_483_648)),
            ("9223372036854775808", decimal("9223372036854775808")),
            ("5.25", Value::F64(5.25)),
            ("1e3", Value::F64(1_000.0)),
            ("0.1234567890123456789012", decimal("0.1234567890123456789012")),
        ] {
            assert_eq!(as_number(NumberType::Any, text), Ok(number), "{text}");
        }
        for text in ["", "test", "1,000", "NaN", "infinity", "0x", "1e", "+-1", "0x-5"] {
            let error = as_number(NumberType::Any, text).expect_err(text);
            assert_eq!(error.detail, format!("Can't parse string '{text}' as number."));
        }
        as_number(NumberType::Any, true).expect_err("no number");
    }

    #[test]
    fn a_number_keeps_its_width_unless_another_is_asked_for() {
        assert_eq!(as_number(NumberType::Any, Value::I8(5)), Ok(Value::I8(5)));
        assert_eq!(as_number(NumberType::Integer, 5.67), Ok(Value::I32(5)));
        assert_eq!(as_number(NumberType::Byte, Value::I64(-128)), Ok(Value::I8(-128)));
        assert_eq!(as_number(NumberType::Float, Value::F64(0.5)), Ok(Value::F32(0.5)));
        assert_eq!(as_number(NumberType::BigInteger, 7.9), Ok(decimal("7")));
        assert_eq!(as_number(NumberType::BigDecimal, 0.1), Ok(decimal("0.1")));
        assert_eq!(as_number(NumberType::BigDecimal, Value::I32(5)), Ok(decimal("5.0")));
        assert_eq!(as_number(NumberType::Integer, Value::Null), Ok(Value::Null));
    }

    #[test]
    fn a_number_that_does_not_fit_is_an_error() {
        let message = "Can't convert number of type Integer to Byte due to overflow.";
        let error = as_number(NumberType::Byte, Value::I32(300)).expect_err("300");
        assert_eq!(error.detail, message);
        for (wanted, number) in [
            (NumberType::Integer, Value::F64(3e9)),
            (NumberType::Long, Value::F64(f64::NAN)),
            (NumberType::Long, decimal("9223372036854775808")),
            (NumberType::Float, Value::F64(1e300)),
            (NumberType::BigInteger, Value::F64(1e300)),
        ] {
            as_number(wanted, number.clone()).expect_err(&format!("{number:?}"));
        }
    }

    #[test]
    fn zero_and_not_a_number_are_false() {
        let truth = |value: Value| Function::AsCondition.call(&[value]);
        for value in [Value::I32(0), Value::F64(-0.0), Value::F64(f64::NAN), "FALSE".into()] {
            assert_eq!(truth(value.clone()), Ok(Value::Bool(false)), "{value:?}");
        }
        for value in [Value::I32(-1), Value::F64(0.5), "tRUe".into(), Value::Bool(true)] {
            assert_eq!(truth(value.clone()), Ok(Value::Bool(true)), "{value:?}");
        }
        truth("hello".into()).expect_err("no truth");
        truth(Value::list(Vec::new())).expect_err("no truth");
    }

    #[test]
    fn timestamps_and_milliseconds_are_each_other() {
        let timestamp = |value: Value| Function::ToDatetime.call(&[value]);
        for millis in [1_694_017_707_000, -131_587_200_001, 0] {
            let found = timestamp(Value::I64(millis)).expect("a timestamp");
            assert_eq!(as_number(NumberType::Any, found), Ok(Value::I64(millis)));
        }
        assert_eq!(timestamp("1970-01-02".into()), timestamp(Value::I32(86_400_000)));
        for wrong in ["no date".into(), Value::F64(1.0), Value::list(Vec::new())] {
            timestamp(wrong.clone()).expect_err(&format!("{wrong:?}"));
        }
    }
}
