//! Functions on maps. The order of pairs is kept.

use millrace_model::value::ValueMap;
use millrace_model::{Result, Value};

use crate::functions::Function;
use crate::functions::arguments::{check_entries, list, map, misplaced};

/// The rows of this family; see `functions!`.
macro_rules! maps_rows {
    ([$next:ident $(, $rest:ident)*] $($rows:tt)*) => {
        $next! {
            [$($rest),*] $($rows)*
            /// The keys of a map; of a map's entry its key.
            Keys: [1, 1], ALL, Fails::May => collections::maps::call;
            /// The values of a map; of a map's entry its value.
            Values: [1, 1], ALL, Fails::May => collections::maps::call;
            /// A map's value of a key; null if there is none.
            Get: [2, 2], 1, Fails::May => collections::maps::call;
            /// Maps as one: later pairs win.
            MergeMaps: [0, MANY], ALL, Fails::May => collections::maps::call;
            /// A map without some keys.
            Without: [2, 2], ALL, Fails::May => collections::maps::call;
        }
    };
}

pub(in crate::functions) fn call(function: Function, arguments: &[Value]) -> Result<Value> {
    if function == Function::MergeMaps {
        return merge(function, arguments);
    }
    if let Value::MapEntry(entry) = &arguments[0] {
        match function {
            Function::Keys => return Ok(entry.0.clone()),
            Function::Values => return Ok(entry.1.clone()),
            _ => {}
        }
    }
    let own = map(function, &arguments[0])?;
    match function {
        Function::Keys => Ok(Value::list(own.iter().map(|(key, _)| key.clone()).collect())),
        Function::Values => Ok(Value::list(own.iter().map(|(_, value)| value.clone()).collect())),
        Function::Get => {
            let found = own.iter().find(|(key, _)| *key == arguments[1]);
            Ok(found.map_or(Value::Null, |(_, value)| value.clone()))
        }
        Function::Without => {
            let gone = list(function, &arguments[1])?;
            let left = own.iter().filter(|(key, _)| !gone.contains(key));
            Ok(Value::map(left.cloned().collect()))
        }
        other => Err(misplaced(other)),
    }
}

/// A later value of a key stands where its first one stood.
fn merge(function: Function, arguments: &[Value]) -> Result<Value> {
    let mut merged = ValueMap::default();
    for argument in arguments {
        let own = map(function, argument)?;
        check_entries(merged.len() + own.len())?;
        for (key, value) in own {
            match merged.iter_mut().find(|(known, _)| known == key) {
                Some((_, known)) => *known = value.clone(),
                None => merged.push((key.clone(), value.clone())),
            }
        }
    }
    Ok(Value::map(merged))
}
