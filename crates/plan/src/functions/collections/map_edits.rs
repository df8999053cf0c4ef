//! Maps made of other maps: cleaned, flattened, grouped, or with some of their keys. The order of keys is kept.

use std::collections::HashMap;
use std::sync::Arc;

use millrace_model::value::ValueMap;
use millrace_model::{Result, Value};

use crate::functions::Function;
use crate::functions::arguments::{bad, check_entries, list, map, misplaced, text};

/// The rows of this family; see `functions!`.
macro_rules! map_edits_rows {
    ([$next:ident $(, $rest:ident)*] $($rows:tt)*) => {
        $next! {
            [$($rest),*] $($rows)*
            /// A map without null, without keys of a list, and without values that a list has, as such or as their texts.
            CleanMap: [3, 3], ALL, Fails::May => collections::map_edits::call;
            /// A map of maps as one map: keys joined by a separator.
            FlattenMap: [2, 2], ALL, Fails::May => collections::map_edits::call;
            /// The other way round.
            UnflattenMap: [2, 2], ALL, Fails::May => collections::map_edits::call;
            /// A map, and maps in it, without some keys; what is empty then goes too.
            WithoutDeep: [2, 2], ALL, Fails::May => collections::map_edits::call;
            /// A map's value of a key, or another value; an error where there is neither and the fourth argument is true.
            GetOr: [4, 4], 1, Fails::May => collections::map_edits::call;
            /// The same of a list of keys and of other values, as a list.
            GetEach: [4, 4], 2, Fails::May => collections::map_edits::call;
            /// The same as a map.
            SubMap: [4, 4], 2, Fails::May => collections::map_edits::call;
            /// A map's values of keys; null for one that it does not have, or none.
            ValuesOfKeys: [3, 3], ALL, Fails::May => collections::map_edits::call;
            /// The pairs of a map by key, as lists of two; whether their case counts.
            SortedPairs: [2, 2], ALL, Fails::May => collections::map_edits::call;
            /// A map of values by keys of another list, the last of each; null is no key.
            LastByKey: [2, 2], ALL, Fails::May => collections::map_edits::call;
            /// A map of lists of values by keys of another list; null is no key.
            AllByKey: [2, 2], ALL, Fails::May => collections::map_edits::call;
        }
    };
}

pub(in crate::functions) fn call(function: Function, arguments: &[Value]) -> Result<Value> {
    match function {
        Function::LastByKey | Function::AllByKey => return grouped(function, arguments),
        _ => {}
    }
    let own = map(function, &arguments[0])?;
    match function {
        Function::CleanMap => clean(own, list(function, &arguments[1])?, &arguments[2]),
        Function::FlattenMap => {
            let mut flat = ValueMap::default();
            flatten(own, "", text(function, &arguments[1])?, &mut flat)?;
            Ok(Value::map(flat))
        }
        Function::UnflattenMap => unflatten(own, text(function, &arguments[1])?),
        Function::WithoutDeep => {
            let gone = list(function, &arguments[1])?;
            Ok(Value::map(without(own, gone)))
        }
        Function::GetOr => get_or(own, &arguments[1], &arguments[2], is_true(&arguments[3])),
        Function::GetEach | Function::SubMap => get_each(function, own, arguments),
        Function::ValuesOfKeys => {
            let with_null = is_true(&arguments[2]);
            let found = |key: &Value| match of_key(own, key) {
                None => with_null.then_some(Value::Null),
                found => found.cloned(),
            };
            Ok(Value::list(list(function, &arguments[1])?.iter().filter_map(found).collect()))
        }
        Function::SortedPairs => {
            let ignores_case = is_true(&arguments[1]);
            let mut keyed = Vec::with_capacity(own.len());
            for (key, value) in own {
                let name = text(function, key)?;
                let by = if ignores_case { name.to_lowercase() } else { name.to_owned() };
                keyed.push((by, Value::list(vec![key.clone(), value.clone()])));
            }
            keyed.sort_by(|one, other| one.0.cmp(&other.0));
            Ok(Value::list(keyed.into_iter().map(|(_, pair)| pair).collect()))
        }
        other => Err(misplaced(other)),
    }
}

fn is_true(value: &Value) -> bool {
    *value == Value::Bool(true)
}

fn of_key<'m>(own: &'m ValueMap, key: &Value) -> Option<&'m Value> {
    own.iter().find(|(known, _)| known == key).map(|(_, value)| value)
}

fn clean(own: &ValueMap, keys: &[Value], values: &Value) -> Result<Value> {
    let values = list(Function::CleanMap, values)?;
    let mut kept = ValueMap::with_capacity(own.len());
    for (key, value) in own {
        let is_gone = value.is_null() || keys.contains(key) || values.contains(value);
        // A text also stands for a number that reads so.
        let has_texts = || values.iter().any(|own| matches!(own, Value::String(_)));
        if is_gone
            || (has_texts()
                && !matches!(value, Value::Map(_) | Value::List(_))
                && values.contains(&Function::Display.call(std::slice::from_ref(value))?))
        {
            continue;
        }
        kept.push((key.clone(), value.clone()));
    }
    Ok(Value::map(kept))
}

fn flatten(own: &ValueMap, before: &str, separator: &str, flat: &mut ValueMap) -> Result<()> {
    for (key, value) in own {
        let key = format!("{before}{}", text(Function::FlattenMap, key)?);
        match value {
            Value::Map(inner) => flatten(inner, &format!("{key}{separator}"), separator, flat)?,
            other => {
                check_entries(flat.len() + 1)?;
                flat.push((Value::from(key.as_str()), other.clone()));
            }
        }
    }
    Ok(())
}

fn unflatten(own: &ValueMap, separator: &str) -> Result<Value> {
    if separator.is_empty() {
        return Err(bad("the keys of a map are not split at an empty text"));
    }
    let mut nested = ValueMap::default();
    for (key, value) in own {
        let mut into = &mut nested;
        let mut parts = text(Function::UnflattenMap, key)?.split(separator).peekable();
        while let Some(part) = parts.next() {
            let key = Value::from(part);
            let is_last = parts.peek().is_none();
            let place = match into.iter().position(|(known, _)| *known == key) {
                Some(place) => place,
                None => {
                    into.push((key, Value::map(ValueMap::default())));
                    into.len() - 1
                }
            };
            if is_last {
                into[place].1 = value.clone();
                break;
            }
            let Value::Map(inner) = &mut into[place].1 else {
                let detail = format!("the key `{part}` has a value and keys below it");
                return Err(bad(detail));
            };
            into = Arc::make_mut(inner);
        }
    }
    Ok(Value::map(nested))
}

fn without(own: &ValueMap, gone: &[Value]) -> ValueMap {
    let mut left = ValueMap::with_capacity(own.len());
    for (key, value) in own.iter().filter(|(key, _)| !gone.contains(key)) {
        match without_in(value, gone) {
            Value::Map(inner) if inner.is_empty() => {}
            Value::List(inner) if inner.is_empty() => {}
            other => left.push((key.clone(), other)),
        }
    }
    left
}

/// Maps in a value, and in lists of it, without keys.
fn without_in(value: &Value, gone: &[Value]) -> Value {
    match value {
        Value::Map(inner) => Value::map(without(inner, gone)),
        Value::List(entries) => {
            let entries = entries.iter().map(|entry| without_in(entry, gone));
            let is_left = |entry: &Value| !matches!(entry, Value::Map(own) if own.is_empty());
            Value::list(entries.filter(is_left).collect())
        }
        other => other.clone(),
    }
}

fn get_or(own: &ValueMap, key: &Value, default: &Value, fails: bool) -> Result<Value> {
    match of_key(own, key) {
        Some(value) => Ok(value.clone()),
        None if fails && default.is_null() => {
            let shown = |key: &Value| key.as_str().unwrap_or("null").to_owned();
            let known: Vec<String> = own.iter().map(|(key, _)| shown(key)).collect();
            let detail = format!("Key {} is not of one of the existing keys {known:?}", shown(key));
            Err(bad(detail).with_name("ProcedureCallFailed"))
        }
        None => Ok(default.clone()),
    }
}

fn get_each(function: Function, own: &ValueMap, arguments: &[Value]) -> Result<Value> {
    let (keys, fails) = (list(function, &arguments[1])?, is_true(&arguments[3]));
    let defaults = match &arguments[2] {
        Value::Null => &[],
        other => list(function, other)?,
    };
    let mut found = ValueMap::with_capacity(keys.len());
    for (place, key) in keys.iter().enumerate() {
        let default = defaults.get(place).unwrap_or(&Value::Null);
        found.push((key.clone(), get_or(own, key, default, fails)?));
    }
    Ok(match function {
        Function::SubMap => Value::map(found),
        _ => Value::list(found.into_iter().map(|(_, value)| value).collect()),
    })
}

fn grouped(function: Function, arguments: &[Value]) -> Result<Value> {
    let (entries, keys) = (list(function, &arguments[0])?, list(function, &arguments[1])?);
    let mut places: HashMap<String, usize> = HashMap::default();
    let mut groups: Vec<(String, Vec<Value>)> = Vec::new();
    for (entry, key) in entries.iter().zip(keys).filter(|(_, key)| !key.is_null()) {
        let name = Function::Display.call(std::slice::from_ref(key))?;
        let name = name.as_str().unwrap_or_default().to_owned();
        let place = *places.entry(name.clone()).or_insert_with(|| {
            groups.push((name, Vec::new()));
            groups.len() - 1
        });
        groups[place].1.push(entry.clone());
    }
    let group = |(name, mut entries): (String, Vec<Value>)| match function {
        Function::AllByKey => (Value::from(name.as_str()), Value::list(entries)),
        _ => (Value::from(name.as_str()), entries.pop().unwrap_or_default()),
    };
    Ok(Value::map(groups.into_iter().map(group).collect()))
}
