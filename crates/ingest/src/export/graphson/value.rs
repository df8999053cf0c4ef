//! Typed values, as the reader of GraphSON takes them.

use super::super::scan::no_word;
use super::super::text::{double_text, duration_seconds};
use millrace_model::geometry::geojson;
use millrace_model::temporal::{DateTime, Duration};
use millrace_model::{Error, Result, Value, uuid};

/// The owner of a value, for the refusal: the element, and the key.
pub(super) type Owner<'a> = (&'a dyn Fn() -> String, &'a str);

/// Appends a value.
pub(super) fn push_value(value: &Value, owner: Owner<'_>, text: &mut String) -> Result<()> {
    let typed = |name: &str, value: &dyn std::fmt::Display| {
        format!("{{\"@type\":\"{name}\",\"@value\":{value}}}")
    };
    let quoted = |name: &str, value: &dyn std::fmt::Display| {
        format!("{{\"@type\":\"{name}\",\"@value\":\"{value}\"}}")
    };
    let plain = match value {
        Value::Null => "null".to_owned(),
        Value::Bool(truth) => truth.to_string(),
        Value::I8(number) => typed("gx:Byte", number),
        Value::I16(number) => typed("gx:Int16", number),
        Value::I32(number) => typed("g:Int32", number),
        Value::I64(number) => typed("g:Int64", number),
        Value::F32(number) => typed("g:Float", &double(f64::from(*number), &format!("{number:?}"))),
        Value::F64(number) => typed("g:Double", &double(*number, &format!("{number:?}"))),
        Value::Decimal(decimal) if decimal.scale == 0 => typed("gx:BigInteger", decimal),
        Value::Decimal(decimal) => typed("gx:BigDecimal", decimal),
        Value::String(value) => {
            push_text(value, text);
            return Ok(());
        }
        Value::Uuid(bytes) => quoted("g:UUID", &uuid::text(*bytes)),
        Value::Date(date) => quoted("gx:LocalDate", date),
        Value::Time(time) if time.offset_seconds.is_none() => quoted("gx:LocalTime", time),
        Value::Time(time) => quoted("gx:OffsetTime", time),
        Value::DateTime(timestamp) if timestamp.offset_seconds == DateTime::LOCAL => {
            quoted("gx:LocalDateTime", timestamp)
        }
        Value::DateTime(timestamp) => quoted("gx:OffsetDateTime", timestamp),
        Value::Duration(duration) => duration_of(duration, owner)?,
        Value::List(values) => return push_all("g:List", values, owner, text),
        Value::Vector(_) => return push_value(&value.clone().vectors_as_lists(), owner, text),
        Value::Set(values) => return push_all("g:Set", values, owner, text),
        Value::Map(pairs) => {
            let flat: Vec<Value> =
                pairs.iter().flat_map(|(key, value)| [key.clone(), value.clone()]).collect();
            return push_all("g:Map", &flat, owner, text);
        }
        Value::Geometry(shape) => {
            typed("janusgraph:Geoshape", &format!("{{\"geometry\":{}}}", geojson::text(shape)))
        }
        Value::Bytes(_)
        | Value::ZonedDateTime(_)
        | Value::Point(_)
        | Value::PropertyValues(_)
        | Value::MapEntry(_)
        | Value::Vertex(_)
        | Value::Edge(_)
        | Value::Path(_)
        | Value::VertexProperty(_)
        | Value::Property(_)
        | Value::Tree(_)
        | Value::Token(_)
        | Value::Subgraph(_) => return Err(refused(owner, &format!("a {}", value.type_name()))),
    };
    text.push_str(&plain);
    Ok(())
}

fn refused((of, key): Owner<'_>, what: &str) -> Error {
    no_word("GraphSON", &of(), key, what, "export as CSV, or remove the property")
}

fn push_all(name: &str, values: &[Value], owner: Owner<'_>, text: &mut String) -> Result<()> {
    text.push_str(&format!("{{\"@type\":\"{name}\",\"@value\":["));
    for (place, value) in values.iter().enumerate() {
        if place != 0 {
            text.push(',');
        }
        push_value(value, owner, text)?;
    }
    text.push_str("]}");
    Ok(())
}

/// JSON has no number for NaN and the infinities: they are strings.
fn double(number: f64, shown: &str) -> String {
    let shown = double_text(number, shown);
    if number.is_finite() { shown } else { format!("\"{shown}\"") }
}

/// In Java a period has months and days, and a duration days and seconds.
fn duration_of(duration: &Duration, owner: Owner<'_>) -> Result<String> {
    let Duration { months, days, seconds, nanos } = *duration;
    let (name, text) = match (months, seconds, nanos) {
        (0, _, _) => ("gx:Duration", format!("P{days}DT{}S", duration_seconds(seconds, nanos))),
        (_, 0, 0) => ("gx:Period", format!("P{months}M{days}D")),
        _ => return Err(refused(owner, "a duration of both months and seconds")),
    };
    Ok(format!("{{\"@type\":\"{name}\",\"@value\":\"{text}\"}}"))
}

/// Appends a text in quotes.
pub(super) fn push_text(value: &str, text: &mut String) {
    text.push_str(&serde_json::Value::from(value).to_string());
}
