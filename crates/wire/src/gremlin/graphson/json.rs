//! JSON as it came: keys in their order, integers exact.
//!
//! `serde_json`'s own tree sorts keys, but a map of Gremlin has an order. The bound on nesting is that
//! of `serde_json`, 128.

use std::cell::Cell;
use std::fmt;
use std::result::Result as StdResult;

use millrace_model::{Error, ErrorKind, Result};
use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};

use crate::limits::DATA_MAX;

/// A JSON value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Json {
    Null,
    Bool(bool),
    Int(i64),
    /// An integer above the range of `i64`.
    Large(u64),
    Double(f64),
    String(String),
    Array(Vec<Json>),
    Object(Vec<(String, Json)>),
}

impl Json {
    /// Reads one value, which is all there is.
    pub(crate) fn parse(bytes: &[u8]) -> Result<Json> {
        let mut deserializer = serde_json::Deserializer::from_slice(bytes);
        let found = Counted(&Cell::new(0)).deserialize(&mut deserializer);
        let found = found.and_then(|json| deserializer.end().map(|()| json));
        found.map_err(|error| bad(format!("no JSON: {error}")))
    }

    /// The entry of an object.
    pub(crate) fn get(&self, key: &str) -> Option<&Json> {
        match self {
            Json::Object(pairs) => pairs.iter().find(|(name, _)| name == key).map(|(_, json)| json),
            _ => None,
        }
    }

    /// The text of a string.
    pub(crate) fn as_str(&self) -> Option<&str> {
        match self {
            Json::String(text) => Some(text),
            _ => None,
        }
    }

    /// The word for its kind, in messages.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Json::Null => "null",
            Json::Bool(_) => "boolean",
            Json::Int(_) | Json::Large(_) | Json::Double(_) => "number",
            Json::String(_) => "string",
            Json::Array(_) => "array",
            Json::Object(_) => "object",
        }
    }
}

pub(crate) fn bad(detail: impl fmt::Display) -> Error {
    Error::new(ErrorKind::BadInput, format!("GraphSON: {detail}"))
}

/// Reads JSON, and counts the values read.
#[derive(Clone, Copy)]
struct Counted<'a>(&'a Cell<usize>);

impl<'de> DeserializeSeed<'de> for Counted<'_> {
    type Value = Json;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> StdResult<Json, D::Error> {
        self.0.set(self.0.get() + 1);
        if DATA_MAX < self.0.get() {
            return Err(D::Error::custom(format!("a message holds at most {DATA_MAX} things")));
        }
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Counted<'_> {
    type Value = Json;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> StdResult<Json, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E>(self, truth: bool) -> StdResult<Json, E> {
        Ok(Json::Bool(truth))
    }

    fn visit_i64<E>(self, int: i64) -> StdResult<Json, E> {
        Ok(Json::Int(int))
    }

    fn visit_u64<E>(self, int: u64) -> StdResult<Json, E> {
        Ok(i64::try_from(int).map_or(Json::Large(int), Json::Int))
    }

    fn visit_f64<E>(self, double: f64) -> StdResult<Json, E> {
        Ok(Json::Double(double))
    }

    fn visit_str<E>(self, text: &str) -> StdResult<Json, E> {
        Ok(Json::String(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> StdResult<Json, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = seq.next_element_seed(self)? {
            items.push(item);
        }
        Ok(Json::Array(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> StdResult<Json, A::Error> {
        let mut pairs = Vec::new();
        while let Some(key) = map.next_key()? {
            pairs.push((key, map.next_value_seed(self)?));
        }
        Ok(Json::Object(pairs))
    }
}
