//! Rows of columns copied to the end of others, and single entries replaced: arrays where both are of one type, values
//! where they are not.
//!
//! Rows that follow one another are copied as slices.

use std::ops::Range;
use std::sync::Arc;

use super::column::{Bags, Column, ColumnValues};
use super::path_arena::Paths;
use crate::base::bits::Bits;
use crate::values::value::Value;

/// The range that rows are, if each follows the one before.
pub fn as_range(rows: &[u32]) -> Option<Range<usize>> {
    let (first, last) = (*rows.first()? as usize, *rows.last()? as usize);
    let ascends = || rows.windows(2).all(|pair| pair[0].wrapping_add(1) == pair[1]);
    (last.wrapping_sub(first) == rows.len() - 1 && ascends()).then_some(first..last + 1)
}

impl Column {
    /// The entries of a range.
    pub fn take_range(&self, rows: Range<usize>) -> Column {
        let of = rows.clone();
        let values = match &self.values {
            ColumnValues::Vertex(values) => ColumnValues::Vertex(values[of].to_vec()),
            ColumnValues::Edge(values) => ColumnValues::Edge(values[of].to_vec()),
            ColumnValues::Bool(values) => ColumnValues::Bool(values[of].to_vec()),
            ColumnValues::I64(values) => ColumnValues::I64(values[of].to_vec()),
            ColumnValues::F64(values) => ColumnValues::F64(values[of].to_vec()),
            ColumnValues::String(values) => ColumnValues::String(values.range(of)),
            ColumnValues::Value(values) => ColumnValues::Value(values[of].to_vec()),
            ColumnValues::Path(paths) => {
                let last = paths.last[of].to_vec();
                ColumnValues::Path(Paths { trail: paths.trail.clone(), last })
            }
            ColumnValues::Bag(bags) => {
                let views = bags.views[of].to_vec();
                ColumnValues::Bag(Bags { views, rows: bags.rows.clone() })
            }
            ColumnValues::Fields(values) => ColumnValues::Fields(values[of].to_vec()),
        };
        let marks = |bits: &Option<Bits>| {
            bits.as_ref().map(|bits| bits.range(rows.clone())).filter(Bits::has_any)
        };
        Column { values, nulls: marks(&self.nulls), absents: marks(&self.absents) }
    }

    /// Appends the entries of a range of another column.
    pub fn append_range(&mut self, from: &Column, rows: Range<usize>) {
        if rows.is_empty() {
            return;
        }
        if self.is_empty() {
            *self = from.take_range(rows);
            return;
        }
        let before = self.len();
        if !self.values.extend_from_range(&from.values, rows.clone()) {
            rows.for_each(|row| self.push_entry(from.get(row)));
            return;
        }
        for (own, other) in [(&mut self.nulls, &from.nulls), (&mut self.absents, &from.absents)] {
            let ones = other.iter().flat_map(|other| other.ones_in(rows.clone()));
            for row in ones {
                own.get_or_insert_default().insert(before + row - rows.start);
            }
        }
    }

    /// Appends the entries of another column at `rows`, in that order.
    pub fn append_rows(&mut self, from: &Column, rows: &[u32]) {
        if let Some(range) = as_range(rows) {
            return self.append_range(from, range);
        }
        if self.is_empty() {
            *self = from.take(rows);
            return;
        }
        let before = self.len();
        if !self.values.extend_from_rows(&from.values, rows) {
            rows.iter().for_each(|&row| self.push_entry(from.get(row as usize)));
            return;
        }
        for (own, other) in [(&mut self.nulls, &from.nulls), (&mut self.absents, &from.absents)] {
            let Some(other) = other else { continue };
            for (place, &row) in rows.iter().enumerate() {
                if other.get(row as usize) {
                    own.get_or_insert_default().insert(before + place);
                }
            }
        }
    }

    /// Appends so many absent entries.
    pub fn append_absents(&mut self, count: usize) {
        (0..count).for_each(|_| self.push_absent());
    }

    /// Makes room for so many entries more, of numbers and ids.
    pub fn reserve(&mut self, count: usize) {
        match &mut self.values {
            ColumnValues::Vertex(values) => values.reserve(count),
            ColumnValues::Edge(values) => values.reserve(count),
            ColumnValues::Bool(values) => values.reserve(count),
            ColumnValues::I64(values) => values.reserve(count),
            ColumnValues::F64(values) => values.reserve(count),
            ColumnValues::String(_)
            | ColumnValues::Value(_)
            | ColumnValues::Path(_)
            | ColumnValues::Bag(_)
            | ColumnValues::Fields(_) => {}
        }
    }

    /// Replaces entries, `None` by an absent one; rows ascend.
    pub fn patch(&mut self, patches: &[(u32, Option<Value>)]) {
        let is_typed = |(_, entry): &(u32, Option<Value>)| match entry {
            None | Some(Value::Null) => true,
            Some(value) => self.values.has_place_for(value),
        };
        if patches.iter().all(is_typed) {
            patches.iter().for_each(|(row, entry)| self.replace(*row as usize, entry.as_ref()));
            return;
        }
        let old = std::mem::take(self);
        let mut next = 0;
        for (row, entry) in patches {
            self.append_range(&old, next..*row as usize);
            self.push_entry(entry.clone());
            next = *row as usize + 1;
        }
        self.append_range(&old, next..old.len());
    }

    /// Replaces an entry by one that has a place here.
    fn replace(&mut self, row: usize, entry: Option<&Value>) {
        let is_null = entry.is_some_and(Value::is_null);
        for (marks, is_marked) in [(&mut self.nulls, is_null), (&mut self.absents, entry.is_none())]
        {
            if is_marked {
                marks.get_or_insert_default().insert(row);
            } else if let Some(marks) = marks {
                marks.remove(row);
            }
        }
        if let Some(value) = entry.filter(|value| !value.is_null()) {
            self.values.replace(row, value);
        }
    }
}

impl ColumnValues {
    /// Extends by a range of entries of the same type; says whether they were.
    fn extend_from_range(&mut self, from: &ColumnValues, rows: Range<usize>) -> bool {
        match (self, from) {
            (ColumnValues::Vertex(own), ColumnValues::Vertex(from)) => own.extend(&from[rows]),
            (ColumnValues::Edge(own), ColumnValues::Edge(from)) => own.extend(&from[rows]),
            (ColumnValues::Bool(own), ColumnValues::Bool(from)) => own.extend(&from[rows]),
            (ColumnValues::I64(own), ColumnValues::I64(from)) => own.extend(&from[rows]),
            (ColumnValues::F64(own), ColumnValues::F64(from)) => own.extend(&from[rows]),
            (ColumnValues::String(own), ColumnValues::String(from))
                if own.fits(from.text_bytes(rows.clone())) =>
            {
                own.push_range(from, rows);
            }
            (ColumnValues::Value(own), ColumnValues::Value(from)) => {
                own.extend_from_slice(&from[rows]);
            }
            (ColumnValues::Path(own), ColumnValues::Path(from))
                if Arc::ptr_eq(&own.trail, &from.trail) =>
            {
                own.last.extend_from_slice(&from.last[rows]);
            }
            (ColumnValues::Fields(own), ColumnValues::Fields(from)) => {
                own.extend_from_slice(&from[rows]);
            }
            _ => return false,
        }
        true
    }

    /// Extends by some entries of the same type; says whether they were.
    fn extend_from_rows(&mut self, from: &ColumnValues, rows: &[u32]) -> bool {
        match (self, from) {
            (ColumnValues::Vertex(own), ColumnValues::Vertex(from)) => extend(own, from, rows),
            (ColumnValues::Edge(own), ColumnValues::Edge(from)) => extend(own, from, rows),
            (ColumnValues::Bool(own), ColumnValues::Bool(from)) => extend(own, from, rows),
            (ColumnValues::I64(own), ColumnValues::I64(from)) => extend(own, from, rows),
            (ColumnValues::F64(own), ColumnValues::F64(from)) => extend(own, from, rows),
            (ColumnValues::String(own), ColumnValues::String(from))
                if own.fits(from.byte_size()) =>
            {
                own.push_rows(from, rows);
            }
            (ColumnValues::Value(own), ColumnValues::Value(from)) => {
                own.extend(rows.iter().map(|&row| from[row as usize].clone()));
            }
            _ => return false,
        }
        true
    }

    /// Whether an entry of this value can be put in the place of another.
    fn has_place_for(&self, value: &Value) -> bool {
        matches!(
            (self, value),
            (ColumnValues::Vertex(_), Value::Vertex(_))
                | (ColumnValues::Edge(_), Value::Edge(_))
                | (ColumnValues::Bool(_), Value::Bool(_))
                | (ColumnValues::I64(_), Value::I64(_))
                | (ColumnValues::F64(_), Value::F64(_))
        )
    }

    fn replace(&mut self, row: usize, value: &Value) {
        match (self, value) {
            (ColumnValues::Vertex(own), Value::Vertex(value)) => put(own, row, value),
            (ColumnValues::Edge(own), Value::Edge(value)) => put(own, row, value),
            (ColumnValues::Bool(own), Value::Bool(value)) => put(own, row, value),
            (ColumnValues::I64(own), Value::I64(value)) => put(own, row, value),
            (ColumnValues::F64(own), Value::F64(value)) => put(own, row, value),
            _ => debug_assert!(false, "asked before"),
        }
    }
}

fn put<T: Copy>(entries: &mut [T], row: usize, value: &T) {
    entries[row] = *value;
}

fn extend<T: Copy>(entries: &mut Vec<T>, from: &[T], rows: &[u32]) {
    entries.extend(rows.iter().map(|&row| from[row as usize]));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::random::SplitMix64;

    /// Columns of each form: typed, with marks, texts, mixed values.
    fn columns(random: &mut SplitMix64) -> Vec<Vec<Option<Value>>> {
        let mut entry = |kind: u64| match (random.below(8), kind) {
            (0, 1..) => None,
            (1, 1..) => Some(Value::Null),
            (number, 2) => Some(Value::from(&*"text".repeat(number as usize))),
            (number, 3) if number % 2 == 0 => Some(Value::F64(number as f64)),
            (number, _) => Some(Value::I64(number as i64)),
        };
        (0..4).map(|kind| (0..130).map(|_| entry(kind)).collect()).collect()
    }

    fn column(entries: &[Option<Value>]) -> Column {
        let mut column = Column::default();
        entries.iter().for_each(|entry| column.push_entry(entry.clone()));
        column
    }

    fn entries(column: &Column) -> Vec<Option<Value>> {
        (0..column.len()).map(|row| column.get(row)).collect()
    }

    #[test]
    fn ranges_rows_and_patches_are_what_single_entries_would_be() {
        let random = &mut SplitMix64::new(7);
        for _ in 0..50 {
            let all = columns(random);
            for (own, from) in all.iter().flat_map(|own| all.iter().map(move |from| (own, from))) {
                let start = random.below(130) as usize;
                let end = start + random.below(131 - start as u64) as usize;
                let own = &own[..random.below(131) as usize];
                let mut expected = own.to_vec();
                expected.extend_from_slice(&from[start..end]);
                let mut ranged = column(own);
                ranged.append_range(&column(from), start..end);
                assert_eq!(entries(&ranged), expected);
                assert_eq!(entries(&column(from).take_range(start..end)), from[start..end]);

                let rows: Vec<u32> =
                    (0..random.below(40)).map(|_| random.below(130) as u32).collect();
                let mut expected = own.to_vec();
                expected.extend(rows.iter().map(|row| from[*row as usize].clone()));
                let mut picked = column(own);
                picked.append_rows(&column(from), &rows);
                assert_eq!(entries(&picked), expected);

                let mut patched = column(from);
                let mut expected = from.clone();
                let mut patches: Vec<(u32, Option<Value>)> = Vec::new();
                for (row, expected) in expected.iter_mut().enumerate() {
                    if random.below(4) == 0 {
                        let entry =
                            all[random.below(4) as usize][random.below(130) as usize].clone();
                        *expected = entry.clone();
                        patches.push((row as u32, entry));
                    }
                }
                patched.patch(&patches);
                assert_eq!(entries(&patched), expected);
            }
        }
    }

    #[test]
    fn rows_are_a_range_only_where_each_follows_the_one_before() {
        assert_eq!(as_range(&[3, 4, 5]), Some(3..6));
        for rows in [&[][..], &[3, 5, 5], &[5, 4, 3], &[3, 3]] {
            assert_eq!(as_range(rows), None);
        }
    }
}
