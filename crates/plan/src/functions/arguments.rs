//! Arguments by the type a function wants, and the messages where they are of another.

use millrace_model::value::ValueMap;
use millrace_model::{Error, ErrorKind, Result, Value, query_limits};

use super::{Function, IndexMode, Outside};
use crate::base::limits;

pub(super) fn bad(detail: impl Into<String>) -> Error {
    Error::new(ErrorKind::BadQuery, detail)
}

/// A row names the file of another family: a bug of this crate.
pub(super) fn misplaced(function: Function) -> Error {
    Error::new(ErrorKind::Bug, format!("{function} was called as one of another family"))
}

fn wrong(function: Function, wanted: &str, found: &Value) -> Error {
    let detail = format!("{function} expects {wanted} but got a {}", found.type_name());
    bad(detail).with_name("InvalidArgumentType")
}

pub(super) fn text(function: Function, value: &Value) -> Result<&str> {
    value.as_str().ok_or_else(|| wrong(function, "a text", value))
}

pub(super) fn int(function: Function, value: &Value) -> Result<i64> {
    value.as_int().ok_or_else(|| wrong(function, "a whole number", value))
}

pub(super) fn double(function: Function, value: &Value) -> Result<f64> {
    value.as_double().ok_or_else(|| wrong(function, "a number", value))
}

pub(super) fn list(function: Function, value: &Value) -> Result<&[Value]> {
    match value {
        Value::List(values) | Value::Set(values) => Ok(values),
        other => Err(wrong(function, "a list", other)),
    }
}

pub(super) fn map(function: Function, value: &Value) -> Result<&ValueMap> {
    match value {
        Value::Map(pairs) => Ok(pairs),
        other => Err(wrong(function, "a map", other)),
    }
}

/// A list, if it is not too long: of one that is, no more is made. Deadline and budget are asked meanwhile.
pub(super) fn bounded_list(values: impl IntoIterator<Item = Value>) -> Result<Value> {
    let values = values.into_iter();
    check_entries(values.size_hint().0)?;
    let mut list = Vec::with_capacity(values.size_hint().0);
    for value in values {
        query_limits::step(query_limits::work_of(&value))?;
        if list.len() == limits::LIST_ENTRIES_MAX {
            check_entries(list.len() + 1)?;
        } else if list.len() == list.capacity() {
            query_limits::require_room((2 * list.len() * size_of::<Value>()) as u64)?;
        }
        list.push(value);
    }
    Ok(Value::list(list))
}

/// Whether a list of so many entries may be made.
pub(super) fn check_entries(count: usize) -> Result<()> {
    let limit = limits::LIST_ENTRIES_MAX;
    if count <= limit {
        query_limits::step(count as u64)?;
        return query_limits::require_room(count.saturating_mul(size_of::<Value>()) as u64);
    }
    let detail = format!("a list of more than {limit} entries");
    Err(Error::new(ErrorKind::LimitReached, detail).with_help("unwind rows instead"))
}

/// Whether a text of so many bytes may be made.
pub(super) fn check_bytes(bytes: usize) -> Result<()> {
    let limit = limits::TEXT_BYTES_MAX;
    if bytes <= limit {
        return query_limits::require_room(bytes as u64);
    }
    Err(Error::new(ErrorKind::LimitReached, format!("a text of more than {limit} bytes")))
}

/// The place, from 0, that a number means among `len`; `None` if it is not there.
pub(super) fn place(mode: IndexMode, number: i64, len: usize) -> Result<Option<usize>> {
    let len = i64::try_from(len).unwrap_or(i64::MAX);
    let first = i64::from(mode.first);
    let place = if mode.from_end && number < 0 {
        number.checked_add(len)
    } else {
        number.checked_sub(first)
    };
    let is_before = place.is_none_or(|found| found < 0);
    match (place.filter(|place| (0..len).contains(place)), mode.outside) {
        (Some(place), _) => Ok(usize::try_from(place).ok()),
        (None, Outside::Missing) => Ok(None),
        (None, Outside::ErrorBefore) if !is_before => Ok(None),
        (None, Outside::Error | Outside::ErrorBefore) => {
            Err(bad(format!("there is no place {number} among {len}")))
        }
    }
}

/// The bound of a range, from 0, that a number means among `len`: the end is one.
pub(super) fn bound(mode: IndexMode, number: i64, len: usize) -> Result<usize> {
    let end = i64::try_from(len).unwrap_or(i64::MAX);
    let first = i64::from(mode.first);
    let bound = if mode.from_end && number < 0 {
        number.saturating_add(end)
    } else {
        number.saturating_sub(first)
    };
    let is_wrong = match mode.outside {
        Outside::Missing => false,
        Outside::Error => !(0..=end).contains(&bound),
        Outside::ErrorBefore => bound < 0,
    };
    if is_wrong {
        return Err(bad(format!("there is no place {number} among {len}")));
    }
    Ok(usize::try_from(bound.clamp(0, end)).unwrap_or(len))
}
