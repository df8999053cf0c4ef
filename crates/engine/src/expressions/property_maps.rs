//! All properties of an element, or those of some keys, as a map: one read of the store for a batch.

use std::sync::Arc;

use millrace_model::column::Field;
use millrace_model::{Column, Entries, KeyId, Result, Value};

use crate::names::Resolved;
use crate::operators::{field_keys, read_fields};
use crate::run::Run;

/// A map for each element; null of null.
pub(super) fn properties(
    elements: &Column,
    keys: Option<&[Resolved<KeyId>]>,
    run: &Run<'_>,
) -> Result<Column> {
    let Column { entries, nulls, absents } = read_fields(elements, run)?;
    let Entries::Fields(fields) = entries else { return Ok(crate::rows::nulls(elements.len())) };
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
    Ok(Column { entries: Entries::Value(maps), nulls, absents })
}
