//! The entries a transaction adds to one index, with their values, always up to date.
//!
//! The values are kept here although their columns may have spilled, so that a seek never waits
//! for a spilled part. What a reader would get wrong: an element of the snapshot whose indexed
//! values changed is in `changed`, and what the snapshot says about it no longer counts.

use millrace_model::Column;
use millrace_model::schema::IndexDeclaration;
use rustc_hash::{FxHashMap, FxHashSet};

use super::column_append::append_row;
use crate::key_hash::{entries_equal, hash_row};

const END: u32 = u32::MAX;

pub(super) struct OwnIndex {
    pub(super) declaration: IndexDeclaration,
    /// Declared in this transaction, so the snapshot has no such index and all entries are here.
    pub(super) whole: bool,
    pub(super) changed: FxHashSet<u64>,
    heads: FxHashMap<u64, u32>,
    /// The next entry of the same hash.
    links: Vec<u32>,
    ids: Vec<u64>,
    values: Vec<Column>,
}

impl OwnIndex {
    pub(super) fn new(declaration: IndexDeclaration, whole: bool) -> OwnIndex {
        let values = vec![Column::default(); declaration.keys.len()];
        let changed = FxHashSet::default();
        let heads = FxHashMap::default();
        OwnIndex { declaration, whole, changed, heads, links: Vec::new(), ids: Vec::new(), values }
    }

    /// Adds the entry of a row of key columns, if the row has one.
    pub(super) fn insert(&mut self, keys: &[&Column], row: usize, id: u64) {
        let Some(hash) = hash_row(keys, row) else { return };
        let slot = u32::try_from(self.ids.len()).expect("a transaction has < 2^32 entries");
        self.ids.push(id);
        self.links.push(self.heads.insert(hash, slot).unwrap_or(END));
        for (value, key) in self.values.iter_mut().zip(keys) {
            append_row(value, key, row);
        }
    }

    /// Removes the entry of an element with the values of a row.
    pub(super) fn remove(&mut self, keys: &[&Column], row: usize, id: u64) {
        let Some(hash) = hash_row(keys, row) else { return };
        let Some(head) = self.heads.get_mut(&hash) else { return };
        if self.ids[*head as usize] == id {
            match self.links[*head as usize] {
                END => drop(self.heads.remove(&hash)),
                next => *head = next,
            }
            return;
        }
        let mut slot = *head as usize;
        while self.links[slot] != END {
            let next = self.links[slot] as usize;
            if self.ids[next] == id {
                self.links[slot] = self.links[next];
                return;
            }
            slot = next;
        }
    }

    /// The elements whose entries equal the values of a row, in no order.
    pub(super) fn find<'a>(
        &'a self,
        keys: &'a [&'a Column],
        row: usize,
    ) -> impl Iterator<Item = u64> + 'a {
        let head = hash_row(keys, row).and_then(|hash| self.heads.get(&hash)).copied();
        let slots = std::iter::successors(head, |slot| {
            Some(self.links[*slot as usize]).filter(|next| *next != END)
        });
        let equal = move |slot: &u32| {
            let mut pairs = self.values.iter().zip(keys);
            pairs.all(|(own, key)| entries_equal(own, *slot as usize, key, row))
        };
        slots.filter(equal).map(|slot| self.ids[slot as usize])
    }

    pub(super) fn is_untouched(&self) -> bool {
        self.ids.is_empty() && self.changed.is_empty()
    }
}
