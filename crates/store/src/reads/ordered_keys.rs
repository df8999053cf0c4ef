//! The entries of ordered indexes: keys of whole values, and keys that are made from a value.
//!
//! ```text
//!   key of an index over whole values   the values in order, as `order_key` writes them
//!   key that is made from a value       the place of the property in the index (u8, left out where
//!                                       it has one), then the bytes that the method makes
//! ```

use std::collections::BTreeSet;

use millrace_model::schema::{IndexDefinition, IndexKind, KeyMethod};
use millrace_model::{Column, Result, Value};
use millrace_terms::{KeyExtractor, KeyQuestion};

use super::key_range::{key_of_row, key_of_values};
use crate::base::index_keys::{each_key, keys_of};

/// How an index makes its keys; `None` if it holds whole values.
pub fn extractor(index: &IndexDefinition) -> Result<Option<KeyExtractor>> {
    index.method.as_ref().map(check_method).transpose()
}

/// Requires a method to be known.
pub fn check_method(KeyMethod(method): &KeyMethod) -> Result<KeyExtractor> {
    method.parse()
}

/// Calls `visit` with each key that a row of an ordered index's columns has, each once. Fails for a value that has too
/// many.
pub fn each_ordered_key(
    index: &IndexDefinition,
    columns: &[&Column],
    row: usize,
    mut visit: impl FnMut(Vec<u8>),
) -> Result<()> {
    if index.kind != IndexKind::Made {
        each_key(columns, row, |columns, row| {
            key_of_row(columns, row).into_iter().for_each(&mut visit);
        });
        return Ok(());
    }
    made_keys(index, columns.iter().map(|column| column.get(row)))?.into_iter().for_each(visit);
    Ok(())
}

/// The keys of the values of one element in an ordered index, each once.
pub fn ordered_keys(index: &IndexDefinition, values: Vec<Option<Value>>) -> Result<Vec<Vec<u8>>> {
    if index.kind == IndexKind::Made {
        return Ok(made_keys(index, values.into_iter())?.into_iter().collect());
    }
    let values: Option<Vec<Value>> = values.into_iter().collect();
    let keys = values.map(keys_of).unwrap_or_default();
    Ok(keys.iter().filter_map(|values| key_of_values(values)).collect())
}

fn made_keys(
    index: &IndexDefinition,
    values: impl Iterator<Item = Option<Value>>,
) -> Result<BTreeSet<Vec<u8>>> {
    let mut keys = BTreeSet::new();
    let Some(extractor) = extractor(index)? else { return Ok(keys) };
    for (field, value) in values.enumerate() {
        let Some(value) = value else { continue };
        let prefix = prefix_of(index, field);
        extractor.keys_of(&value, None, &mut |key, _| {
            keys.insert([&prefix, key].concat());
            Ok(())
        })?;
    }
    Ok(keys)
}

/// What comes before the made keys of a property of an index.
fn prefix_of(index: &IndexDefinition, field: usize) -> Vec<u8> {
    if KeyForm::of(index).prefix == 0 { Vec::new() } else { vec![field as u8] }
}

/// Where in an entry's key the part is that patterns read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KeyForm {
    /// Bytes before it: they say which property the key is of.
    pub prefix: usize,
    /// Bytes behind it, which the key carries for scores.
    pub payload: usize,
}

impl KeyForm {
    /// The form of an index's keys.
    pub fn of(index: &IndexDefinition) -> KeyForm {
        let extractor = extractor(index).ok().flatten();
        let payload = extractor.map_or(0, |extractor| extractor.payload_bytes());
        KeyForm { prefix: usize::from(1 < index.keys.len()), payload }
    }

    /// The part of a key that patterns read.
    pub fn word(self, key: &[u8]) -> &[u8] {
        key.get(self.prefix..key.len().saturating_sub(self.payload)).unwrap_or_default()
    }
}

/// A question for the words of one property of an index, as one for the keys of the index.
pub fn of_property(index: &IndexDefinition, field: usize, question: KeyQuestion) -> KeyQuestion {
    let question = match extractor(index) {
        Ok(Some(extractor)) => extractor.question(question),
        Ok(None) | Err(_) => question,
    };
    question.behind(&prefix_of(index, field))
}

/// Texts below this have no more keys than an element may have.
const CHECKED_BYTES: usize = 1 << 19;

/// Requires rows to have no more keys than an element may have, and vectors to be such as the index holds, before anything
/// is written.
pub fn check_sizes(index: &IndexDefinition, columns: &[&Column], rows: usize) -> Result<()> {
    if index.kind != IndexKind::Made {
        return Ok(());
    }
    let is_vectors = matches!(extractor(index)?, Some(KeyExtractor::Vectors(_)));
    for row in 0..rows {
        if is_vectors {
            each_ordered_key(index, columns, row, drop)?;
            continue;
        }
        let bytes = columns.iter().filter_map(|column| column.get(row));
        if CHECKED_BYTES < bytes.map(|value| value.heap_size()).sum() {
            each_ordered_key(index, columns, row, drop)?;
        }
    }
    Ok(())
}
