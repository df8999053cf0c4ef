//! Values on their way into the graph: what a language refuses there.

use millrace_model::value::ValueMap;
use millrace_model::{Error, Result, Value};

use crate::functions::Function;
use crate::functions::arguments::{bad, map, misplaced, text};

/// The rows of this family; see `functions!`.
macro_rules! stored_rows {
    ([$next:ident $(, $rest:ident)*] $($rows:tt)*) => {
        $next! {
            [$($rest),*] $($rows)*
            /// A value that may be a property: no map, no element, no path, and no list of other lists, of null, or
            /// of values of several types. Integers beside floats in one list become floats.
            Storable: [1, 1], 0, Fails::May => elements::stored::call;
            /// A map of such values, none with an empty key.
            StorableMap: [1, 1], 0, Fails::May => elements::stored::call;
            /// What gives properties, and its text in the query, or an empty one for an element that is made: a map or
            /// an element, and not null.
            PropertySource: [2, 2], 0, Fails::May => elements::stored::call;
            /// A value by which an element is merged, and the name of its key: not null, and not NaN.
            MergeKey: [2, 2], 0, Fails::May => elements::stored::call;
        }
    };
}

pub(in crate::functions) fn call(function: Function, arguments: &[Value]) -> Result<Value> {
    let value = &arguments[0];
    match function {
        Function::Storable => {
            check(value)?;
            return Ok(of_one_type(value).unwrap_or_else(|| value.clone()));
        }
        Function::StorableMap => {
            let pairs: &ValueMap = map(function, value)?;
            pairs.iter().try_for_each(|(key, value)| check_key(key).and_then(|()| check(value)))?;
            if pairs.iter().any(|(_, value)| of_one_type(value).is_some()) {
                let pair = |(key, value): &(Value, Value)| {
                    (key.clone(), of_one_type(value).unwrap_or_else(|| value.clone()))
                };
                return Ok(Value::map(pairs.iter().map(pair).collect()));
            }
        }
        Function::PropertySource => check_source(value, text(function, &arguments[1])?)?,
        Function::MergeKey if value.is_null() || is_nan(value) => {
            let key = text(function, &arguments[1])?;
            let is = if value.is_null() { "null" } else { "NaN" };
            let detail = format!("Cannot merge because of {is} property value for '{key}'");
            return Err(bad(detail).with_name("MergeReadOwnWrites"));
        }
        Function::MergeKey => check(value)?,
        other => return Err(misplaced(other)),
    }
    Ok(value.clone())
}

/// Refuses what gives no properties.
fn check_source(value: &Value, text: &str) -> Result<()> {
    if matches!(value, Value::Map(_) | Value::Vertex(_) | Value::Edge(_)) {
        return Ok(());
    }
    let is = if value.is_null() { "NO_VALUE" } else { value.type_name() };
    let detail = match text {
        "" => format!("Parameter provided for node creation is not a Map, instead got {is}"),
        text => format!("Expected {text} to be a map, but it was :`{is}`"),
    };
    let help = "leave out the rows without a map, or write coalesce(map, {})";
    Err(bad(detail).with_help(help))
}

/// A key of a property: a text, and not an empty one.
fn check_key(key: &Value) -> Result<()> {
    match key.as_str() {
        Some("") => {
            let detail = "'' is not a valid token name. Token names cannot be empty or contain any \
                          null-bytes.";
            Err(bad(detail).with_name("TokenNameError"))
        }
        Some(_) => Ok(()),
        None => {
            let is = if key.is_null() { "null" } else { key.type_name() };
            Err(bad(format!("the key of a property is a text, and this is a {is}")))
        }
    }
}

fn is_nan(value: &Value) -> bool {
    matches!(value, Value::F32(_) | Value::F64(_)) && value.as_double().is_some_and(f64::is_nan)
}

fn check(value: &Value) -> Result<()> {
    match value {
        Value::List(entries) | Value::Set(entries) => {
            let mut classes =
                entries.iter().map(|entry| class(entry).ok_or_else(|| refused(entry)));
            let Some(first) = classes.next().transpose()? else { return Ok(()) };
            for class in classes {
                if class? != first {
                    let detail = "a list of values of several types cannot be a property";
                    return Err(bad(detail).with_name("InvalidPropertyType"));
                }
            }
            Ok(())
        }
        Value::Null | Value::PropertyValues(_) => Ok(()),
        other => class(other).map(drop).ok_or_else(|| refused(other)),
    }
}

/// A list of integers and floats as floats; none of another value, which is stored as it is.
fn of_one_type(value: &Value) -> Option<Value> {
    let Value::List(entries) = value else { return None };
    let is_float = |entry: &Value| matches!(entry, Value::F32(_) | Value::F64(_));
    if entries.iter().all(is_float) || !entries.iter().any(is_float) {
        return None;
    }
    let doubles: Option<Vec<Value>> =
        entries.iter().map(|entry| entry.as_double().map(Value::F64)).collect();
    doubles.map(Value::list)
}

/// The type of a value that may be stored alone or in a list; numbers are of one.
fn class(value: &Value) -> Option<&'static str> {
    match value {
        Value::Null
        | Value::List(_)
        | Value::Set(_)
        | Value::Map(_)
        | Value::MapEntry(_)
        | Value::Vertex(_)
        | Value::Edge(_)
        | Value::Path(_)
        | Value::VertexProperty(_)
        | Value::Property(_)
        | Value::PropertyValues(_)
        | Value::Tree(_)
        | Value::Token(_)
        | Value::Subgraph(_) => None,
        number if number.as_double().is_some() => Some("number"),
        other => Some(other.type_name()),
    }
}

fn refused(value: &Value) -> Error {
    let detail =
        format!("a {} cannot be stored in a property, or in a list there", value.type_name());
    bad(detail).with_name("InvalidPropertyType")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn maps_elements_and_mixed_lists_are_no_properties() {
        let list = Value::list;
        let storable = |value: Value| Function::Storable.call(&[value]).is_ok();
        for good in [
            Value::Null,
            Value::I64(1),
            list(vec![]),
            list(vec![Value::I64(1), Value::F64(0.5)]),
            list(vec!["a".into(), "b".into()]),
        ] {
            assert!(storable(good.clone()), "{good:?}");
        }
        for bad in [
            Value::map(vec![]),
            Value::Vertex(Default::default()),
            list(vec![Value::map(vec![])]),
            list(vec![list(vec![])]),
            list(vec![Value::Null]),
            list(vec![Value::I64(1), "a".into()]),
        ] {
            let error = Function::Storable.call(&[bad]).expect_err("no property");
            assert_eq!(error.name, Some("InvalidPropertyType"));
        }
        let pairs = |value| Value::map(vec![("k".into(), value)]);
        assert!(Function::StorableMap.call(&[pairs(Value::I64(1))]).is_ok());
        Function::StorableMap.call(&[pairs(Value::map(vec![]))]).expect_err("a map in it");
        Function::StorableMap.call(&[Value::Null]).expect_err("null is no empty map");
        for key in [Value::Null, Value::I64(1), "".into()] {
            let pairs = Value::map(vec![(key, Value::I64(1))]);
            Function::StorableMap.call(&[pairs]).expect_err("no key");
        }
    }

    #[test]
    fn properties_come_from_a_map_or_an_element_and_from_nothing_else() {
        let source = |value: Value| Function::PropertySource.call(&[value, "$p".into()]);
        for good in [Value::map(vec![]), Value::Vertex(Default::default())] {
            assert_eq!(source(good.clone()), Ok(good));
        }
        let detail = |value: Value| source(value).expect_err("no map").detail;
        assert_eq!(detail(Value::Null), "Expected $p to be a map, but it was :`NO_VALUE`");
        assert_eq!(detail(Value::I64(1)), "Expected $p to be a map, but it was :`integer`");
        assert_eq!(detail(Value::list(vec![])), "Expected $p to be a map, but it was :`list`");
    }

    #[test]
    fn a_key_that_is_merged_by_is_not_null() {
        let key = |value| Function::MergeKey.call(&[value, "k".into()]);
        assert_eq!(key(Value::I64(1)), Ok(Value::I64(1)));
        for bad in [Value::Null, Value::F64(f64::NAN)] {
            assert_eq!(key(bad).expect_err("equal to none").name, Some("MergeReadOwnWrites"));
        }
    }
}
