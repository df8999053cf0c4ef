//! Functions on maps. The order of pairs is kept.

use millrace_model::value::ValueMap;
use millrace_model::{Error, ErrorKind, Result, Value};

use super::Function;
use super::arguments::{check_entries, list, map};

pub(super) fn call(function: Function, arguments: &[Value]) -> Result<Value> {
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
        other => {
            let detail = format!("{other} was called as a function on maps");
            Err(Error::new(ErrorKind::Bug, detail))
        }
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
