//! The entries a transaction adds to one index, with their values, always up to date.
//!
//! The values are kept here although their columns may have spilled, so that a seek never waits for
//! a spilled part. An element of the snapshot with changed indexed values is in `changed`, and the
//! snapshot's entry for it no longer counts.

use std::collections::BTreeSet;
use std::ops::{Bound, Deref};

use millrace_model::schema::{IndexDefinition, IndexKind};
use millrace_model::{Column, Result};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::base::index_keys::each_key;
use crate::base::key_hash::{entries_equal, hash_row};
use crate::reads::key_range::{ByteRange, key_of_row};
use crate::transaction::state::column_append::append_row;
use crate::transaction::state::own_keys::{OwnKey, OwnKeys};

const END: u32 = u32::MAX;

pub(in crate::transaction) struct OwnIndex {
    pub(in crate::transaction) definition: IndexDefinition,
    /// Defined in this transaction, so the snapshot has no such index and all entries are here.
    pub(in crate::transaction) whole: bool,
    pub(in crate::transaction) changed: FxHashSet<u64>,
    /// The newest entry of each hash.
    heads: FxHashMap<u64, u32>,
    entries: Vec<Entry>,
    values: Vec<Column>,
    /// Of an ordered index.
    ordered: OwnKeys,
}

struct Entry {
    id: u64,
    /// The next entry of the same hash.
    next: u32,
}

impl OwnIndex {
    pub(in crate::transaction) fn new(definition: IndexDefinition, whole: bool) -> OwnIndex {
        let values = vec![Column::default(); definition.keys.len()];
        let changed = FxHashSet::default();
        let heads = FxHashMap::default();
        let (entries, ordered) = (Vec::new(), OwnKeys::default());
        OwnIndex { definition, whole, changed, heads, entries, values, ordered }
    }

    /// Adds the entries of a row of key columns, if the row has some.
    pub(in crate::transaction) fn insert(&mut self, keys: &[&Column], row: usize, id: u64) {
        if self.definition.kind == IndexKind::Made {
            return self.ordered.insert_row(keys, row, id);
        }
        each_key(keys, row, |keys, row| self.insert_one(keys, row, id));
    }

    fn insert_one(&mut self, keys: &[&Column], row: usize, id: u64) {
        let Some(hash) = hash_row(keys, row) else { return };
        if self.definition.kind == IndexKind::Range
            && let Some(key) = key_of_row(keys, row)
        {
            self.ordered.insert(&key, id);
        }
        let slot = u32::try_from(self.entries.len()).expect("a transaction has < 2^32 entries");
        let next = self.heads.insert(hash, slot).unwrap_or(END);
        self.entries.push(Entry { id, next });
        for (value, key) in self.values.iter_mut().zip(keys) {
            append_row(value, key, row);
        }
    }

    /// Removes the entries of an element with the values of a row.
    pub(in crate::transaction) fn remove(&mut self, keys: &[&Column], row: usize, id: u64) {
        if self.definition.kind == IndexKind::Made {
            // What has no keys was never entered.
            let _none = self.ordered.remove_row(&self.definition, keys, row, id);
            return;
        }
        each_key(keys, row, |keys, row| self.remove_one(keys, row, id));
    }

    fn remove_one(&mut self, keys: &[&Column], row: usize, id: u64) {
        let Some(hash) = hash_row(keys, row) else { return };
        if self.definition.kind == IndexKind::Range
            && let Some(key) = key_of_row(keys, row)
        {
            self.ordered.remove(&self.definition, &key, id);
        }
        let Some(head) = self.heads.get_mut(&hash) else { return };
        let first = &self.entries[*head as usize];
        if first.id == id {
            match first.next {
                END => drop(self.heads.remove(&hash)),
                next => *head = next,
            }
            return;
        }
        let mut slot = *head as usize;
        while self.entries[slot].next != END {
            let next = self.entries[slot].next as usize;
            if self.entries[next].id == id {
                self.entries[slot].next = self.entries[next].next;
                return;
            }
            slot = next;
        }
    }

    /// The elements with entries that equal the values of a row, in no order.
    pub(in crate::transaction) fn find<'a>(
        &'a self,
        keys: &'a [&'a Column],
        row: usize,
    ) -> impl Iterator<Item = u64> + 'a {
        let head = hash_row(keys, row).and_then(|hash| self.heads.get(&hash)).copied();
        let slots = std::iter::successors(head, |slot| {
            Some(self.entries[*slot as usize].next).filter(|next| *next != END)
        });
        let equal = move |slot: &u32| {
            let mut pairs = self.values.iter().zip(keys);
            pairs.all(|(own, key)| entries_equal(own, *slot as usize, key, row))
        };
        slots.filter(equal).map(|slot| self.entries[slot as usize].id)
    }

    /// Own keys with their elements, in order; [`in_range`] gives those of a range.
    pub(in crate::transaction) fn ordered(
        &self,
    ) -> Result<impl Deref<Target = BTreeSet<OwnKey>> + '_> {
        self.ordered.ordered(&self.definition)
    }

    /// Bytes of keys that were made of values.
    pub(in crate::transaction) fn made_bytes(&self) -> usize {
        self.ordered.made_bytes()
    }

    pub(in crate::transaction) fn is_unmodified(&self) -> bool {
        self.entries.is_empty() && self.ordered.is_empty() && self.changed.is_empty()
    }
}

/// Keys of a range, in order.
pub(in crate::transaction) fn in_range<'k>(
    keys: &'k BTreeSet<OwnKey>,
    range: &ByteRange,
) -> impl DoubleEndedIterator<Item = &'k OwnKey> {
    let end = range.end.as_ref().map_or(Bound::Unbounded, |end| {
        // No key equals this one with the least id: keys of elements come with ids above 0.
        Bound::Excluded((end.as_slice().into(), 0))
    });
    keys.range((Bound::Included((range.start.as_slice().into(), 0)), end))
}
