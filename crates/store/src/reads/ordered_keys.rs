//! The entries of ordered indexes: keys of whole values, and keys that are made from a value.
//!
//! ```text
//!   key of an index over whole values   the values in order, as `order_key` writes them
//!   key that is made from a value       the number of the property in the index (u8, left out where
//!                                       it has one), then the bytes that the method makes
//! ```

use std::collections::BTreeSet;

use millrace_model::property_values::each_value;
use millrace_model::schema::{IndexDefinition, IndexKind, KeyMethod};
use millrace_model::{Column, Value};

use super::key_range::{key_of_row, key_of_values};
use crate::base::index_keys::{each_key, keys_of};

/// Calls `visit` with each key that a row of an ordered index's columns has, each once.
pub fn each_ordered_key(
    index: &IndexDefinition,
    columns: &[&Column],
    row: usize,
    mut visit: impl FnMut(Vec<u8>),
) {
    if index.kind != IndexKind::Made {
        each_key(columns, row, |columns, row| {
            key_of_row(columns, row).into_iter().for_each(&mut visit)
        });
        return;
    }
    let values = columns.iter().map(|column| column.get(row));
    made_keys(index, values).into_iter().for_each(visit);
}

/// The keys of the values of one element in an ordered index, each once.
pub fn ordered_keys(index: &IndexDefinition, values: Vec<Option<Value>>) -> Vec<Vec<u8>> {
    if index.kind == IndexKind::Made {
        return made_keys(index, values.into_iter()).into_iter().collect();
    }
    let values: Option<Vec<Value>> = values.into_iter().collect();
    let keys = values.map(keys_of).unwrap_or_default();
    keys.iter().filter_map(|values| key_of_values(values)).collect()
}

fn made_keys(
    index: &IndexDefinition,
    values: impl Iterator<Item = Option<Value>>,
) -> BTreeSet<Vec<u8>> {
    let mut keys = BTreeSet::new();
    for (field, value) in values.enumerate() {
        let prefix = field_prefix(index, field);
        let mut add = |key: &[u8]| {
            keys.insert([&prefix, key].concat());
        };
        for own in value.iter().flat_map(|value| each_value(value)) {
            keys_of_value(&index.method, own, &mut add);
        }
    }
    keys
}

/// What comes before the made keys of a property of the index.
pub fn field_prefix(index: &IndexDefinition, field: usize) -> Vec<u8> {
    if index.keys.len() == 1 { Vec::new() } else { vec![field as u8] }
}

/// The keys that a method makes of a value.
fn keys_of_value(method: &KeyMethod, value: &Value, mut add: impl FnMut(&[u8])) {
    match (method, value) {
        (KeyMethod::Trigrams, Value::String(text)) => trigrams(text, &mut add),
        (KeyMethod::Trigrams | KeyMethod::Value, _) => {}
    }
}

/// Each three neighbouring characters.
fn trigrams(text: &str, mut add: impl FnMut(&[u8])) {
    let starts = text.char_indices().map(|(at, _)| at);
    let ends = text.char_indices().skip(3).map(|(at, _)| at).chain([text.len()]);
    let whole = 3 <= text.chars().count();
    starts.zip(ends).filter(|_| whole).for_each(|(start, end)| add(text[start..end].as_bytes()));
}
