//! Functions on multi-valued properties and on their meta-properties.
//!
//! Arguments and results have the stored form of a property: property values, the one plain value,
//! or null where there is no property. A null argument does not make the result null.

use std::sync::Arc;

use millrace_model::property_values::{MetaProperties, PropertyValues, each_value};
use millrace_model::value::ValueMap;
use millrace_model::{Result, Value, query_limits};

use crate::functions::arguments::{bad, check_entries, int, list, map, misplaced, text};
use crate::functions::{Cardinality, Function, Which};

/// The rows of this family; see `functions!`.
macro_rules! property_values_rows {
    ([$next:ident $(, $rest:ident)*] $($rows:tt)*) => {
        $next! {
            [$($rest),*] $($rows)*
            /// A property with one more value, which has properties of its own: a map, or null.
            AddValue(Cardinality): [3, 3], 0, Fails::May => elements::property_values::call;
            /// A property without the value of an ordinal; null if that was the last.
            RemoveValue: [2, 2], ALL, Fails::May => elements::property_values::call;
            /// A property with the values of a list, each once, and with properties of their own: a list of as many maps, or
            /// null. A value that is there is set anew.
            SetValues: [3, 3], 0, Fails::May => elements::property_values::call;
            /// A property without the values of a list; null if none is left.
            WithoutValues: [2, 2], ALL, Fails::May => elements::property_values::call;
            /// The ordinals of a property's values, as a list.
            ValueOrdinals: [1, 1], ALL, Fails::May => elements::property_values::call;
            /// A property with a meta-property set on its value of an ordinal; null removes it.
            SetMeta: [4, 4], 3, Fails::May => elements::property_values::call;
            /// The value of an ordinal; null if a property has none.
            ValueAt: [2, 2], ALL, Fails::May => elements::property_values::call;
            /// The properties of the value of an ordinal, as a map.
            MetaAt: [2, 2], ALL, Fails::May => elements::property_values::call;
            /// A map of properties with one value of each.
            SingleValues(Which): [1, 1], ALL, Fails::May => elements::property_values::call;
            /// A map of pairs, each a list of key and value, to the lists of a key's values.
            GroupPairs: [1, 1], ALL, Fails::May => elements::property_values::call;
            /// Which of its key's values a property is that is a thing.
            OrdinalOf: [1, 1], ALL, Fails::May => elements::property_values::call;
            /// The value of a property of an edge, or of a property, that is a thing.
            ValueOf: [1, 1], ALL, Fails::May => elements::property_values::call;
        }
    };
}

pub(in crate::functions) fn call(function: Function, arguments: &[Value]) -> Result<Value> {
    let first = &arguments[0];
    match function {
        Function::AddValue(cardinality) => {
            add(function, cardinality, first, (&arguments[1], &arguments[2]))
        }
        Function::SetMeta => {
            set_meta(function, first, &arguments[1], (&arguments[2], &arguments[3]))
        }
        Function::RemoveValue => {
            let mut property = PropertyValues::of(first);
            property.remove(ordinal(function, &arguments[1])?);
            Ok(property.into_value().unwrap_or_default())
        }
        Function::ValueOrdinals => {
            let property = PropertyValues::of(first);
            let ordinals = property.values().iter().map(|own| Value::I64(own.ordinal.into()));
            Ok(Value::list(ordinals.collect()))
        }
        Function::SetValues => set_values(function, first, (&arguments[1], &arguments[2])),
        Function::WithoutValues => {
            let mut property = PropertyValues::of(first);
            query_limits::step(property.values().len() as u64)?;
            property.remove_values(list(function, &arguments[1])?);
            Ok(property.into_value().unwrap_or_default())
        }
        Function::ValueAt => {
            let ordinal = ordinal(function, &arguments[1])?;
            let property = PropertyValues::of(first);
            Ok(property.get(ordinal).map(|own| own.value.clone()).unwrap_or_default())
        }
        Function::MetaAt => {
            let ordinal = ordinal(function, &arguments[1])?;
            let Value::PropertyValues(property) = first else { return Ok(Value::map(Vec::new())) };
            let meta = property.get(ordinal).map(|own| own.meta.as_slice());
            let pair =
                |(key, value): &(Arc<str>, Value)| (Value::String(key.clone()), value.clone());
            Ok(Value::map(meta.unwrap_or_default().iter().map(pair).collect()))
        }
        Function::SingleValues(which) => one_of_each(function, which, first),
        Function::GroupPairs => lists_of_pairs(function, list(function, first)?),
        Function::OrdinalOf => match first {
            Value::VertexProperty(property) => Ok(Value::I64(property.ordinal.into())),
            Value::Property(_) => Ok(Value::I64(0)),
            other => {
                Err(bad(format!("{function} expects a property but got a {}", other.type_name())))
            }
        },
        Function::ValueOf => match first {
            Value::Property(property) => Ok(property.value.clone()),
            other => Err(bad(format!(
                "{function} expects a property with its value but got a {}",
                other.type_name()
            ))),
        },
        other => Err(misplaced(other)),
    }
}

fn add(
    function: Function,
    cardinality: Cardinality,
    before: &Value,
    (value, meta): (&Value, &Value),
) -> Result<Value> {
    let meta = meta_of(function, meta)?;
    if value.is_null() {
        // A property that is set to nothing is gone; nothing is no value among others.
        let kept = if cardinality == Cardinality::Single { &Value::Null } else { before };
        return Ok(kept.clone());
    }
    let mut property = match cardinality {
        Cardinality::Single => PropertyValues::default(),
        Cardinality::List | Cardinality::Set => PropertyValues::of(before),
    };
    check_entries(property.values().len())?;
    match cardinality {
        Cardinality::Set => property.append_new(value, &meta),
        Cardinality::Single | Cardinality::List => property.append(value, &meta),
    }
    Ok(property.into_value().unwrap_or_default())
}

fn set_values(
    function: Function,
    before: &Value,
    (values, metas): (&Value, &Value),
) -> Result<Value> {
    let values = list(function, values)?;
    let mut property = PropertyValues::of(before);
    check_entries(property.values().len() + values.len())?;
    let metas = match metas {
        Value::Null => vec![MetaProperties::new(); values.len()],
        metas => {
            let maps = list(function, metas)?.iter();
            maps.map(|meta| meta_of(function, meta)).collect::<Result<Vec<_>>>()?
        }
    };
    if metas.len() != values.len() {
        return Err(bad(format!(
            "{function} got {} values and properties of {}",
            values.len(),
            metas.len()
        )));
    }
    let is_value = |(value, _): &(&Value, MetaProperties)| !value.is_null();
    property.set_values(values.iter().zip(metas).filter(is_value));
    Ok(property.into_value().unwrap_or_default())
}

fn set_meta(
    function: Function,
    before: &Value,
    at: &Value,
    (key, value): (&Value, &Value),
) -> Result<Value> {
    let mut property = PropertyValues::of(before);
    property.set_meta(ordinal(function, at)?, &Arc::from(text(function, key)?), value);
    Ok(property.into_value().unwrap_or_default())
}

fn meta_of(function: Function, meta: &Value) -> Result<MetaProperties> {
    if meta.is_null() {
        return Ok(MetaProperties::new());
    }
    let pairs = map(function, meta)?.iter();
    pairs.map(|(key, value)| Ok((Arc::from(text(function, key)?), value.clone()))).collect()
}

fn ordinal(function: Function, value: &Value) -> Result<u32> {
    let int = int(function, value)?;
    u32::try_from(int).map_err(|_| bad(format!("{function}: {int} is not an ordinal")))
}

/// A map of properties with one value of each.
fn one_of_each(function: Function, which: Which, properties: &Value) -> Result<Value> {
    let pairs = map(function, properties)?;
    if !pairs.iter().any(|(_, value)| matches!(value, Value::PropertyValues(_))) {
        return Ok(properties.clone());
    }
    let one = |value: &Value| {
        let values = each_value(value);
        let one = if which == Which::First { values.clone().next() } else { values.last() };
        one.cloned().unwrap_or_default()
    };
    Ok(Value::map(pairs.iter().map(|(key, value)| (key.clone(), one(value))).collect()))
}

fn lists_of_pairs(function: Function, pairs: &[Value]) -> Result<Value> {
    check_entries(pairs.len())?;
    let mut lists: Vec<(Value, Vec<Value>)> = Vec::new();
    for pair in pairs {
        let [key, value] = list(function, pair)? else {
            return Err(bad(format!("{function} expects pairs of a key and a value")));
        };
        // Those of a key stand together nearly always.
        match lists.iter_mut().rev().find(|(known, _)| known == key) {
            Some((_, values)) => values.push(value.clone()),
            None => lists.push((key.clone(), vec![value.clone()])),
        }
    }
    let lists = lists.into_iter().map(|(key, values)| (key, Value::list(values)));
    Ok(Value::map(lists.collect::<ValueMap>()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn add(cardinality: Cardinality, before: Value, value: impl Into<Value>) -> Value {
        let arguments = [before, value.into(), Value::Null];
        Function::AddValue(cardinality).call(&arguments).expect("a value is added")
    }

    fn values(property: &Value) -> Vec<i64> {
        each_value(property).filter_map(Value::as_int).collect()
    }

    #[test]
    fn a_value_is_added_as_the_cardinality_says() {
        let one = add(Cardinality::List, Value::Null, 1i64);
        assert_eq!(one, Value::I64(1));
        let three = [1i64, 2, 1]
            .into_iter()
            .fold(Value::Null, |before, value| add(Cardinality::List, before, value));
        assert_eq!(values(&three), [1, 2, 1]);
        assert_eq!(values(&add(Cardinality::Set, three.clone(), 2i64)), [1, 2, 1]);
        assert_eq!(values(&add(Cardinality::Set, three.clone(), 3i64)), [1, 2, 1, 3]);
        assert_eq!(add(Cardinality::Single, three.clone(), 3i64), Value::I64(3));
        assert_eq!(add(Cardinality::List, three.clone(), Value::Null), three);
        assert_eq!(add(Cardinality::Single, three, Value::Null), Value::Null);
    }

    #[test]
    fn a_list_of_values_is_set_and_removed_together() {
        let ints =
            |values: &[i64]| Value::list(values.iter().map(|own| Value::I64(*own)).collect());
        let set = |before: Value, added: &[i64], metas: Value| {
            Function::SetValues.call(&[before, ints(added), metas])
        };
        let two = set(Value::Null, &[2, 1, 2], Value::Null).expect("values are set");
        assert_eq!(values(&two), [2, 1]);
        assert_eq!(set(Value::Null, &[7, 7], Value::Null), Ok(Value::I64(7)));
        assert_eq!(set(two.clone(), &[], Value::Null), Ok(two.clone()));
        let by = Value::map(vec![("by".into(), "me".into())]);
        let metas = Value::list(vec![by.clone(), Value::Null]);
        let three = set(two, &[1, 3], metas.clone()).expect("values are set");
        assert_eq!(values(&three), [2, 1, 3]);
        assert_eq!(Function::MetaAt.call(&[three.clone(), Value::I64(1)]), Ok(by));
        set(Value::Null, &[1], metas).expect_err("there are two maps for one value");
        let less = |gone: &[i64]| Function::WithoutValues.call(&[three.clone(), ints(gone)]);
        assert_eq!(values(&less(&[1, 9, 1]).expect("one goes")), [2, 3]);
        assert_eq!(less(&[1, 2, 3]), Ok(Value::Null));
    }

    #[test]
    fn values_are_read_and_removed_by_their_ordinals() {
        let call = |function: Function, arguments: &[Value]| {
            function.call(arguments).expect("it has values")
        };
        let two = add(Cardinality::List, Value::I64(1), 2i64);
        let described = call(Function::SetMeta, &[two, 1i64.into(), "by".into(), "me".into()]);
        assert_eq!(call(Function::ValueAt, &[described.clone(), 1i64.into()]), Value::I64(2));
        assert_eq!(call(Function::ValueAt, &[described.clone(), 2i64.into()]), Value::Null);
        let meta = Value::map(vec![("by".into(), "me".into())]);
        assert_eq!(call(Function::MetaAt, &[described.clone(), 1i64.into()]), meta);
        assert_eq!(call(Function::MetaAt, &[1i64.into(), 0i64.into()]), Value::map(vec![]));
        let left = call(Function::RemoveValue, &[described.clone(), 1i64.into()]);
        assert_eq!(left, Value::I64(1));
        assert_eq!(call(Function::RemoveValue, &[left, 0i64.into()]), Value::Null);
        let bare = call(Function::SetMeta, &[described, 1i64.into(), "by".into(), Value::Null]);
        assert_eq!(values(&bare), [1, 2]);
        assert!(Function::RemoveValue.call(&[1i64.into(), Value::I64(-1)]).is_err());
    }

    #[test]
    fn a_map_has_one_value_of_each_key_or_all() {
        let two = add(Cardinality::List, Value::I64(1), 2i64);
        let map = Value::map(vec![("a".into(), two), ("b".into(), 3i64.into())]);
        let one = |which: Which| match Function::SingleValues(which)
            .call(std::slice::from_ref(&map))
        {
            Ok(Value::Map(pairs)) => pairs.iter().filter_map(|(_, value)| value.as_int()).collect(),
            _ => Vec::new(),
        };
        assert_eq!((one(Which::First), one(Which::Last)), (vec![1, 3], vec![2, 3]));
        let lists = Function::ValuesAsLists.call(std::slice::from_ref(&map)).expect("a map");
        let list = |values: &[i64]| Value::list(values.iter().map(|v| Value::I64(*v)).collect());
        let expected = [("a".into(), list(&[1, 2])), ("b".into(), list(&[3]))];
        assert_eq!(lists, Value::map(expected.to_vec()));
        let pair = |key: &str, value: i64| Value::list(vec![key.into(), value.into()]);
        let pairs = Value::list(vec![pair("a", 1), pair("b", 3), pair("a", 2)]);
        assert_eq!(Function::GroupPairs.call(&[pairs]), Ok(lists));
    }
}
