//! Groups of identical rows, numbered in order of first appearance.
//!
//! Each key column becomes [`Codes`]. Several columns are folded pair by pair: (group so far, code) → group. So any
//! number of keys costs one probe of a small map for each, and one look into an array where codes are few.

use std::hash::Hash;

use hashbrown::HashMap;
use millrace_model::{Batch, Column};
use rustc_hash::FxHashMap;

use super::codes::{ABSENT, Code, Codes, NULL};
use super::sizes::table_bytes;

/// (Group so far, code) → group.
pub(crate) enum GroupMap {
    /// There is one group so far, and all codes have one tag and are small, or are missing.
    Direct(Direct),
    /// All codes have this tag and 32 bits, as ids mostly have: a key is one word.
    Narrow(u8, HashMap<u64, u32>),
    Wide(HashMap<(u32, Code), u32>),
}

/// Groups by code.
#[derive(Default)]
pub(crate) struct Direct {
    tag: Option<u8>,
    /// The group of each code, counted from 1; 0 where there is none.
    groups: Vec<u32>,
    /// The same of missing entries, by their tags.
    missing: [u32; 2],
    len: u32,
}

/// Codes are looked up in an array below this: of as many rows a map is no smaller.
const DIRECT_CODES_MAX: u64 = 1 << 22;

/// The array is as long as this, or as so many times the rows of a batch.
const DIRECT_CODES_MIN: u64 = 1 << 10;
const DIRECT_CODES_PER_ROW: u64 = 16;

/// An array that is longer is given up when its groups are forgotten.
const DIRECT_CODES_AT_REST: usize = 1 << 16;

impl Direct {
    /// Whether all of these codes may have a place; makes it then.
    fn takes(&mut self, groups: &[u32], codes: &[Code]) -> bool {
        let room = DIRECT_CODES_MIN.max(codes.len() as u64 * DIRECT_CODES_PER_ROW);
        let bound = DIRECT_CODES_MAX.min(room).max(self.groups.len() as u64);
        if self.tag.is_none() {
            self.tag = codes.iter().map(|(tag, _)| *tag).find(|tag| *tag != NULL && *tag != ABSENT);
        }
        let own = self.tag.unwrap_or(NULL);
        let (mut is_small, mut largest) = (true, 0);
        for (group, (tag, bits)) in groups.iter().zip(codes) {
            let is_missing = *tag == NULL || *tag == ABSENT;
            is_small &= *group == 0 && (is_missing || *tag == own && *bits < bound);
            largest = largest.max(if is_missing { 0 } else { *bits });
        }
        if is_small && self.groups.len() as u64 <= largest {
            self.groups.resize(largest as usize + 1, 0);
        }
        is_small
    }

    /// The group of a code that has a place.
    #[inline]
    fn enter(&mut self, (tag, bits): Code) -> u32 {
        let place = match tag {
            NULL | ABSENT => &mut self.missing[usize::from(tag)],
            _ => &mut self.groups[bits as usize],
        };
        if *place == 0 {
            self.len += 1;
            *place = self.len;
        }
        *place - 1
    }

    fn find(&self, (tag, bits): Code) -> Option<u32> {
        let place = match tag {
            NULL | ABSENT => self.missing[usize::from(tag)],
            _ if Some(tag) == self.tag => *self.groups.get(usize::try_from(bits).ok()?)?,
            _ => 0,
        };
        place.checked_sub(1)
    }

    /// Code and group of each.
    fn iter(&self) -> impl Iterator<Item = (Code, u32)> + '_ {
        let missing = [(ABSENT, 0), (NULL, 0)].into_iter().zip(self.missing[..].iter());
        let tag = self.tag.unwrap_or(NULL);
        let codes = (0..).map(move |bits| (tag, bits)).zip(&self.groups);
        let all = missing.chain(codes).filter(|(_, place)| **place != 0);
        all.map(|(code, place)| (code, place - 1))
    }

    fn clear(&mut self) {
        // What comes next may be few rows, and pays for those alone.
        if DIRECT_CODES_AT_REST < self.groups.len() {
            self.groups = Vec::new();
        }
        self.groups.fill(0);
        (self.missing, self.len) = ([0; 2], 0);
    }
}

impl Default for GroupMap {
    fn default() -> GroupMap {
        GroupMap::Direct(Direct::default())
    }
}

impl GroupMap {
    pub(crate) fn len(&self) -> usize {
        match self {
            GroupMap::Direct(direct) => direct.len as usize,
            GroupMap::Narrow(_, map) => map.len(),
            GroupMap::Wide(map) => map.len(),
        }
    }

    /// Bytes used, for the budget.
    pub(crate) fn bytes(&self) -> u64 {
        match self {
            GroupMap::Direct(direct) => size_of_val(&direct.groups[..]) as u64,
            GroupMap::Narrow(_, map) => {
                table_bytes(map.len(), map.capacity(), size_of::<(u64, u32)>())
            }
            GroupMap::Wide(map) => {
                table_bytes(map.len(), map.capacity(), size_of::<((u32, Code), u32)>())
            }
        }
    }

    /// Forgets all groups, keeping memory.
    fn clear(&mut self) {
        match self {
            GroupMap::Direct(direct) => direct.clear(),
            GroupMap::Narrow(_, map) => map.clear(),
            GroupMap::Wide(map) => map.clear(),
        }
    }

    fn find(&self, group: u32, code: Code) -> Option<u32> {
        match self {
            GroupMap::Direct(direct) => (group == 0).then(|| direct.find(code))?,
            GroupMap::Narrow(tag, map) => {
                is_narrow(code, *tag).then(|| map.get(&narrow(group, code)).copied())?
            }
            GroupMap::Wide(map) => map.get(&(group, code)).copied(),
        }
    }

    /// The group of each row by its group so far and its code.
    pub(crate) fn assign(&mut self, groups: &mut [u32], codes: &[Code]) {
        if let GroupMap::Direct(direct) = self {
            if direct.takes(groups, codes) {
                let pairs = groups.iter_mut().zip(codes);
                return pairs.for_each(|(group, code)| *group = direct.enter(*code));
            }
            *self = hashed(direct, codes);
        }
        if let (GroupMap::Narrow(tag, map), Some((first, _))) = (&mut *self, codes.first())
            && map.is_empty()
        {
            *tag = *first;
        }
        if let GroupMap::Narrow(tag, map) = self {
            if codes.iter().all(|&code| is_narrow(code, *tag)) {
                return assign_to(map, groups, codes, narrow);
            }
            let word = |key: u64| ((key >> 32) as u32, (*tag, key & u64::from(u32::MAX)));
            let wide = map.iter().map(|(&key, &group)| (word(key), group)).collect();
            *self = GroupMap::Wide(wide);
        }
        if let GroupMap::Wide(map) = self {
            assign_to(map, groups, codes, |group, code| (group, code));
        }
    }
}

/// The same groups in a map, for codes that have no place in an array.
fn hashed(direct: &Direct, codes: &[Code]) -> GroupMap {
    let first = codes.first().map_or(ABSENT, |(tag, _)| *tag);
    let tag = direct.tag.unwrap_or(first);
    let is_missing = direct.missing != [0; 2];
    if !is_missing {
        let words = direct.iter().map(|(code, group)| (narrow(0, code), group));
        return GroupMap::Narrow(tag, words.collect());
    }
    GroupMap::Wide(direct.iter().map(|(code, group)| ((0, code), group)).collect())
}

fn is_narrow((own, bits): Code, tag: u8) -> bool {
    own == tag && bits <= u64::from(u32::MAX)
}

fn narrow(group: u32, (_, bits): Code) -> u64 {
    u64::from(group) << 32 | bits
}

fn assign_to<K: Hash + Eq + Copy>(
    map: &mut HashMap<K, u32>,
    groups: &mut [u32],
    codes: &[Code],
    key: impl Fn(u32, Code) -> K,
) {
    // Equal rows often stand together: those that one row became.
    let mut last = None;
    for (group, code) in groups.iter_mut().zip(codes) {
        let key = key(*group, *code);
        *group = match last {
            Some((before, found)) if before == key => found,
            _ => {
                let fresh = map.len() as u32;
                *map.entry(key).or_insert(fresh)
            }
        };
        last = Some((key, *group));
    }
}

/// The first row of each group from `before` on, in order of groups.
pub(crate) fn first_rows(groups: &[u32], before: u32) -> Vec<u32> {
    let mut next = before;
    let mut fresh = Vec::new();
    for (row, &group) in groups.iter().enumerate() {
        if group == next {
            fresh.push(row as u32);
            next += 1;
        }
    }
    fresh
}

/// Groups over the ordinal and some columns.
pub(crate) struct Groups {
    /// For each key column its codes and the map (group so far, code) → group.
    keys: Vec<(Codes, GroupMap)>,
    /// Ordinal → group, where there is no key column.
    scopes: FxHashMap<u32, u32>,
    codes: Vec<Code>,
}

impl Groups {
    pub(crate) fn new(keys: usize) -> Groups {
        let keys = (0..keys).map(|_| Default::default()).collect();
        Groups { keys, scopes: FxHashMap::default(), codes: Vec::new() }
    }

    /// Forgets all groups, keeping memory.
    pub(crate) fn clear(&mut self) {
        self.scopes.clear();
        for (codes, map) in &mut self.keys {
            codes.clear();
            map.clear();
        }
    }

    /// Bytes used, for the budget.
    pub(crate) fn bytes(&self) -> u64 {
        let of_key = |(codes, map): &(Codes, GroupMap)| codes.bytes() + map.bytes();
        let scopes =
            table_bytes(self.scopes.len(), self.scopes.capacity(), size_of::<(u32, u32)>());
        self.keys.iter().map(of_key).sum::<u64>() + scopes
    }

    /// How many groups there are.
    pub(crate) fn len(&self) -> usize {
        self.keys.last().map_or(self.scopes.len(), |(_, map)| map.len())
    }

    /// Writes the group of every row; `columns` are the key columns' slots.
    pub(crate) fn assign(&mut self, batch: &Batch, columns: &[usize], groups: &mut Vec<u32>) {
        let columns: Vec<&Column> = columns.iter().map(|&slot| &*batch.columns[slot]).collect();
        self.assign_columns(batch, &columns, groups);
    }

    /// The group of each row of another batch of the same columns, in the first scope; `none` where there is none.
    pub(crate) fn find(&self, columns: &[&Column], len: usize, none: u32) -> Vec<u32> {
        if columns.is_empty() {
            return vec![self.scopes.get(&0).copied().unwrap_or(none); len];
        }
        let mut groups = vec![Some(0); len];
        let mut found = Vec::new();
        for ((codes, map), column) in self.keys.iter().zip(columns) {
            codes.find_column(column, &mut found);
            for (group, code) in groups.iter_mut().zip(&found) {
                *group = group.and_then(|group| map.find(group, (*code)?));
            }
        }
        groups.into_iter().map(|group| group.unwrap_or(none)).collect()
    }

    /// The same for columns that are not in the batch.
    pub(crate) fn assign_columns(
        &mut self,
        batch: &Batch,
        columns: &[&Column],
        groups: &mut Vec<u32>,
    ) {
        groups.clear();
        match &batch.ordinals {
            Some(ordinals) => groups.extend_from_slice(ordinals),
            None => groups.resize(batch.len, 0),
        }
        if columns.is_empty() {
            for group in groups.iter_mut() {
                let fresh = self.scopes.len() as u32;
                *group = *self.scopes.entry(*group).or_insert(fresh);
            }
        }
        for ((codes, map), column) in self.keys.iter_mut().zip(columns) {
            codes.of_column(column, &mut self.codes);
            map.assign(groups, &self.codes);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use millrace_model::{ColumnValues, Value};
    use std::sync::Arc;

    #[test]
    fn representation_does_not_matter_and_width_does() {
        let typed = Column::of(ColumnValues::I64(vec![1, 2]));
        let mixed =
            Column::of(ColumnValues::Value(vec![Value::I64(2), Value::I32(1), Value::from("1")]));
        let mut groups = Groups::new(1);
        let mut found = Vec::new();
        groups.assign(&Batch::of(vec![typed]), &[0], &mut found);
        assert_eq!(found, [0, 1]);
        groups.assign(&Batch::of(vec![mixed]), &[0], &mut found);
        assert_eq!(found, [1, 2, 3]);
    }

    #[test]
    fn groups_stay_when_a_code_takes_more_than_a_word() {
        let ids = |ids: &[i64]| Batch::of(vec![Column::of(ColumnValues::I64(ids.to_vec()))]);
        let mut groups = Groups::new(1);
        let mut found = Vec::new();
        groups.assign(&ids(&[7, 1 << 31, 7]), &[0], &mut found);
        assert_eq!(found, [0, 1, 0]);
        groups.assign(&ids(&[1 << 31, -1, 7, (1 << 32) + 7]), &[0], &mut found);
        assert_eq!(found, [1, 2, 0, 3]);
        let null = Batch::of(vec![Column::from_values([Value::Null, Value::I64(7)])]);
        groups.assign(&null, &[0], &mut found);
        assert_eq!(found, [4, 0]);
        let wide = Column::of(ColumnValues::I64(vec![(1 << 32) + 7]));
        assert_eq!(groups.find(&[&wide], 1, 9), [3]);
        groups.clear();
        assert_eq!(groups.find(&[&wide], 1, 9), [9]);
    }

    #[test]
    fn groups_stay_when_an_array_becomes_a_map() {
        let absent = {
            let mut column = Column::from_values([Value::I64(3), Value::Null, Value::I64(9)]);
            column.push_absent();
            column
        };
        let far = Column::from_values([Value::I64(9), Value::I64(-1), Value::I64(3), Value::Null]);
        let text = Column::from_values([Value::from("a"), Value::I64(9), Value::from("a")]);
        for columns in [[&absent, &far, &text], [&absent, &text, &far]] {
            let mut groups = Groups::new(1);
            let mut seen: Vec<Option<Value>> = Vec::new();
            for column in columns {
                let mut found = Vec::new();
                groups.assign(&Batch::of(vec![column.clone()]), &[0], &mut found);
                for (row, found) in found.iter().enumerate() {
                    let entry = column.get(row);
                    let place = seen.iter().position(|own| *own == entry);
                    let place = place.unwrap_or_else(|| {
                        seen.push(entry.clone());
                        seen.len() - 1
                    });
                    assert_eq!(*found as usize, place, "{entry:?}");
                    let own = groups.find(&[column], column.len(), u32::MAX);
                    assert_eq!(own[row], place as u32);
                }
            }
            assert_eq!(groups.len(), seen.len());
            groups.clear();
            assert_eq!((groups.len(), groups.find(&[&far], 4, 9)), (0, vec![9; 4]));
        }
    }

    #[test]
    fn the_ordinal_is_a_leading_key() {
        let mut batch = Batch::of(vec![Column::from_values([Value::Null, Value::Null])]);
        batch.ordinals = Some(Arc::new(vec![0, 1]));
        let mut found = Vec::new();
        Groups::new(1).assign(&batch, &[0], &mut found);
        assert_eq!(found, [0, 1]);
        Groups::new(0).assign(&batch, &[], &mut found);
        assert_eq!(found, [0, 1]);
    }
}
