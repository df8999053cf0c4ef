//! How many bytes a batch holds, for the memory budget: near enough, and cheap to find.

use millrace_model::column::Field;
use millrace_model::{Batch, Column, Entries, Value};

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
        Entries::Value(entries) => entries.iter().map(Value::byte_size).sum(),
        // The steps are the run's, who counts them.
        Entries::Path(paths) => size_of_val(&paths.last[..]),
        Entries::Bag(bags) => bags.views.len() * 8 + batch_bytes(&bags.rows) as usize,
        Entries::Fields(entries) => entries.iter().map(|fields| fields_bytes(fields)).sum(),
    }
}

fn fields_bytes(fields: &[Field]) -> usize {
    16 + size_of_val(fields) + fields.iter().map(|field| field.value.heap_size()).sum::<usize>()
}
