//! The properties that properties have themselves, where a row holds a property as a thing.
//!
//! A vertex's property keeps them beside its value, so the vertex's values of its key are read; any
//! other property has none.

use std::collections::BTreeMap;
use std::sync::Arc;

use millrace_model::{Column, ColumnValues, Result, Value, VertexId, VertexProperty};
use millrace_plan::Function;
use millrace_store::Elements;

use crate::run::Run;

/// A map for each row that holds a property, by row; one read of the store for each key.
pub(super) fn own_properties(elements: &Column, run: &Run<'_>) -> Result<BTreeMap<usize, Value>> {
    let mut found = BTreeMap::new();
    let ColumnValues::Value(values) = &elements.values else { return Ok(found) };
    let mut by_key: BTreeMap<&Arc<str>, Vec<(usize, &VertexProperty)>> = BTreeMap::new();
    for (row, value) in values.iter().enumerate() {
        match value {
            Value::VertexProperty(own) => by_key.entry(&own.key).or_default().push((row, own)),
            Value::Property(_) => {
                found.insert(row, Value::map(Vec::new()));
            }
            _ => {}
        }
    }
    for (key, rows) in by_key {
        let stored = stored_under(key, &rows, run)?;
        for (at, (row, own)) in rows.into_iter().enumerate() {
            let stored = stored.as_ref().and_then(|stored| stored.get(at)).unwrap_or_default();
            let own = match stored {
                Value::Null => Value::map(Vec::new()),
                stored => Function::MetaAt.call(&[stored, Value::I64(own.ordinal.into())])?,
            };
            found.insert(row, own);
        }
    }
    Ok(found)
}

/// The stored values of the properties' vertices under their key; `None` if the catalog has no such key.
fn stored_under(
    key: &str,
    rows: &[(usize, &VertexProperty)],
    run: &Run<'_>,
) -> Result<Option<Column>> {
    let Some(key) = run.context.look(|catalog| catalog.key(key)) else { return Ok(None) };
    let owners: Vec<VertexId> = rows.iter().map(|(_, own)| own.owner).collect();
    let stored = run.context.graph().gather(Elements::Vertices(&owners), &[key])?.pop();
    Ok(stored.map(Column::vectors_as_lists))
}
