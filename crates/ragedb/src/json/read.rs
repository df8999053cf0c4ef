//! Reads JSON: the objects of properties that functions take, and any text for `json.decode`.

use millrace_model::query_limits::{require_room, step, step_bytes};
use millrace_model::value::ValueMap;
use millrace_model::{Error, ErrorKind, Value};

use crate::limits::ANSWER_BYTES_STEP;

/// Reads a JSON object of properties: its keys, ascending, and values.
pub(crate) fn parse_properties(text: &str) -> Result<ValueMap, Error> {
    let bad = |what: String| {
        Error::new(ErrorKind::BadInput, format!("properties are a JSON object: {what}"))
            .with_help(format!("read: {}", text.chars().take(80).collect::<String>()))
    };
    require_room_to_read(text)?;
    match serde_json::from_str::<serde_json::Value>(text) {
        Ok(serde_json::Value::Object(object)) => object
            .into_iter()
            .map(|(key, value)| Ok((Value::string(&key), plain(value)?)))
            .collect(),
        Ok(_) => Err(bad("this is another kind of JSON".into())),
        Err(error) => Err(bad(error.to_string())),
    }
}

/// Bytes of an entry while JSON is read: as its reader has it, in a list that grows, and as a value.
const READ_ENTRY_BYTES: usize = 128;

/// Fails where there is no room for what a text of JSON becomes at most: reading does not ask.
fn require_room_to_read(text: &str) -> Result<(), Error> {
    step_bytes(text.len())?;
    if text.len() <= ANSWER_BYTES_STEP / READ_ENTRY_BYTES {
        return Ok(());
    }
    let entries = text.bytes().filter(|byte| matches!(byte, b',' | b'[' | b'{')).count();
    step(entries as u64)?;
    require_room((2 * text.len() + entries * READ_ENTRY_BYTES) as u64)
}

/// Reads any JSON.
pub(crate) fn parse(text: &str) -> Result<Value, Error> {
    require_room_to_read(text)?;
    let value = serde_json::from_str(text)
        .map_err(|error| Error::new(ErrorKind::BadInput, format!("this is not JSON: {error}")))?;
    plain(value)
}

fn plain(value: serde_json::Value) -> Result<Value, Error> {
    Ok(match value {
        serde_json::Value::Null => Value::Null,
        serde_json::Value::Bool(truth) => Value::Bool(truth),
        serde_json::Value::Number(number) => match number.as_i64() {
            Some(int) => Value::I64(int),
            None => Value::F64(number.as_f64().ok_or_else(|| {
                Error::new(ErrorKind::BadInput, format!("{number} is not a 64-bit number"))
            })?),
        },
        serde_json::Value::String(text) => Value::string(&text),
        serde_json::Value::Array(values) => {
            Value::list(values.into_iter().map(plain).collect::<Result<_, _>>()?)
        }
        serde_json::Value::Object(object) => {
            let pairs =
                object.into_iter().map(|(key, value)| Ok((Value::string(&key), plain(value)?)));
            Value::map(pairs.collect::<Result<_, Error>>()?)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn properties_are_read_with_their_types() {
        let read = parse_properties(r#"{"a":1,"b":1.0,"c":"x","d":[true,null]}"#).expect("reads");
        let expected = [
            ("a", Value::I64(1)),
            ("b", Value::F64(1.0)),
            ("c", Value::from("x")),
            ("d", Value::list(vec![Value::Bool(true), Value::Null])),
        ];
        assert_eq!(read, expected.map(|(key, value)| (Value::from(key), value)));
        for bad in ["", "[]", "{", "{\"a\":}", "1"] {
            let error = parse_properties(bad).expect_err(bad);
            assert_eq!(error.kind, ErrorKind::BadInput);
        }
    }
}
