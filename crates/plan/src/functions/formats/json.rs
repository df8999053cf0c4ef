//! JSON (RFC 8259): values as texts, and texts as values. A later value of a key wins.

use millrace_model::temporal::{Seconds, text};
use millrace_model::{Result, Value, query_limits};
use serde_json::Value as Json;

use crate::functions::arguments::{bad, check_bytes};

/// How deep lists and maps may stand inside each other; as deep as `serde_json` reads.
const DEPTH_MAX: usize = 127;

/// Values that are made before the budget is asked again.
const COUNT_UNASKED: usize = 1 << 12;

/// A value as a text.
pub(super) fn write(value: &Value) -> Result<String> {
    let text = json_of(value, 0, &mut 0)?.to_string();
    check_bytes(text.len())?;
    Ok(text)
}

/// The value of a text.
pub(super) fn read(own: &str) -> Result<Value> {
    let json = serde_json::from_str(own);
    json.map(value_of).map_err(|error| bad(format!("this is not JSON: {error}")))
}

/// A value and those in it, `count` of which were made before: a small value may hold one of its parts many times.
fn json_of(value: &Value, depth: usize, count: &mut usize) -> Result<Json> {
    if DEPTH_MAX < depth {
        return Err(bad("lists and maps stand too deep inside each other for JSON"));
    }
    query_limits::step(1)?;
    *count += 1;
    if count.is_multiple_of(COUNT_UNASKED) {
        check_bytes(count.saturating_mul(size_of::<Json>()))?;
    }
    let mut inner = |value: &Value| json_of(value, depth + 1, count);
    Ok(match value {
        Value::Null => Json::Null,
        Value::Bool(truth) => Json::Bool(*truth),
        Value::String(own) => Json::String(own.to_string()),
        Value::List(entries) | Value::Set(entries) => {
            Json::Array(entries.iter().map(inner).collect::<Result<_>>()?)
        }
        Value::Map(pairs) => {
            let pair = |(key, entry): &(Value, Value)| {
                let key = key.as_str().ok_or_else(|| bad("a key of JSON is a text"))?;
                Ok((key.to_owned(), inner(entry)?))
            };
            Json::Object(pairs.iter().map(pair).collect::<Result<_>>()?)
        }
        other => {
            if let Some(int) = other.as_int() {
                Json::from(int)
            } else if let Some(number) = other.as_double() {
                // JSON has no infinity.
                let finite = serde_json::Number::from_f64(number).map(Json::Number);
                finite.unwrap_or_else(|| Json::String(number.to_string()))
            } else if let Some(time) = text(other, Seconds::IfAny) {
                Json::String(time)
            } else {
                let detail = format!("a {} has no JSON text", other.type_name());
                return Err(bad(detail).with_help("write properties(n) for an element n"));
            }
        }
    })
}

fn value_of(json: Json) -> Value {
    match json {
        Json::Null => Value::Null,
        Json::Bool(truth) => Value::Bool(truth),
        Json::Number(number) => match number.as_i64() {
            Some(int) => Value::I64(int),
            None => number.as_f64().map_or(Value::Null, Value::F64),
        },
        Json::String(own) => Value::string(&own),
        Json::Array(entries) => Value::list(entries.into_iter().map(value_of).collect()),
        Json::Object(pairs) => Value::map(
            pairs.into_iter().map(|(key, json)| (Value::string(&key), value_of(json))).collect(),
        ),
    }
}
