//! Ranges of an ordered index as ranges of bytes: one meaning for every backend that keeps keys as
//! [`order_key`] makes them.
//!
//! A bound holds only values that *compare* with it, in the sense of a language's `<`: numbers with
//! numbers, and never NaN, which the total order puts above them all.

use millrace_model::{Column, Value, order_key};

use crate::reads::KeyRanges;

/// Byte strings from `start` on and below `end`; without an end, all of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ByteRange {
    /// The first that may be in it.
    pub start: Vec<u8>,
    /// The first behind it.
    pub end: Option<Vec<u8>>,
}

impl ByteRange {
    /// The range of one key.
    pub fn of_key(key: &[u8]) -> ByteRange {
        // Of all byte strings that one alone is below the end.
        ByteRange { start: key.to_vec(), end: Some([key, &[0]].concat()) }
    }

    /// The range of the keys that a question's leaf has.
    pub fn of_keys(from: &[u8], until: &[u8]) -> ByteRange {
        ByteRange { start: from.to_vec(), end: (!until.is_empty()).then(|| until.to_vec()) }
    }

    /// Whether the bytes are in it.
    pub fn contains(&self, bytes: &[u8]) -> bool {
        *self.start <= *bytes && self.end.as_deref().is_none_or(|end| bytes < end)
    }
}

/// The key of one row of an index's columns; `None` if an entry is null or absent.
pub fn key_of_row(columns: &[&Column], row: usize) -> Option<Vec<u8>> {
    let mut key = Vec::with_capacity(columns.len() * 12);
    columns.iter().try_for_each(|column| put(column, row, &mut key))?;
    Some(key)
}

/// The key of the values of one element; `None` if one is null.
pub fn key_of_values(values: &[Value]) -> Option<Vec<u8>> {
    let mut key = Vec::with_capacity(values.len() * 12);
    for value in values {
        if value.is_null() {
            return None;
        }
        order_key::encode(value, &mut key);
    }
    Some(key)
}

/// The keys that a row of ranges asks for; `None` if it finds nothing.
pub fn bytes_of_row(ranges: &KeyRanges<'_>, row: usize) -> Option<ByteRange> {
    let prefix = key_of_row(ranges.prefix, row)?;
    let bound = |column: &Column| column.get(row).filter(compares);
    let lower = ranges.lower.map(|lower| bound(lower.values).map(|value| (value, lower.inclusive)));
    let upper = ranges.upper.map(|upper| bound(upper.values).map(|value| (value, upper.inclusive)));
    let range = match (lower, upper) {
        (None, None) => ByteRange { end: behind(&prefix), start: prefix },
        (Some(None), _) | (_, Some(None)) => return None,
        (Some(Some(lower)), None) => {
            let start = start_of(&prefix, &lower)?;
            ByteRange { start, end: end_of_class(&prefix, &lower.0) }
        }
        (None, Some(Some(upper))) => {
            let start = with(&prefix, &order_key::class_prefix(&upper.0));
            ByteRange { start, end: end_of(&prefix, &upper) }
        }
        (Some(Some(lower)), Some(Some(upper))) => {
            if order_key::class_prefix(&lower.0) != order_key::class_prefix(&upper.0) {
                return None;
            }
            ByteRange { start: start_of(&prefix, &lower)?, end: end_of(&prefix, &upper) }
        }
    };
    let has_some = range.end.as_ref().is_none_or(|end| range.start < *end);
    has_some.then_some(range)
}

fn put(column: &Column, row: usize, key: &mut Vec<u8>) -> Option<()> {
    let value = column.get(row).filter(|value| !value.is_null())?;
    order_key::encode(&value, key);
    Some(())
}

/// Whether anything compares with the value.
fn compares(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::F32(float) => !float.is_nan(),
        Value::F64(double) => !double.is_nan(),
        _ => true,
    }
}

fn start_of(prefix: &[u8], (value, inclusive): &(Value, bool)) -> Option<Vec<u8>> {
    let key = with_value(prefix, value);
    if *inclusive { Some(key) } else { behind(&key) }
}

fn end_of(prefix: &[u8], (value, inclusive): &(Value, bool)) -> Option<Vec<u8>> {
    let key = with_value(prefix, value);
    if *inclusive { behind(&key) } else { Some(key) }
}

fn end_of_class(prefix: &[u8], value: &Value) -> Option<Vec<u8>> {
    match value {
        Value::I8(_)
        | Value::I16(_)
        | Value::I32(_)
        | Value::I64(_)
        | Value::F32(_)
        | Value::F64(_)
        | Value::Decimal(_) => behind(&with_value(prefix, &Value::F64(f64::INFINITY))),
        _ => behind(&with(prefix, &order_key::class_prefix(value))),
    }
}

fn with_value(prefix: &[u8], value: &Value) -> Vec<u8> {
    let mut key = prefix.to_vec();
    order_key::encode(value, &mut key);
    key
}

fn with(prefix: &[u8], more: &[u8]) -> Vec<u8> {
    [prefix, more].concat()
}

/// The first bytes behind all that begin so; `None` if there are none behind.
fn behind(prefix: &[u8]) -> Option<Vec<u8>> {
    Some(order_key::after_prefix(prefix)).filter(|bytes| !bytes.is_empty())
}
