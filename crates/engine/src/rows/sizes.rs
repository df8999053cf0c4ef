//! How many bytes a batch holds, for the memory budget: near enough, and cheap to find.

use std::sync::Arc;

use millrace_model::column::Field;
use millrace_model::{Batch, Column, Entries, Value};

/// What a value costs beyond its own 24 bytes when it is no plain number.
const VALUE_HEAP_BYTES: usize = 32;

/// The bytes of a batch, its bags' rows included.
pub(crate) fn batch_bytes(batch: &Batch) -> u64 {
    let columns: usize = batch.columns.iter().map(|column| column_bytes(column)).sum();
    let weights = batch.weights.as_ref().map_or(0, |weights| weights.len() * 8);
    let ordinals = batch.ordinals.as_ref().map_or(0, |ordinals| ordinals.len() * 4);
    (columns + weights + ordinals) as u64
}

fn column_bytes(column: &Column) -> usize {
    match &column.entries {
        Entries::Vertex(entries) => size_of_val(&entries[..]),
        Entries::Edge(entries) => size_of_val(&entries[..]),
        Entries::Bool(entries) => entries.len(),
        Entries::I64(entries) => size_of_val(&entries[..]),
        Entries::F64(entries) => size_of_val(&entries[..]),
        Entries::String(entries) => entries.byte_size(),
        Entries::Value(entries) => entries.iter().map(value_bytes).sum(),
        // The steps are the run's, who counts them.
        Entries::Path(paths) => size_of_val(&paths.last[..]),
        Entries::Bag(bags) => bags.views.len() * 8 + batch_bytes(&bags.rows) as usize,
        Entries::Fields(entries) => entries.iter().map(|fields| fields_bytes(fields)).sum(),
    }
}

fn fields_bytes(fields: &[Field]) -> usize {
    let beyond = |field: &Field| value_bytes(&field.value) - size_of::<Value>();
    16 + size_of_val(fields) + fields.iter().map(beyond).sum::<usize>()
}

/// The bytes of a value, near enough.
pub fn value_bytes(value: &Value) -> usize {
    size_of::<Value>()
        + match value {
            Value::String(text) => text.len() + 16,
            Value::Bytes(bytes) => bytes.len() + 16,
            Value::List(values) | Value::Set(values) => values.iter().map(value_bytes).sum(),
            Value::Map(pairs) => {
                let pairs: &Arc<_> = pairs;
                pairs.iter().map(|(key, value)| value_bytes(key) + value_bytes(value)).sum()
            }
            Value::Path(path) => {
                let tags: usize = path.tags.iter().map(|tags| 24 + tags.len() * 16).sum();
                path.objects.iter().map(value_bytes).sum::<usize>() + tags
            }
            Value::Entries(entries) => {
                let entries = entries.entries().iter();
                entries.map(|entry| entry.values().map(value_bytes).sum::<usize>() + 32).sum()
            }
            Value::Subgraph(part) => (part.vertices().len() + part.edges().len()) * 8 + 48,
            Value::Decimal(_)
            | Value::ZonedDateTime(_)
            | Value::Duration(_)
            | Value::Point(_)
            | Value::VertexProperty(_)
            | Value::Property(_)
            | Value::Tree(_) => VALUE_HEAP_BYTES,
            Value::Null
            | Value::Bool(_)
            | Value::I8(_)
            | Value::I16(_)
            | Value::I32(_)
            | Value::I64(_)
            | Value::F32(_)
            | Value::F64(_)
            | Value::Uuid(_)
            | Value::Date(_)
            | Value::Time(_)
            | Value::DateTime(_)
            | Value::Vertex(_)
            | Value::Edge(_)
            | Value::Token(_) => 0,
        }
}
