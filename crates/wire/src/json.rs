//! JSON by RageDB's rules: a comma and a space between entries, integers exact, doubles with a point.
//!
//! A double that has no JSON form (infinity, NaN) is written as `null`, so that one stored value cannot
//! make a whole answer fail.
//!
//! Values only: elements and typed forms of JSON belong to the protocols that have them.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt::{self, Write};
use std::sync::Arc;

use millrace_model::geometry::geojson;
use millrace_model::property_values::plain_value;
use millrace_model::temporal::{self, Seconds};
use millrace_model::value::ValueMap;
use millrace_model::{Error, ErrorKind, Result, Value};

use serde::de::{self, DeserializeSeed, MapAccess, SeqAccess, Visitor};

use crate::known_keys::KnownKeys;
use crate::limits::NESTING_MAX;

/// The JSON text of a value.
pub fn to_json(value: &Value) -> String {
    let mut text = String::new();
    write_value(&mut text, value);
    text
}

/// Appends the JSON text of a value.
pub fn write_value(text: &mut String, value: &Value) {
    match value {
        Value::Null => text.push_str("null"),
        Value::Bool(truth) => text.push_str(if *truth { "true" } else { "false" }),
        Value::String(string) => write_string(text, string),
        Value::List(values) | Value::Set(values) => write_array(text, values),
        Value::Vector(_) => write_value(text, &value.clone().vectors_as_lists()),
        Value::Geometry(shape) => geojson::write(text, shape),
        Value::Map(pairs) => write_object(text, pairs),
        Value::MapEntry(entry) => write_object(text, std::slice::from_ref(&**entry)),
        Value::PropertyValues(_) => write_value(text, &plain_value(value)),
        Value::Vertex(vertex) => write_display(text, vertex),
        Value::Edge(edge) => write_display(text, edge),
        Value::F32(_) | Value::F64(_) => {
            write_double(text, value.as_double().unwrap_or(f64::NAN));
        }
        other => match other.as_int() {
            Some(int) => write_display(text, int),
            None => write_string(text, &plain_text(other)),
        },
    }
}

fn write_array(text: &mut String, values: &[Value]) {
    text.push('[');
    for (index, value) in values.iter().enumerate() {
        separate(text, index);
        write_value(text, value);
    }
    text.push(']');
}

fn write_object(text: &mut String, pairs: &[(Value, Value)]) {
    text.push('{');
    for (index, (key, value)) in pairs.iter().enumerate() {
        separate(text, index);
        match key.as_str() {
            Some(key) => write_string(text, key),
            None => write_string(text, &plain_text(key)),
        }
        text.push_str(": ");
        write_value(text, value);
    }
    text.push('}');
}

fn separate(text: &mut String, index: usize) {
    if 0 < index {
        text.push_str(", ");
    }
}

fn write_display(text: &mut String, value: impl fmt::Display) {
    write!(text, "{value}").expect("a string takes any text");
}

/// The shortest digits that read back as the same double; a whole one keeps its point.
fn write_double(text: &mut String, double: f64) {
    if double.is_finite() {
        write!(text, "{double:?}").expect("a string takes any text");
    } else {
        text.push_str("null");
    }
}

/// The text of a value that has no JSON form of its own.
fn plain_text(value: &Value) -> String {
    match value {
        Value::Decimal(decimal) => decimal.to_string(),
        Value::Date(date) => date.to_string(),
        Value::Time(time) => time.to_string(),
        Value::DateTime(timestamp) => timestamp.to_string(),
        Value::ZonedDateTime(zoned) => format!("{}[{}]", zoned.0, zoned.1),
        Value::Duration(_) => temporal::text(value, Seconds::Always).unwrap_or_default(),
        Value::Point(point) => point.to_string(),
        Value::Geometry(shape) => geojson::text(shape),
        Value::I8(_) | Value::I16(_) | Value::I32(_) | Value::I64(_) => {
            value.as_int().map_or_else(String::new, |int| int.to_string())
        }
        other => format!("{other:?}"),
    }
}

/// Appends a JSON string.
pub fn write_string(text: &mut String, string: &str) {
    let is_escaped = |byte: u8| byte < b' ' || byte == b'"' || byte == b'\\';
    if string.bytes().any(is_escaped) {
        return text.push_str(&serde_json::to_string(string).expect("each string has a JSON form"));
    }
    text.push('"');
    text.push_str(string);
    text.push('"');
}

/// Reads one JSON value; an integer beyond 64 bits is refused, never rounded. Of a name that an object has twice the last
/// value counts.
pub fn parse(bytes: &[u8]) -> Result<Value> {
    parse_beside(bytes, &mut KnownKeys::default())
}

/// The same, with the keys of what was read before.
pub fn parse_beside(bytes: &[u8], keys: &mut KnownKeys) -> Result<Value> {
    let (refused, keys, may_be_integer) = (Cell::new(None), RefCell::new(keys), Cell::new(false));
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    let reading =
        Reading { depth: 0, refused: &refused, keys: &keys, may_be_integer: &may_be_integer };
    let read = reading.deserialize(&mut reader);
    let read = read.and_then(|value| reader.end().map(|()| value));
    let value = read.map_err(|error| {
        refused.take().unwrap_or_else(|| bad(format!("the body is not JSON: {error}")))
    })?;
    match may_be_integer.get().then(|| integer_beyond_64_bits(bytes)).flatten() {
        Some(int) => Err(refused_integer(int)),
        None => Ok(value),
    }
}

/// Reads a JSON object of properties; an empty body is no properties.
pub fn parse_object(bytes: &[u8]) -> Result<ValueMap> {
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Ok(ValueMap::new());
    }
    match parse(bytes)? {
        Value::Map(pairs) => Ok(pairs.to_vec()),
        other => Err(bad(format!("the body is a JSON {}", other.type_name()))
            .with_help("send an object: {\"name\": value}")),
    }
}

/// Reads a value into the database's own type at once: a tree of the parser's between them costs as much again.
#[derive(Clone, Copy)]
struct Reading<'r> {
    depth: usize,
    keys: &'r RefCell<&'r mut KnownKeys>,
    /// Whether a double is so large that its text may be that of an integer.
    may_be_integer: &'r Cell<bool>,
    /// What is wrong with JSON that is well formed.
    refused: &'r Cell<Option<Error>>,
}

impl Reading<'_> {
    fn refuse<E: de::Error>(self, error: Error) -> E {
        self.refused.set(Some(error));
        E::custom("it was refused")
    }

    fn deeper<E: de::Error>(self) -> std::result::Result<Self, E> {
        if NESTING_MAX <= self.depth {
            return Err(self.refuse(bad(format!("the body nests deeper than {NESTING_MAX}"))));
        }
        Ok(Reading { depth: self.depth + 1, ..self })
    }
}

impl<'de> DeserializeSeed<'de> for Reading<'_> {
    type Value = Value;

    fn deserialize<D: de::Deserializer<'de>>(
        self,
        reader: D,
    ) -> std::result::Result<Value, D::Error> {
        reader.deserialize_option(self)
    }
}

impl<'de> Visitor<'de> for Reading<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_none<E: de::Error>(self) -> std::result::Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_some<D: de::Deserializer<'de>>(
        self,
        reader: D,
    ) -> std::result::Result<Value, D::Error> {
        reader.deserialize_any(self)
    }

    fn visit_bool<E: de::Error>(self, truth: bool) -> std::result::Result<Value, E> {
        Ok(Value::Bool(truth))
    }

    fn visit_i64<E: de::Error>(self, int: i64) -> std::result::Result<Value, E> {
        Ok(Value::I64(int))
    }

    fn visit_u64<E: de::Error>(self, int: u64) -> std::result::Result<Value, E> {
        i64::try_from(int).map(Value::I64).map_err(|_| self.refuse(refused_integer(int)))
    }

    fn visit_f64<E: de::Error>(self, double: f64) -> std::result::Result<Value, E> {
        if INTEGERS_END <= double.abs() {
            self.may_be_integer.set(true);
        }
        Ok(Value::F64(double))
    }

    fn visit_str<E: de::Error>(self, text: &str) -> std::result::Result<Value, E> {
        Ok(Value::from(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut entries: A) -> std::result::Result<Value, A::Error> {
        let own = self.deeper()?;
        let mut values = Vec::new();
        while let Some(value) = entries.next_element_seed(own)? {
            values.push(value);
        }
        Ok(Value::list(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> std::result::Result<Value, A::Error> {
        let own = self.deeper()?;
        let mut pairs = ValueMap::new();
        while let Some(key) = entries.next_key_seed(Name(own.keys))? {
            pairs.push((key, entries.next_value_seed(own)?));
        }
        Ok(Value::map(only_last(pairs)))
    }
}

/// 2^63: the parser reads an integer from here on as a double, if it does not fit 64 bits without a sign either.
const INTEGERS_END: f64 = 9_223_372_036_854_775_808.0;

/// The first number of a text in JSON that is written as an integer and does not fit 64 bits.
fn integer_beyond_64_bits(json: &[u8]) -> Option<&str> {
    let (mut at, mut is_string) = (0, false);
    while let Some(byte) = json.get(at) {
        match byte {
            b'\\' if is_string => at += 1,
            b'"' => is_string = !is_string,
            b'-' | b'0'..=b'9' if !is_string => {
                let is_of_number = |byte: &u8| b"+-.eE".contains(byte) || byte.is_ascii_digit();
                let rest = &json[at..];
                let length = rest.iter().take_while(|byte| is_of_number(byte)).count();
                let number = std::str::from_utf8(&rest[..length]).ok()?;
                let is_integer = number.bytes().all(|byte| byte == b'-' || byte.is_ascii_digit());
                if is_integer && number.parse::<i64>().is_err() {
                    return Some(number);
                }
                at += length - 1;
            }
            _ => {}
        }
        at += 1;
    }
    None
}

fn refused_integer(int: impl fmt::Display) -> Error {
    bad(format!("{int} is not a 64-bit integer")).with_help("send it as a string")
}

/// The key of a field.
struct Name<'r>(&'r RefCell<&'r mut KnownKeys>);

impl<'de> DeserializeSeed<'de> for Name<'_> {
    type Value = Value;

    fn deserialize<D: de::Deserializer<'de>>(
        self,
        reader: D,
    ) -> std::result::Result<Value, D::Error> {
        reader.deserialize_str(self)
    }
}

impl Visitor<'_> for Name<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> std::result::Result<Value, E> {
        Ok(Value::String(self.0.borrow_mut().key(text)))
    }
}

/// Pairs with more names than this are compared by a table.
const COMPARED_MAX: usize = 16;

/// The pairs, each name once: in the order of first mention, with the last value.
fn only_last(pairs: ValueMap) -> ValueMap {
    let name = |pair: &(Value, Value)| match &pair.0 {
        Value::String(name) => Arc::clone(name),
        _ => Arc::from(""),
    };
    if pairs.len() <= COMPARED_MAX {
        let is_new = |index: usize| pairs[..index].iter().all(|(key, _)| *key != pairs[index].0);
        if (0..pairs.len()).all(is_new) {
            return pairs;
        }
    }
    let mut known = HashMap::with_capacity(pairs.len());
    let mut once = ValueMap::with_capacity(pairs.len());
    for pair in pairs {
        match known.entry(name(&pair)) {
            Entry::Vacant(entry) => {
                entry.insert(once.len());
                once.push(pair);
            }
            Entry::Occupied(entry) => once[*entry.get()].1 = pair.1,
        }
    }
    once
}

fn bad(detail: String) -> Error {
    Error::new(ErrorKind::BadInput, detail)
}

#[cfg(test)]
mod tests {
    use millrace_model::Geometry;

    use super::*;

    #[test]
    fn written_json_reads_back() {
        let text = r#"{"a": 1, "b": 1.0, "c": "x\ny", "d": [true, null, {"e": -0.5}], "f": 1e300}"#;
        assert_eq!(to_json(&parse(text.as_bytes()).unwrap()), text);
    }

    #[test]
    fn a_geometry_is_geojson() {
        let point = Value::from(Geometry::Point([1.5, 2.0]));
        let value = Value::map(vec![("at".into(), point)]);
        assert_eq!(to_json(&value), r#"{"at": {"type":"Point","coordinates":[1.5,2]}}"#);
    }

    #[test]
    fn integers_are_exact_or_refused() {
        assert_eq!(parse(b"9223372036854775807").unwrap(), Value::I64(i64::MAX));
        assert_eq!(parse(b"-9223372036854775808").unwrap(), Value::I64(i64::MIN));
        assert_eq!(parse(b"1e20").unwrap(), Value::F64(1e20));
        assert_eq!(parse(b"[\"99999999999999999999\", 1E+20]").map(drop), Ok(()));
        for int in ["9223372036854775808", "-9223372036854775809", "99999999999999999999"] {
            let error = parse(format!("{{\"a\": [1e30, {int}]}}").as_bytes()).unwrap_err();
            assert_eq!(error.detail, format!("{int} is not a 64-bit integer"));
        }
    }

    #[test]
    fn of_a_name_that_stands_twice_the_last_value_counts() {
        let twice = |count: usize| {
            let names = (0..count).chain([1]).map(|name| format!("\"{name}\": {name}"));
            format!("{{{}, \"1\": 7}}", names.collect::<Vec<_>>().join(", "))
        };
        for count in [2, 40] {
            let Value::Map(pairs) = parse(twice(count).as_bytes()).unwrap() else {
                panic!("a map")
            };
            assert_eq!((pairs.len(), &pairs[1].1), (count, &Value::I64(7)));
        }
        for wrong in ["1 2", "{\"a\": 1} x", "", "{\"a\"}", "[1,]"] {
            assert!(parse(wrong.as_bytes()).unwrap_err().detail.contains("not JSON"), "{wrong}");
        }
    }

    /// Symptom: a double that is written is another one when read. Shape: 17 digits. Bound: none is.
    #[test]
    fn doubles_are_read_to_the_last_bit() {
        for double in [2.9444975220538543e-90, 2.4350679980572088e190, 0.1 + 0.2, f64::MIN_POSITIVE]
        {
            let text = to_json(&Value::F64(double));
            assert_eq!(parse(text.as_bytes()).unwrap(), Value::F64(double), "{text}");
        }
    }

    #[test]
    fn a_double_without_a_json_form_is_null() {
        let value = Value::list(vec![Value::F64(f64::INFINITY), Value::F64(7.0)]);
        assert_eq!(to_json(&value), "[null, 7.0]");
    }

    #[test]
    fn strings_are_escaped_where_json_asks_for_it() {
        let mut text = String::new();
        write_string(&mut text, "\"\\/\n\r\t\u{8}\u{c}\0\u{1f}\u{7f}é\u{2028}");
        assert_eq!(text, "\"\\\"\\\\/\\n\\r\\t\\b\\f\\u0000\\u001f\u{7f}é\u{2028}\"");
    }

    #[test]
    fn properties_are_an_object_or_nothing() {
        assert_eq!(parse_object(b" \n").unwrap(), Vec::new());
        for bad in ["[]", "1", "{", "{\"a\":}"] {
            assert_eq!(
                parse_object(bad.as_bytes()).unwrap_err().kind,
                ErrorKind::BadInput,
                "{bad}"
            );
        }
        let deep = "[".repeat(500) + &"]".repeat(500);
        assert_eq!(parse(deep.as_bytes()).unwrap_err().kind, ErrorKind::BadInput);
    }
}
