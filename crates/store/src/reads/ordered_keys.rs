//! The entries of ordered indexes: keys of whole values, and keys that are made from a value.
//!
//! ```text
//!   key of an index over whole values   the values in order, as `order_key` writes them
//!   key that is made from a value       the place of the property in the index (u8, left out where
//!                                       it has one), then the bytes that the method makes
//! ```

use millrace_model::schema::{IndexDefinition, IndexKind, KeyMethod};
use millrace_model::{Column, Error, Result, Value};
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

/// Makes the keys of elements in one ordered index.
#[derive(Clone, Debug)]
pub struct KeyMaker {
    /// None where the keys are whole values.
    extractor: Option<KeyExtractor>,
    /// Of each property of the index.
    prefixes: Vec<Vec<u8>>,
}

impl KeyMaker {
    /// Makes the keys of an index; fails where its method is unknown.
    pub fn of(index: &IndexDefinition) -> Result<KeyMaker> {
        let prefixes = (0..index.keys.len()).map(|field| prefix_of(index, field)).collect();
        Ok(KeyMaker { extractor: extractor(index)?, prefixes })
    }

    /// Calls `visit` with each key that a row of the index's columns has, each once. Fails for a value that has too
    /// many.
    pub fn each_of_row(
        &self,
        columns: &[&Column],
        row: usize,
        mut visit: impl FnMut(&[u8]),
    ) -> Result<()> {
        if self.extractor.is_some() {
            return self.each_made(columns.iter().map(|column| column.get(row)), &mut visit);
        }
        each_key(columns, row, |columns, row| {
            key_of_row(columns, row).into_iter().for_each(|key| visit(&key));
        });
        Ok(())
    }

    /// The same of the values of one element.
    pub fn each_of_values(
        &self,
        values: Vec<Option<Value>>,
        mut visit: impl FnMut(&[u8]),
    ) -> Result<()> {
        if self.extractor.is_some() {
            return self.each_made(values.into_iter(), &mut visit);
        }
        let values: Option<Vec<Value>> = values.into_iter().collect();
        let keys = values.map(keys_of).unwrap_or_default();
        keys.iter().filter_map(|values| key_of_values(values)).for_each(|key| visit(&key));
        Ok(())
    }

    fn each_made(
        &self,
        values: impl Iterator<Item = Option<Value>>,
        visit: &mut dyn FnMut(&[u8]),
    ) -> Result<()> {
        let Some(extractor) = &self.extractor else { return Ok(()) };
        let mut whole = Vec::new();
        for (value, prefix) in values.zip(&self.prefixes) {
            let Some(value) = value else { continue };
            extractor.keys_of(&value, None, &mut |key, _| {
                if prefix.is_empty() {
                    visit(key);
                } else {
                    whole.clear();
                    whole.extend_from_slice(prefix);
                    whole.extend_from_slice(key);
                    visit(&whole);
                }
                Ok(())
            })?;
        }
        Ok(())
    }
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
/// is written. An error comes with the row.
pub fn check_sizes(
    index: &IndexDefinition,
    columns: &[&Column],
    rows: usize,
) -> std::result::Result<(), (usize, Error)> {
    if index.kind != IndexKind::Made {
        return Ok(());
    }
    let maker = KeyMaker::of(index).map_err(|error| (0, error))?;
    let is_vectors = matches!(maker.extractor, Some(KeyExtractor::Vectors(_)));
    for row in 0..rows {
        let bytes = || columns.iter().filter_map(|column| column.get(row)).map(|v| v.heap_size());
        if is_vectors || CHECKED_BYTES < bytes().sum() {
            maker.each_of_row(columns, row, |_| ()).map_err(|error| (row, error))?;
        }
    }
    Ok(())
}
