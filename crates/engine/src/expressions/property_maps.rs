//! All properties of an element, or those of some keys, as a map: one read of the store for a batch.

use std::sync::Arc;

use millrace_model::column::Field;
use millrace_model::value::ValueMap;
use millrace_model::{Column, ColumnValues, KeyId, Result, Value};

use super::fields::{field_keys, read_fields};
use super::own_properties::own_properties;
use crate::context::Resolved;
use crate::run::Run;

/// A map for each element, and for each property of those that it has itself; of a map the map, null of null.
pub(super) fn properties(
    elements: &Column,
    keys: Option<&[Resolved<KeyId>]>,
    run: &Run<'_>,
) -> Result<Column> {
    let mut own = own_properties(elements, run)?;
    if let ColumnValues::Value(values) = &elements.values {
        let maps = values.iter().enumerate().filter(|(_, value)| matches!(value, Value::Map(_)));
        own.extend(maps.map(|(row, map)| (row, map.clone())));
    }
    if own.is_empty() {
        return of_elements(elements, keys, run);
    }
    let other = |row: usize| match own.contains_key(&row) {
        true => Value::Null,
        false => elements.get(row).unwrap_or_default(),
    };
    let others = Column::from_values((0..elements.len()).map(other).collect::<Vec<_>>());
    let others = of_elements(&others, keys, run)?;
    let wanted = |pairs: &ValueMap| {
        let wanted = |key: &Value| {
            let same = |wanted: &Resolved<KeyId>| key.as_str() == Some(wanted.name());
            keys.is_none_or(|keys| keys.iter().any(same))
        };
        Value::map(pairs.iter().filter(|(key, _)| wanted(key)).cloned().collect())
    };
    let map = |row: usize| match own.get(&row) {
        Some(own) if keys.is_none() => own.clone(),
        Some(Value::Map(pairs)) => wanted(pairs),
        _ => others.get(row).unwrap_or_default(),
    };
    Ok(Column::from_values((0..elements.len()).map(map).collect::<Vec<_>>()))
}

fn of_elements(
    elements: &Column,
    keys: Option<&[Resolved<KeyId>]>,
    run: &Run<'_>,
) -> Result<Column> {
    let Column { values, nulls, absents } = read_fields(elements, run)?;
    let ColumnValues::Fields(fields) = values else {
        return Ok(crate::rows::nulls(elements.len()));
    };
    let wanted = keys.map(|keys| field_keys(keys, run));
    let maps: Vec<Value> = run.context.look(|catalog| {
        let named = |field: &Field| {
            let wanted = wanted.as_ref().is_none_or(|wanted| wanted.contains(&field.key));
            let name = catalog.keys.name(field.key.0).filter(|_| wanted)?;
            Some((Value::String(name.clone()), field.value.clone()))
        };
        let map = |fields: &Arc<[Field]>| Value::map(fields.iter().filter_map(named).collect());
        fields.iter().map(map).collect()
    });
    Ok(Column { values: ColumnValues::Value(maps), nulls, absents })
}
