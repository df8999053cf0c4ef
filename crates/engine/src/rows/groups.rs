//! Groups of identical rows, numbered in order of first appearance.
//!
//! Each key column becomes *codes* (a type tag and 64 bits), equal exactly for identical entries,
//! whatever representation a batch chose. Several columns are folded pair by pair: (group so far,
//! code) → group. So any number of keys costs one probe of a small map for each.

use std::collections::HashMap;
use std::hash::Hash;

use millrace_model::{Batch, Column, ColumnValues, Value, query_limits};
use rustc_hash::FxHashMap;

use super::sizes::table_bytes;

/// Codes of entries of one column, over many batches.
#[derive(Default)]
pub(crate) struct Codes {
    /// Values of users: chosen keys could collide under a weaker hash.
    others: HashMap<Value, u64>,
    /// Bytes that those point to.
    others_bytes: u64,
    unlike: u64,
}

/// A type tag and 64 bits: equal for identical entries only.
pub(crate) type Code = (u8, u64);

const ABSENT: u8 = 0;
const NULL: u8 = 1;
const VERTEX: u8 = 2;
const EDGE: u8 = 3;
const BOOL: u8 = 4;
const I64: u8 = 5;
const F64: u8 = 6;
const OTHER: u8 = 7;
const UNLIKE: u8 = 8;

impl Codes {
    /// Writes the code of every entry.
    pub(crate) fn of_column(&mut self, column: &Column, codes: &mut Vec<Code>) {
        codes.clear();
        match &column.values {
            ColumnValues::Vertex(entries) => codes.extend(entries.iter().map(|id| (VERTEX, id.0))),
            ColumnValues::Edge(entries) => codes.extend(entries.iter().map(|id| (EDGE, id.0))),
            ColumnValues::Bool(entries) => {
                codes.extend(entries.iter().map(|&bit| (BOOL, u64::from(bit))));
            }
            ColumnValues::I64(entries) => {
                codes.extend(entries.iter().map(|&int| (I64, int as u64)));
            }
            ColumnValues::F64(entries) => codes.extend(entries.iter().map(|x| (F64, x.to_bits()))),
            ColumnValues::String(entries) => {
                codes.extend(entries.iter().map(|text| self.of_value(&Value::string(text))));
            }
            ColumnValues::Value(entries) => {
                codes.extend(entries.iter().map(|value| self.of_value(value)));
            }
            ColumnValues::Path(paths) => {
                let paths = (0..paths.last.len()).map(|row| column.values.value(row));
                codes.extend(paths.map(|path| self.of_value(&path)));
            }
            ColumnValues::Bag(bags) => self.each_its_own(bags.views.len(), codes),
            ColumnValues::Fields(entries) => self.each_its_own(entries.len(), codes),
        }
        mark_missing(column, codes);
    }

    /// Bags and fields have no identity to compare: each entry is a group of its own.
    fn each_its_own(&mut self, len: usize, codes: &mut Vec<Code>) {
        codes.extend((self.unlike..).take(len).map(|number| (UNLIKE, number)));
        self.unlike += len as u64;
    }

    /// The code of a value.
    pub(crate) fn of_value(&mut self, value: &Value) -> Code {
        match value {
            Value::Null => (NULL, 0),
            Value::Vertex(id) => (VERTEX, id.0),
            Value::Edge(id) => (EDGE, id.0),
            Value::Bool(bit) => (BOOL, u64::from(*bit)),
            Value::I64(int) => (I64, *int as u64),
            Value::F64(double) => (F64, double.to_bits()),
            other => {
                // A query that has ended wants no code: its next question raises the error.
                if query_limits::is_over(query_limits::work_of(other)) {
                    return (NULL, 0);
                }
                if let Some(&code) = self.others.get(other) {
                    return (OTHER, code);
                }
                let code = self.others.len() as u64;
                self.others_bytes += other.heap_size() as u64;
                self.others.insert(other.clone(), code);
                (OTHER, code)
            }
        }
    }

    /// Forgets all values, keeping memory.
    fn clear(&mut self) {
        self.others.clear();
        self.others_bytes = 0;
    }

    /// Bytes used, for the budget.
    pub(crate) fn bytes(&self) -> u64 {
        let entry = size_of::<(Value, u64)>();
        self.others_bytes + table_bytes(self.others.len(), self.others.capacity(), entry)
    }

    /// The code of a value if it was seen before: for set tests, which must not grow the set.
    pub(crate) fn find(&self, value: &Value) -> Option<Code> {
        match value {
            Value::Null => Some((NULL, 0)),
            Value::Vertex(id) => Some((VERTEX, id.0)),
            Value::Edge(id) => Some((EDGE, id.0)),
            Value::Bool(bit) => Some((BOOL, u64::from(*bit))),
            Value::I64(int) => Some((I64, *int as u64)),
            Value::F64(double) => Some((F64, double.to_bits())),
            other => self.others.get(other).map(|&code| (OTHER, code)),
        }
    }
}

fn mark_missing(column: &Column, codes: &mut [Code]) {
    for (bits, code) in [(&column.nulls, (NULL, 0)), (&column.absents, (ABSENT, 0))] {
        for index in bits.iter().flat_map(|bits| bits.ones()) {
            codes[index] = code;
        }
    }
}

/// (Group so far, code) → group.
enum GroupMap {
    /// All codes have this tag and 32 bits, as ids mostly have: a key is one word.
    Narrow(u8, FxHashMap<u64, u32>),
    Wide(FxHashMap<(u32, Code), u32>),
}

impl Default for GroupMap {
    fn default() -> GroupMap {
        GroupMap::Narrow(ABSENT, FxHashMap::default())
    }
}

impl GroupMap {
    fn len(&self) -> usize {
        match self {
            GroupMap::Narrow(_, map) => map.len(),
            GroupMap::Wide(map) => map.len(),
        }
    }

    /// Bytes used, for the budget.
    fn bytes(&self) -> u64 {
        match self {
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
            GroupMap::Narrow(_, map) => map.clear(),
            GroupMap::Wide(map) => map.clear(),
        }
    }

    fn find(&self, group: u32, code: Code) -> Option<u32> {
        match self {
            GroupMap::Narrow(tag, map) => {
                is_narrow(code, *tag).then(|| map.get(&narrow(group, code)).copied())?
            }
            GroupMap::Wide(map) => map.get(&(group, code)).copied(),
        }
    }

    /// The group of each row by its group so far and its code.
    fn assign(&mut self, groups: &mut [u32], codes: &[Code]) {
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

fn is_narrow((own, bits): Code, tag: u8) -> bool {
    own == tag && bits <= u64::from(u32::MAX)
}

fn narrow(group: u32, (_, bits): Code) -> u64 {
    u64::from(group) << 32 | bits
}

fn assign_to<K: Hash + Eq + Copy>(
    map: &mut FxHashMap<K, u32>,
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

    /// The group of a row of another batch of the same columns, in the first scope; none is made.
    pub(crate) fn find(&self, columns: &[&Column], row: usize) -> Option<u32> {
        if columns.is_empty() {
            return self.scopes.get(&0).copied();
        }
        let mut group = 0;
        for ((codes, map), column) in self.keys.iter().zip(columns) {
            let code = match column.get(row) {
                Some(value) => codes.find(&value)?,
                None => (ABSENT, 0),
            };
            group = map.find(group, code)?;
        }
        Some(group)
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
        assert_eq!(groups.find(&[&wide], 0), Some(3));
        groups.clear();
        assert_eq!(groups.find(&[&wide], 0), None);
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
