//! The keys that a transaction adds to an ordered index, each with the element that has it.
//!
//! Most transactions write many and ask for none. So keys are made of their values, and put in order, when one is asked
//! for; until then there are the values.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};

use millrace_model::schema::IndexDefinition;
use millrace_model::{Column, Result};
use parking_lot::{MappedRwLockReadGuard, RwLock, RwLockReadGuard, RwLockWriteGuard};

use crate::reads::ordered_keys::KeyMaker;
use crate::transaction::state::column_append::append_row;

/// Keys with their elements.
#[derive(Default)]
pub(in crate::transaction) struct OwnKeys {
    keys: RwLock<Keys>,
    /// Bytes of keys that were made.
    made_bytes: AtomicUsize,
}

/// A key and an element that has it.
pub(in crate::transaction) type OwnKey = (Box<[u8]>, u64);

#[derive(Default)]
struct Keys {
    ordered: BTreeSet<OwnKey>,
    /// Not yet among the ordered.
    fresh: Vec<OwnKey>,
    /// Values, by property, of which keys are not made yet; and their elements.
    unmade: Vec<Column>,
    ids: Vec<u64>,
}

/// So many fresh keys for each ordered one are worth a new tree.
const FRESH_SHARE: usize = 8;

/// A made key beside its bytes: its place in a tree of which nodes are half empty at most, and its allocation.
const MADE_ENTRY_BYTES: usize = size_of::<OwnKey>() * 3 / 2 + 16;

impl Keys {
    fn are_ordered(&self) -> bool {
        self.fresh.is_empty() && self.ids.is_empty()
    }

    /// Makes and orders all; gives the bytes of keys that it made.
    fn order(&mut self, index: &IndexDefinition) -> Result<usize> {
        let made_bytes = if self.ids.is_empty() { 0 } else { self.make(index)? };
        if self.ordered.len() / FRESH_SHARE < self.fresh.len() {
            self.ordered.append(&mut self.fresh.drain(..).collect());
        } else {
            self.ordered.extend(self.fresh.drain(..));
        }
        Ok(made_bytes)
    }

    fn make(&mut self, index: &IndexDefinition) -> Result<usize> {
        let Keys { fresh, unmade, ids, .. } = self;
        let (maker, known, mut bytes) = (KeyMaker::of(index)?, fresh.len(), 0);
        let columns: Vec<&Column> = unmade.iter().collect();
        for (row, id) in ids.iter().enumerate() {
            let made = maker.each_of_row(&columns, row, |key| {
                bytes += MADE_ENTRY_BYTES + key.len();
                fresh.push((key.into(), *id));
            });
            if let Err(error) = made {
                // The values are still there.
                fresh.truncate(known);
                return Err(error);
            }
        }
        unmade.clear();
        ids.clear();
        Ok(bytes)
    }
}

impl OwnKeys {
    /// Adds a key.
    pub(in crate::transaction) fn insert(&mut self, key: &[u8], id: u64) {
        self.keys.get_mut().fresh.push((key.into(), id));
    }

    /// Adds the keys that are made of a row.
    pub(in crate::transaction) fn insert_row(&mut self, keys: &[&Column], row: usize, id: u64) {
        let Keys { unmade, ids, .. } = self.keys.get_mut();
        unmade.resize(keys.len(), Column::default());
        for (own, key) in unmade.iter_mut().zip(keys) {
            append_row(own, key, row);
        }
        ids.push(id);
    }

    /// Removes a key.
    pub(in crate::transaction) fn remove(&mut self, index: &IndexDefinition, key: &[u8], id: u64) {
        let keys = self.keys.get_mut();
        // Whole values are in no need of making, so this cannot fail.
        let _ordered = keys.order(index);
        keys.ordered.remove(&(key.into(), id));
    }

    /// Removes the keys that are made of a row.
    pub(in crate::transaction) fn remove_row(
        &mut self,
        index: &IndexDefinition,
        keys: &[&Column],
        row: usize,
        id: u64,
    ) -> Result<()> {
        let own = self.keys.get_mut();
        *self.made_bytes.get_mut() += own.order(index)?;
        KeyMaker::of(index)?.each_of_row(keys, row, |key| {
            own.ordered.remove(&(key.into(), id));
        })
    }

    pub(in crate::transaction) fn is_empty(&self) -> bool {
        let keys = self.keys.read();
        keys.ordered.is_empty() && keys.are_ordered()
    }

    /// Bytes of made keys, about. What has none yet was counted with its values.
    pub(in crate::transaction) fn made_bytes(&self) -> usize {
        self.made_bytes.load(Ordering::Relaxed)
    }

    /// All, in order.
    pub(in crate::transaction) fn ordered(
        &self,
        index: &IndexDefinition,
    ) -> Result<MappedRwLockReadGuard<'_, BTreeSet<OwnKey>>> {
        let known = self.keys.read();
        let keys = if known.are_ordered() {
            known
        } else {
            drop(known);
            let mut keys = self.keys.write();
            self.made_bytes.fetch_add(keys.order(index)?, Ordering::Relaxed);
            RwLockWriteGuard::downgrade(keys)
        };
        Ok(RwLockReadGuard::map(keys, |keys| &keys.ordered))
    }
}

#[cfg(test)]
mod tests {
    use millrace_model::schema::{IndexKind, KeyMethod};
    use millrace_model::{IndexId, KeyId, LabelId, Owner, Value};

    use super::*;

    fn index(kind: IndexKind, method: Option<&str>) -> IndexDefinition {
        let (id, owner, keys) = (IndexId(7), Owner::Label(LabelId(1)), vec![KeyId(2)]);
        IndexDefinition { id, owner, keys, kind, method: method.map(|own| KeyMethod(own.into())) }
    }

    #[test]
    fn keys_are_in_order_however_they_came_and_went() {
        let (range, mut keys) = (index(IndexKind::Range, None), OwnKeys::default());
        let all = |keys: &OwnKeys| -> Vec<u64> {
            keys.ordered(&range).unwrap().iter().map(|key| key.1).collect()
        };
        assert!(keys.is_empty());
        for (key, id) in [("b", 1), ("a", 2), ("b", 0)] {
            keys.insert(key.as_bytes(), id);
        }
        assert!(!keys.is_empty());
        assert_eq!(all(&keys), [2, 0, 1]);
        keys.insert(b"c", 3);
        keys.remove(&range, b"b", 1);
        keys.remove(&range, b"c", 3);
        keys.remove(&range, b"d", 3);
        keys.insert(b"b", 1);
        keys.insert(b"a", 9);
        assert_eq!(all(&keys), [2, 9, 0, 1]);
        assert_eq!(keys.made_bytes(), 0);
    }

    #[test]
    fn made_keys_are_those_of_the_values_that_are_left() {
        let (words, mut keys) =
            (index(IndexKind::Made, Some("words(standard)")), OwnKeys::default());
        let texts = Column::from_values(["blue sky", "sky", "red"].map(Value::from));
        let all = |keys: &OwnKeys| -> Vec<(String, u64)> {
            let text = |key: &OwnKey| (String::from_utf8_lossy(&key.0).into_owned(), key.1);
            keys.ordered(&words).unwrap().iter().map(text).collect()
        };
        (0..3).for_each(|row| keys.insert_row(&[&texts], row, row as u64));
        assert!(!keys.is_empty() && keys.made_bytes() == 0);
        keys.remove_row(&words, &[&texts], 1, 1).unwrap();
        keys.insert_row(&[&texts], 1, 5);
        let left = [("blue", 0), ("red", 2), ("sky", 0), ("sky", 5)];
        assert_eq!(all(&keys), left.map(|(word, id)| (word.to_owned(), id)));
        assert!(left.len() * MADE_ENTRY_BYTES < keys.made_bytes());
    }
}
