//! Items to values: of parameters, which hold no elements, and of results, which may.
//!
//! The recursion is bounded by the reader's nesting.

use std::sync::Arc;

use millrace_model::{Error, ErrorKind, Phase, Result, Value};

use super::datum::{Datum, Element};
use super::reader::{Item, Reader};
use super::{element, temporal};

/// Entries that room is made for at once.
const ENTRIES_ROOM: usize = 8 << 10;

/// What items are decoded to.
pub trait Decoded: Sized {
    /// A key of a map with what belongs to it.
    type Pair;

    /// A plain value.
    fn of_value(value: Value) -> Self;

    /// A list.
    fn of_list(items: Vec<Self>) -> Self;

    /// A key with what belongs to it.
    fn pair(key: Arc<str>, own: Self) -> Self::Pair;

    /// A map.
    fn of_map(pairs: Vec<Self::Pair>) -> Self;

    /// An element; `None` where none may be.
    fn of_element(element: Element) -> Option<Self>;
}

impl Decoded for Value {
    type Pair = (Value, Value);

    fn of_value(value: Value) -> Value {
        value
    }

    fn of_list(items: Vec<Value>) -> Value {
        Value::list(items)
    }

    fn pair(key: Arc<str>, own: Value) -> (Value, Value) {
        (Value::String(key), own)
    }

    fn of_map(pairs: Vec<(Value, Value)>) -> Value {
        Value::map(pairs)
    }

    fn of_element(_element: Element) -> Option<Value> {
        None
    }
}

impl Decoded for Datum {
    type Pair = (Arc<str>, Datum);

    fn of_value(value: Value) -> Datum {
        Datum::Value(value)
    }

    fn of_list(items: Vec<Datum>) -> Datum {
        Datum::list(items)
    }

    fn pair(key: Arc<str>, own: Datum) -> (Arc<str>, Datum) {
        (key, own)
    }

    fn of_map(pairs: Vec<(Arc<str>, Datum)>) -> Datum {
        Datum::map(pairs)
    }

    fn of_element(element: Element) -> Option<Datum> {
        Some(element.into())
    }
}

/// The next item with all that belongs to it.
pub fn decode<D: Decoded>(reader: &mut Reader<'_>) -> Result<D> {
    let item = reader.item()?;
    Ok(D::of_value(match item {
        Item::Null => Value::Null,
        Item::Bool(truth) => Value::Bool(truth),
        Item::Int(int) => Value::I64(int),
        Item::Float(float) => Value::F64(float),
        Item::Bytes(bytes) => Value::Bytes(Arc::from(bytes)),
        Item::String(text) => Value::String(Arc::from(text)),
        Item::List(count) => {
            return reader.nested(|reader| {
                let mut items = Vec::with_capacity(room(count));
                for _ in 0..count {
                    items.push(decode(reader)?);
                }
                Ok(D::of_list(items))
            });
        }
        Item::Map(count) => {
            return reader.nested(|reader| {
                let mut pairs = Vec::with_capacity(room(count));
                for _ in 0..count {
                    let key = reader.key()?;
                    pairs.push(D::pair(key, decode(reader)?));
                }
                Ok(D::of_map(pairs))
            });
        }
        Item::Structure { tag, fields } => {
            return reader.nested(|reader| structure(reader, tag, fields));
        }
    }))
}

/// The pairs of a map that has begun. Of two equal keys both stay.
pub(in crate::bolt) fn pairs<D: Decoded>(
    reader: &mut Reader<'_>,
    count: usize,
) -> Result<Vec<(Arc<str>, D)>> {
    let pair = |reader: &mut Reader<'_>| Ok((reader.key()?, decode(reader)?));
    (0..count).map(|_| pair(reader)).collect()
}

/// The entries that a list or a map has room for before they are read: the bytes of a long one arrived, but what they
/// are made into is many times as large.
fn room(count: usize) -> usize {
    count.min(ENTRIES_ROOM)
}

fn structure<D: Decoded>(reader: &mut Reader<'_>, tag: u8, fields: usize) -> Result<D> {
    if let Some(value) = temporal::read(reader, tag, fields)? {
        return Ok(D::of_value(value));
    }
    let Some(element) = element::read(reader, tag, fields)? else {
        return Err(reader.bad(format!("there is no structure 0x{tag:02x} of {fields} fields")));
    };
    D::of_element(element)
        .ok_or_else(|| reader.unsupported("a node, a relationship or a path cannot be a parameter"))
}

/// A text, or null.
pub(in crate::bolt) fn optional_text(
    reader: &mut Reader<'_>,
    what: &str,
) -> Result<Option<Arc<str>>> {
    match decode::<Value>(reader)? {
        Value::String(text) => Ok(Some(text)),
        Value::Null => Ok(None),
        other => {
            let detail = format!("`{what}` is a string, and not a {}", other.type_name());
            Err(Error::new(ErrorKind::BadInput, detail).in_phase(Phase::Parse))
        }
    }
}
