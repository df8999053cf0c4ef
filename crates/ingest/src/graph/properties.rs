//! One key's values as they arrive: owners beside columns that the parsers made. Values are not
//! moved until the end, when [`PropertyParts::settle`] has decided which one an owner keeps.

use crate::limits::PART_ROWS;
use millrace_model::column::ColumnValues;
use millrace_model::{Column, Value};
use rustc_hash::FxHashSet;

/// Values of one key, in file order; an owner may come again, and then its last value counts.
#[derive(Default)]
pub(crate) struct PropertyParts {
    /// The owner of each row's value.
    pub(super) owners: Vec<u32>,
    /// First row of each part.
    pub(super) starts: Vec<u32>,
    pub(super) parts: Vec<Column>,
    /// Bytes of the values and their owners, about.
    bytes: u64,
    /// After [`PropertyParts::settle`]: the row of each owner's value, by ascending owner.
    pub(super) rows: Vec<u32>,
}

impl PropertyParts {
    /// Appends a part; `owners` has an entry for each of its values.
    pub(crate) fn push(&mut self, owners: impl Iterator<Item = u32>, values: Column) {
        let start = u32::try_from(self.owners.len()).expect("fewer than 2^32 values of a key");
        self.starts.push(start);
        self.owners.extend(owners);
        self.bytes += (size_of::<Column>() + OWNER_BYTES * values.len()) as u64;
        self.bytes += column_bytes(&values);
        self.parts.push(values);
    }

    /// Appends one value. Single values share parts of up to `PART_ROWS`.
    pub(crate) fn push_value(&mut self, owner: u32, value: Value) {
        if self.parts.last().is_none_or(|part| PART_ROWS <= part.len()) {
            self.push(std::iter::empty(), Column::default());
        }
        if let Some(part) = self.parts.last_mut() {
            self.owners.push(owner);
            self.bytes += (OWNER_BYTES + value.byte_size()) as u64;
            part.push(value);
        }
    }

    /// Bytes that it holds, about, and that settling it takes besides.
    pub(crate) fn byte_size(&self) -> u64 {
        size_of::<PropertyParts>() as u64 + self.bytes
    }

    /// Bytes of a value, about.
    pub(crate) fn average_bytes(&self) -> u64 {
        self.bytes / self.owners.len().max(1) as u64
    }

    /// Renumbers the owners, drops values of owners without a new number, and lets the last value of an
    /// owner win.
    pub(crate) fn settle(&mut self, renumber: impl Fn(u32) -> Option<u32>) {
        let mut keys = Vec::with_capacity(self.owners.len());
        for (row, owner) in self.owners.iter_mut().enumerate() {
            if let Some(number) = renumber(*owner) {
                *owner = number;
                keys.push((u64::from(number), row as u32));
            }
        }
        self.rows = sort_last_wins(keys);
    }

    /// The same, but several distinct values of an owner become a list, in their order.
    pub(crate) fn settle_lists(&mut self, renumber: impl Fn(u32) -> Option<u32>) {
        let keys = self.sorted_rows(renumber);
        let mut rows = Vec::with_capacity(keys.len());
        for group in keys.chunk_by(|(one, _), (other, _)| one == other) {
            let (owner, last) = group[group.len() - 1];
            match self.list_of(group) {
                None => rows.push(last),
                Some(list) => {
                    rows.push(self.owners.len() as u32);
                    self.push_value(owner, list);
                }
            }
        }
        self.rows = rows;
    }

    /// Each row with its owner's new number, by number and then in file order.
    pub(super) fn sorted_rows(&mut self, renumber: impl Fn(u32) -> Option<u32>) -> Vec<(u32, u32)> {
        let mut keys = Vec::with_capacity(self.owners.len());
        for (row, owner) in self.owners.iter_mut().enumerate() {
            if let Some(number) = renumber(*owner) {
                *owner = number;
                keys.push((number, row as u32));
            }
        }
        if !keys.is_sorted() {
            keys.sort_unstable();
        }
        keys
    }

    /// The value of a row.
    pub(super) fn value_of(&self, row: u32) -> Value {
        let part = self.starts.partition_point(|start| *start <= row) - 1;
        self.parts[part].values.value((row - self.starts[part]) as usize)
    }

    /// The distinct values of rows, if there are several.
    fn list_of(&self, group: &[(u32, u32)]) -> Option<Value> {
        if group.len() == 1 {
            return None;
        }
        let (mut values, mut seen) = (Vec::new(), FxHashSet::default());
        for (_, row) in group {
            let value = self.value_of(*row);
            if seen.insert(value.clone()) {
                values.push(value);
            }
        }
        (values.len() != 1).then(|| Value::list(values))
    }

    /// Owners from `range` (after settling) with their values, ascending.
    pub(crate) fn values_of(
        &self,
        range: std::ops::Range<u32>,
    ) -> impl Iterator<Item = OwnedValue<'_>> {
        let first = self.rows.partition_point(|row| self.owners[*row as usize] < range.start);
        let rows = self.rows[first..].iter().map(|row| (*row, self.owners[*row as usize]));
        rows.take_while(move |(_, owner)| *owner < range.end).map(|(row, owner)| {
            let part = self.starts.partition_point(|start| *start <= row) - 1;
            OwnedValue { owner, column: &self.parts[part], row: (row - self.starts[part]) as usize }
        })
    }

    /// How many owners from `range` (after settling) have a value.
    pub(crate) fn count(&self, range: std::ops::Range<u32>) -> usize {
        let place =
            |bound: u32| self.rows.partition_point(|row| self.owners[*row as usize] < bound);
        place(range.end) - place(range.start)
    }

    /// One entry for each owner in `range`, absent where it has none; `None` if none has one.
    pub(crate) fn column(&self, range: std::ops::Range<u32>) -> Option<Column> {
        let mut column = Column::default();
        let mut next = range.start;
        for value in self.values_of(range.clone()) {
            push_absents(&mut column, value.owner - next);
            push_from(&mut column, value.column, value.row);
            next = value.owner + 1;
        }
        if next == range.start {
            return None;
        }
        push_absents(&mut column, range.end - next);
        Some(column)
    }
}

/// Bytes of an owner: its number, its row, and its place while rows are sorted.
const OWNER_BYTES: usize = 28;

/// Bytes of the entries of a column, about.
fn column_bytes(column: &Column) -> u64 {
    let bytes = match &column.values {
        ColumnValues::Bool(entries) => entries.len(),
        ColumnValues::String(entries) => entries.byte_size(),
        ColumnValues::Value(entries) => entries.iter().map(Value::byte_size).sum(),
        other => 8 * other.len(),
    };
    bytes as u64
}

/// The value of an owner.
pub(crate) struct OwnedValue<'a> {
    pub(crate) owner: u32,
    pub(crate) column: &'a Column,
    pub(crate) row: usize,
}

fn push_absents(column: &mut Column, count: u32) {
    for _ in 0..count {
        column.push_absent();
    }
}

/// Appends an entry of another column; the frequent case of text makes no value on the way. (No
/// entry here is null: neither format has a null.)
pub(crate) fn push_from(column: &mut Column, from: &Column, row: usize) {
    match (&mut column.values, &from.values) {
        (_, ColumnValues::String(texts)) => push_text(column, texts.get(row)),
        // Asking the column would make it count its absent entries for each value.
        (ColumnValues::Value(entries), ColumnValues::Value(values)) => {
            entries.push(values[row].clone());
        }
        (_, entries) => column.push(entries.value(row)),
    }
}

/// Appends a text without making a value of it where the column already holds texts.
pub(crate) fn push_text(column: &mut Column, text: &str) {
    match &mut column.values {
        ColumnValues::String(texts) if texts.fits(text.len()) => texts.push(text),
        _ => column.push(Value::string(text)),
    }
}

/// The last row of each key, by ascending key. Rows ascend in the input.
pub(crate) fn sort_last_wins(mut keys: Vec<(u64, u32)>) -> Vec<u32> {
    if !keys.is_sorted() {
        keys.sort_unstable();
    }
    let mut rows: Vec<u32> = Vec::with_capacity(keys.len());
    for (at, (key, row)) in keys.iter().enumerate() {
        if keys.get(at + 1).is_none_or(|(next, _)| next != key) {
            rows.push(*row);
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries(column: &Column) -> Vec<Option<Value>> {
        (0..column.len()).map(|row| column.get(row)).collect()
    }

    #[test]
    fn the_last_value_of_an_owner_wins_across_parts() {
        let mut parts = PropertyParts::default();
        let texts = |texts: &[&str]| Column::from_values(texts.iter().map(|t| Value::from(*t)));
        parts.push([3, 1, 3].into_iter(), texts(&["a", "b", "c"]));
        parts.push([1, 0].into_iter(), texts(&["d", "e"]));
        parts.settle(Some);
        let column = parts.column(0..5).unwrap();
        let [a, c, d] = ["e", "c", "d"].map(|text| Some(Value::from(text)));
        assert_eq!(entries(&column), [a, d, None, c, None]);
        assert!(parts.column(4..9).is_none());
    }

    #[test]
    fn values_of_dropped_owners_are_dropped_and_types_may_mix() {
        let mut parts = PropertyParts::default();
        parts.push([0, 1, 2].into_iter(), Column::from_values([1.into(), 2.5.into(), 3.into()]));
        parts.settle(|owner| (owner != 0).then(|| owner - 1));
        let column = parts.column(0..2).unwrap();
        assert_eq!(entries(&column), [Some(Value::F64(2.5)), Some(Value::I64(3))]);
    }
}
