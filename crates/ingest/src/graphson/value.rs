//! Typed values: `{"@type": "g:Int32", "@value": 29}`. A type that no property can hold is refused by its name.

use crate::error::excerpt;
use crate::text::json::Json;
use crate::text::{
    parse_date, parse_datetime, parse_duration, parse_geometry, parse_local_datetime,
    parse_local_time, parse_time,
};
use millrace_model::temporal::DateTime;
use millrace_model::value::Point;
use millrace_model::{Decimal, Value, uuid};
use std::sync::Arc;

/// Timestamps further away than this from 1970 have no date in Java either.
const MILLIS_MAX: u64 = 100_000_000 * 86_400_000;

/// The reference system of longitudes and latitudes.
const WGS_84: u32 = 4_326;

/// A value, or why it is none.
pub(super) fn parse_value(json: &Json) -> Result<Value, String> {
    match json {
        Json::Null => Ok(Value::Null),
        Json::Bool(truth) => Ok(Value::Bool(*truth)),
        Json::String(text) => Ok(Value::string(text)),
        Json::Number(digits) => match json.as_i64() {
            Some(whole) => Ok(Value::I64(whole)),
            // A whole number of more than 64 bits stays exact.
            None if digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-') => {
                decimal(json).map(|decimal| Value::Decimal(Arc::new(decimal)))
            }
            None => double(json).map(Value::F64),
        },
        Json::Array(items) => values(items).map(|values| Value::List(values.into())),
        Json::Object(_) => match (json.get("@type"), json.get("@value")) {
            (Some(Json::String(name)), Some(value)) => typed(name, value),
            _ => Err("expected a value of GraphSON 3, found an object without @type".into()),
        },
    }
}

fn typed(name: &str, json: &Json) -> Result<Value, String> {
    Ok(match name {
        "g:Int32" => Value::I32(whole(json)?),
        "g:Int64" => Value::I64(whole(json)?),
        "gx:Int16" => Value::I16(whole(json)?),
        "gx:Byte" => Value::I8(whole(json)?),
        "g:Double" => Value::F64(double(json)?),
        "g:Float" => Value::F32(double(json)? as f32),
        "gx:BigInteger" | "gx:BigDecimal" => Value::Decimal(Arc::new(decimal(json)?)),
        "gx:Char" => Value::string(text(json)?),
        "g:UUID" => uuid(text(json)?)?,
        "g:Date" | "g:Timestamp" => millis(whole(json)?)?,
        "gx:Instant" | "gx:OffsetDateTime" => parse_datetime(text(json)?)?,
        "gx:LocalDateTime" => parse_local_datetime(text(json)?)?,
        "gx:LocalDate" => parse_date(text(json)?)?,
        "gx:LocalTime" => parse_local_time(text(json)?)?,
        "gx:OffsetTime" => parse_time(text(json)?)?,
        "gx:Duration" | "gx:Period" => parse_duration(text(json)?)?,
        "g:List" => Value::List(values(items(json)?)?.into()),
        "g:Set" => Value::Set(values(items(json)?)?.into()),
        "g:Map" => map(items(json)?)?,
        "janusgraph:Geoshape" => geometry(json)?,
        other => return Err(format!("the type {} is not loaded", excerpt(other))),
    })
}

fn values(items: &[Json]) -> Result<Vec<Value>, String> {
    items.iter().map(parse_value).collect()
}

fn map(items: &[Json]) -> Result<Value, String> {
    let (pairs, []) = items.as_chunks::<2>() else {
        return Err("the last key of a g:Map has no value".into());
    };
    let pair = |[key, value]: &[Json; 2]| Ok((parse_value(key)?, parse_value(value)?));
    pairs.iter().map(pair).collect::<Result<_, String>>().map(Value::map)
}

/// A shape as JanusGraph exports it: a point on the earth by its longitude and latitude, others as GeoJSON. It has
/// circles too, which no property can hold.
fn geometry(json: &Json) -> Result<Value, String> {
    match (json.get("coordinates"), json.get("geometry")) {
        (Some(coordinates), _) => point(json, coordinates),
        (None, Some(geometry)) => parse_geometry(&geometry.to_string()),
        (None, None) => Err(expected("a shape", json)),
    }
}

fn point(json: &Json, coordinates: &Json) -> Result<Value, String> {
    let coordinates = match coordinates.get("@value") {
        Some(items) => items,
        None => coordinates,
    };
    match values(items(coordinates)?)?.iter().map(Value::as_double).collect::<Vec<_>>()[..] {
        [Some(longitude), Some(latitude)] if longitude.abs() <= 180.0 && latitude.abs() <= 90.0 => {
            let coordinates = vec![longitude, latitude];
            Ok(Value::Point(Arc::new(Point { srid: WGS_84, coordinates })))
        }
        _ => Err(expected("a longitude and a latitude", json)),
    }
}

fn items(json: &Json) -> Result<&[Json], String> {
    json.as_array().ok_or_else(|| expected("an array", json))
}

pub(super) fn text(json: &Json) -> Result<&str, String> {
    json.as_str().ok_or_else(|| expected("a text", json))
}

fn whole<T: TryFrom<i64>>(json: &Json) -> Result<T, String> {
    let whole = json.as_i64().and_then(|whole| T::try_from(whole).ok());
    whole.ok_or_else(|| expected("a whole number that fits its type", json))
}

fn double(json: &Json) -> Result<f64, String> {
    let double = match json.as_str() {
        Some("NaN") => Some(f64::NAN),
        Some("Infinity") => Some(f64::INFINITY),
        Some("-Infinity") => Some(f64::NEG_INFINITY),
        _ => json.as_f64(),
    };
    double.ok_or_else(|| expected("a number", json))
}

/// From a number, or a text that says one.
fn decimal(json: &Json) -> Result<Decimal, String> {
    let digits = match json {
        Json::String(digits) => digits.as_str(),
        Json::Number(digits) => digits,
        _ => return Err(expected("a decimal", json)),
    };
    read_decimal(digits).ok_or_else(|| expected("a decimal of 38 digits", json))
}

/// Digits with an exponent or none, as Java writes them.
fn read_decimal(digits: &str) -> Option<Decimal> {
    let Some((mantissa, exponent)) = digits.split_once(['e', 'E']) else {
        return Decimal::parse(digits);
    };
    let Decimal { unscaled, scale } = Decimal::parse(mantissa)?;
    let scale = i64::from(scale) - exponent.parse::<i64>().ok()?;
    match u32::try_from(scale) {
        Ok(scale) => Some(Decimal { unscaled, scale }),
        Err(_) => {
            let factor = 10_i128.checked_pow(u32::try_from(-scale).ok()?)?;
            Some(Decimal { unscaled: unscaled.checked_mul(factor)?, scale: 0 })
        }
    }
}

fn uuid(text: &str) -> Result<Value, String> {
    let bytes = uuid::parse(text);
    bytes.map(Value::Uuid).ok_or_else(|| format!("expected a UUID, found '{}'", excerpt(text)))
}

fn millis(millis: i64) -> Result<Value, String> {
    if MILLIS_MAX < millis.unsigned_abs() {
        return Err(format!("{millis} ms is too far away to have a date"));
    }
    let nanos = (millis.rem_euclid(1_000) * 1_000_000) as u32;
    Ok(Value::DateTime(DateTime { seconds: millis.div_euclid(1_000), nanos, offset_seconds: 0 }))
}

fn expected(what: &str, json: &Json) -> String {
    format!("expected {what}, found {}", excerpt(&json.to_string()))
}
