//! Values without parts, read by their types and written with them.
//!
//! A number of any type may come as text, as the driver for Node sends its longs, which JavaScript has
//! no numbers for. A BigInteger or BigDecimal that comes as a number is taken only as far as JSON keeps
//! it exactly (zeros at the end aside), and the rest is refused rather than rounded.

use std::sync::Arc;

use millrace_model::temporal::{self, DateTime, Duration, Seconds};
use millrace_model::{Decimal, Error, ErrorKind, Result, Value, uuid};

use super::super::graphbinary::scalar::{
    decimal_of, end_of, of_big_decimal, to_big_decimal, token_of,
};
use super::super::graphbinary::temporal::has_date;
use super::json::{Json, bad};
use super::read::text;
use super::write::Writer;
use super::{Version, iso};
use crate::base64;

/// Digits that a double keeps of any decimal.
const EXACT_DIGITS: usize = 15;

/// The value of a type that has no parts; `None` if it is another type.
pub(super) fn typed(name: &str, json: &Json) -> Result<Option<Value>> {
    if json == &Json::Null && name.starts_with("g") && is_scalar(name) {
        return Ok(Some(Value::Null));
    }
    Ok(Some(match name {
        "g:Int32" => Value::I32(int(json)?),
        "g:Int64" => Value::I64(int(json)?),
        "gx:Int16" => Value::I16(int(json)?),
        "gx:Byte" => Value::I8(int(json)?),
        "g:Double" => Value::F64(double(json)?),
        "g:Float" => Value::F32(double(json)? as f32),
        "gx:BigDecimal" => Value::Decimal(Arc::new(of_big_decimal(decimal(json)?))),
        "gx:BigInteger" => Value::Decimal(Arc::new(integer(json)?)),
        "g:UUID" => Value::Uuid(uuid(json)?),
        "gx:Char" => Value::String(text(json)?),
        "gx:ByteBuffer" => bytes(json)?,
        "g:T" => parsed(json, "a constant of T", token_of).map(Value::Token)?,
        "g:Direction" => parsed(json, "a constant of Direction", end_of).map(Value::Token)?,
        name => return temporal_value(name, json),
    }))
}

fn is_scalar(name: &str) -> bool {
    ["g:Int32", "g:Int64", "g:Double", "g:Float", "g:UUID", "g:Date", "g:Timestamp"].contains(&name)
}

fn temporal_value(name: &str, json: &Json) -> Result<Option<Value>> {
    let timestamp = |what| parsed(json, what, iso::parse_timestamp).map(Value::DateTime);
    Ok(Some(match name {
        "g:Date" | "g:Timestamp" => millis(json)?,
        "gx:Instant" => timestamp("an Instant")?,
        "gx:LocalDateTime" => timestamp("a LocalDateTime")?,
        "gx:OffsetDateTime" => timestamp("an OffsetDateTime")?,
        "gx:ZonedDateTime" => timestamp("a ZonedDateTime")?,
        "gx:LocalDate" => Value::Date(parsed(json, "a LocalDate", iso::parse_date)?),
        "gx:LocalTime" => Value::Time(parsed(json, "a LocalTime", iso::parse_time)?),
        "gx:OffsetTime" => Value::Time(parsed(json, "an OffsetTime", iso::parse_time)?),
        "gx:Duration" => duration(json, "a Duration")?,
        "gx:Period" => duration(json, "a Period")?,
        "gx:InetAddress" | "gx:MonthDay" | "gx:Year" | "gx:YearMonth" | "gx:ZoneOffset" => {
            let detail = format!("GraphSON: {name} is not a value here");
            return Err(Error::new(ErrorKind::Unsupported, detail));
        }
        _ => return Ok(None),
    }))
}

fn parsed<T>(json: &Json, what: &str, parse: impl FnOnce(&str) -> Option<T>) -> Result<T> {
    let text = text(json)?;
    parse(&text).ok_or_else(|| bad(format!("`{text}` is not {what}")))
}

fn duration(json: &Json, what: &str) -> Result<Value> {
    let duration: Duration = parsed(json, what, iso::parse_duration)?;
    Ok(Value::Duration(Arc::new(duration)))
}

fn millis(json: &Json) -> Result<Value> {
    let millis: i64 = int(json)?;
    let nanos = (millis.rem_euclid(1_000) * 1_000_000) as u32;
    let timestamp = DateTime { seconds: millis.div_euclid(1_000), nanos, offset_seconds: 0 };
    if !has_date(timestamp) {
        return Err(bad(format!("{millis} ms is too far away to have a date")));
    }
    Ok(Value::DateTime(timestamp))
}

fn int<T: TryFrom<i64>>(json: &Json) -> Result<T> {
    let int: i64 = match json {
        Json::Int(int) => *int,
        Json::String(text) => {
            text.parse().map_err(|_| bad(format!("`{text}` is not an integer")))?
        }
        other => return Err(bad(format!("expected an integer, and found a {}", other.kind()))),
    };
    T::try_from(int).map_err(|_| bad(format!("{int} does not fit")))
}

fn double(json: &Json) -> Result<f64> {
    Ok(match json {
        Json::Int(int) => *int as f64,
        Json::Large(int) => *int as f64,
        Json::Double(double) => *double,
        Json::String(text) => match text.as_str() {
            "NaN" => f64::NAN,
            "Infinity" => f64::INFINITY,
            "-Infinity" => f64::NEG_INFINITY,
            // Rust also parses words such as `inf` as numbers; none of them ends in a digit.
            other => match other.parse() {
                Ok(double) if other.ends_with(|end: char| end.is_ascii_digit()) => double,
                _ => return Err(bad(format!("`{other}` is not a number"))),
            },
        },
        other => return Err(bad(format!("expected a number, and found a {}", other.kind()))),
    })
}

fn integer(json: &Json) -> Result<Decimal> {
    let decimal = match json {
        Json::Double(_) => None,
        json => Some(decimal(json)?).filter(|decimal| decimal.scale == 0),
    };
    decimal.ok_or_else(|| {
        bad("a BigInteger beyond 64 bits, or no integer").with_help("send it as a string")
    })
}

fn decimal(json: &Json) -> Result<Decimal> {
    let text = match json {
        Json::Int(int) => int.to_string(),
        Json::Large(int) => int.to_string(),
        Json::String(text) => text.clone(),
        Json::Double(double) => {
            let text = format!("{double:?}");
            let digits = text.split('e').next().unwrap_or_default();
            if EXACT_DIGITS < digits.bytes().filter(u8::is_ascii_digit).count() {
                let detail = format!("{text} has more digits than a JSON number keeps");
                return Err(bad(detail).with_help("send it as a string"));
            }
            text
        }
        other => return Err(bad(format!("expected a number, and found a {}", other.kind()))),
    };
    parse_decimal(&text).ok_or_else(|| bad(format!("`{text}` is not a decimal of 38 digits")))
}

/// `-12.5`, `7E+3`, `1e-7`.
fn parse_decimal(text: &str) -> Option<Decimal> {
    let (digits, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let exponent: i64 = exponent.parse::<i32>().ok()?.into();
    let decimal = Decimal::parse(digits)?;
    decimal_of(decimal.unscaled, i64::from(decimal.scale) - exponent)
}

fn uuid(json: &Json) -> Result<[u8; 16]> {
    parsed(json, "a UUID", uuid::parse)
}

fn bytes(json: &Json) -> Result<Value> {
    let bytes = parsed(json, "base64", base64::decode);
    bytes.map(|bytes| Value::Bytes(Arc::from(bytes)))
}

impl Writer {
    pub(super) fn double(&mut self, name: &str, double: f64, digits: &str) {
        let special = match double {
            double if double.is_nan() => "\"NaN\"",
            f64::INFINITY => "\"Infinity\"",
            f64::NEG_INFINITY => "\"-Infinity\"",
            _ => digits,
        };
        self.typed(name, |writer| writer.raw(special));
    }

    pub(super) fn decimal(&mut self, decimal: Decimal) {
        let (name, text) = match decimal.scale {
            0 => ("gx:BigInteger", decimal),
            _ => ("gx:BigDecimal", to_big_decimal(decimal)),
        };
        self.typed(name, |writer| writer.raw(&text.to_string()));
    }

    pub(super) fn timestamp(&mut self, timestamp: DateTime, zone: Option<&str>) -> Result<()> {
        let name = match zone {
            Some(_) => "gx:ZonedDateTime",
            None if timestamp.offset_seconds == DateTime::LOCAL => "gx:LocalDateTime",
            None => "gx:OffsetDateTime",
        };
        let text = iso::timestamp(timestamp).ok_or_else(|| {
            Error::new(ErrorKind::Unsupported, "a timestamp is too far away to have a date")
        })?;
        let zone = zone.map_or(String::new(), |zone| format!("[{zone}]"));
        self.typed_text(name, &format!("{text}{zone}"));
        Ok(())
    }

    /// As a Duration, or as a Period where it has months and no seconds; as text where it has no type.
    pub(super) fn duration(&mut self, value: &Value, duration: &Duration) {
        let Duration { months, days, seconds, nanos } = *duration;
        let typed = match (months, seconds, nanos) {
            _ if self.version == Version::Untyped => None,
            (0, ..) => iso::duration(duration).map(|text| ("gx:Duration", text)),
            (_, 0, 0) => {
                let (years, months) = (months / 12, months % 12);
                Some(("gx:Period", format!("P{years}Y{months}M{days}D")))
            }
            _ => None,
        };
        match typed {
            Some((name, text)) => self.typed_text(name, &text),
            None => self.string(&temporal::text(value, Seconds::Always).unwrap_or_default()),
        }
    }

    pub(super) fn bytes(&mut self, bytes: &[u8]) {
        self.typed_text("gx:ByteBuffer", &base64::encode(bytes));
    }
}
