//! The values of each key of rows that arrive, by row.
//!
//! A column lists the rows that have a value, or, where many do, has an entry for every row up to
//! the last. So keys that few rows have cost what these rows hold, and not keys by rows.

use std::collections::BTreeMap;

use millrace_model::{Column, KeyId};

use crate::base::codec::{Malformed, Reader, put_u32, put_u64};
use crate::base::error::Result;
use crate::base::limits::SPARSE_FRACTION;
use crate::persistent::image::{PropertyColumn, SectionBody, column_byte_size};

/// Bytes of a column without entries, with its place in the map, about.
const COLUMN_BYTES: usize = size_of::<(KeyId, PropertyColumn)>() + 64;

/// The values of each key, by row.
#[derive(Clone, Debug, Default)]
pub(super) struct KeyColumns(BTreeMap<KeyId, PropertyColumn>);

impl KeyColumns {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Appends the `picked` entries of the columns that came, for the rows from `first` on. Gives
    /// the bytes that they take.
    pub(super) fn append<'a>(
        &mut self,
        first: usize,
        came: impl Iterator<Item = (KeyId, &'a Column)>,
        picked: &[u32],
    ) -> usize {
        let mut bytes = 0;
        for (key, values) in came {
            let present = picked.iter().filter(|row| !values.is_absent(**row as usize)).count();
            if present == 0 {
                continue;
            }
            let column = self.0.entry(key).or_insert_with(|| {
                bytes += COLUMN_BYTES;
                empty()
            });
            let before = column.values.len();
            append_picked(column, first, values, (picked, present));
            let width = column_byte_size(values).div_ceil(values.len()) + 4;
            bytes += (column.values.len() - before) * width;
        }
        bytes
    }

    /// Appends the columns of rows behind the first `first`.
    pub(super) fn absorb(&mut self, first: usize, later: KeyColumns) {
        for (key, PropertyColumn { rows, values }) in later.0 {
            let column = self.0.entry(key).or_insert_with(empty);
            let all: Vec<u32> = (0..values.len() as u32).collect();
            match rows {
                None => {
                    let absent = values.absents.as_ref().map_or(0, |absents| absents.count());
                    append_picked(column, first, &values, (&all, all.len() - absent));
                }
                Some(rows) => {
                    let rows = rows.into_iter().map(|row| first as u32 + row);
                    append_rows(column, rows, &values, &all);
                }
            }
        }
    }

    /// The entries of some rows, ascending, under the places of these rows in `rows`.
    pub(super) fn picked(&self, rows: &[u32]) -> KeyColumns {
        let pick = |column: &PropertyColumn| {
            let places = (0u32..).zip(rows);
            let places = places.filter_map(|(new, row)| Some((new, column.place(*row)? as u32)));
            let (rows, places): (Vec<u32>, Vec<u32>) = places.unzip();
            listed(rows, column.values.take(&places)).suited()
        };
        KeyColumns(self.0.iter().map(|(key, column)| (*key, pick(column))).collect())
    }

    /// Each key with its column.
    pub(super) fn into_columns(self) -> impl Iterator<Item = (KeyId, PropertyColumn)> {
        self.0.into_iter()
    }

    pub(super) fn encode(&self, bytes: &mut Vec<u8>) -> Result<()> {
        put_u64(bytes, self.0.len() as u64);
        for (key, column) in &self.0 {
            put_u32(bytes, key.0);
            column.encode(bytes)?;
        }
        Ok(())
    }

    pub(super) fn decode(reader: &mut Reader<'_>) -> std::result::Result<KeyColumns, Malformed> {
        let count = reader.count(7)?;
        let columns =
            (0..count).map(|_| Ok((KeyId(reader.u32()?), PropertyColumn::decode(reader)?)));
        columns.collect::<std::result::Result<_, _>>().map(KeyColumns)
    }
}

/// The column when row `order[i]` goes to row `places[i]`, or to `i` without places. No row of it
/// is beyond those of `order`.
pub(super) fn reordered(
    column: PropertyColumn,
    order: &[u32],
    places: Option<&[u32]>,
) -> PropertyColumn {
    let is_dense = column.rows.is_none();
    if is_dense && is_full_enough(column.count(), order.len()) {
        let mut values = column.values;
        pad_absent(&mut values, order.len());
        let rows = places.map(<[u32]>::to_vec);
        return PropertyColumn { rows, values: values.take(order) }.suited();
    }
    let moved = order.iter().enumerate().filter_map(|(at, row)| {
        let place = column.place(*row)? as u32;
        Some((places.map_or(at as u32, |places| places[at]), place))
    });
    let mut moved: Vec<(u32, u32)> = moved.collect();
    moved.sort_unstable();
    let (rows, places): (Vec<u32>, Vec<u32>) = moved.into_iter().unzip();
    listed(rows, column.values.take(&places)).suited()
}

/// Appends absent entries until the column has `len`.
fn pad_absent(column: &mut Column, len: usize) {
    column.append_absents(len.saturating_sub(column.len()));
}

fn empty() -> PropertyColumn {
    PropertyColumn { rows: None, values: Column::default() }
}

/// A column of entries none of which is absent.
fn listed(rows: Vec<u32>, mut values: Column) -> PropertyColumn {
    values.absents = None;
    PropertyColumn { rows: Some(rows), values }
}

fn is_full_enough(entries: usize, rows: usize) -> bool {
    rows <= entries.saturating_mul(SPARSE_FRACTION)
}

fn append_picked(
    column: &mut PropertyColumn,
    first: usize,
    from: &Column,
    (picked, present): (&[u32], usize),
) {
    let stays_dense =
        column.rows.is_none() && is_full_enough(column.count() + present, first + picked.len());
    if stays_dense {
        pad_absent(&mut column.values, first);
        column.values.append_rows(from, picked);
        return;
    }
    let pairs = (first as u32..).zip(picked).filter(|(_, row)| !from.is_absent(**row as usize));
    let (rows, places): (Vec<u32>, Vec<u32>) = pairs.map(|(row, place)| (row, *place)).unzip();
    append_rows(column, rows.into_iter(), from, &places);
}

/// Appends entries that are not absent for rows behind those of the column.
fn append_rows(
    column: &mut PropertyColumn,
    rows: impl Iterator<Item = u32>,
    from: &Column,
    places: &[u32],
) {
    let mut listed_rows = match column.rows.take() {
        Some(rows) => rows,
        None => {
            let present = |row: &u32| !column.values.is_absent(*row as usize);
            let rows: Vec<u32> = (0..column.values.len() as u32).filter(present).collect();
            if rows.len() < column.values.len() {
                column.values = column.values.take(&rows);
            }
            rows
        }
    };
    listed_rows.extend(rows);
    column.values.absents = None;
    column.values.append_rows(from, places);
    column.values.absents = None;
    column.rows = Some(listed_rows);
}

#[cfg(test)]
mod tests {
    use millrace_model::Value;

    use super::*;

    fn column(entries: &[Option<i64>]) -> Column {
        let mut column = Column::default();
        entries.iter().for_each(|entry| column.push_entry(entry.map(Value::I64)));
        column
    }

    fn entries(columns: &KeyColumns, key: u32) -> Vec<(u32, Value)> {
        columns.0[&KeyId(key)].iter().collect()
    }

    #[test]
    fn a_key_of_few_rows_lists_them_and_one_of_many_does_not() {
        let mut columns = KeyColumns::default();
        let (full, one) =
            (column(&[Some(1); 100]), column(&[[Some(7)].as_slice(), &[None; 99]].concat()));
        let all: Vec<u32> = (0..100).collect();
        for first in [0, 100, 200] {
            let came = [(KeyId(0), &full), (KeyId(1), &one)];
            columns.append(first, came.into_iter(), &all);
        }
        assert!(columns.0[&KeyId(0)].rows.is_none());
        assert_eq!(entries(&columns, 0).len(), 300);
        assert_eq!(columns.0[&KeyId(1)].rows, Some(vec![0, 100, 200]));
        let mut both = columns.clone();
        both.absorb(300, columns.clone());
        let rows: Vec<u32> = entries(&both, 1).into_iter().map(|(row, _)| row).collect();
        assert_eq!(rows, [0, 100, 200, 300, 400, 500]);
        let picked = both.picked(&[5, 200, 599]);
        assert_eq!(entries(&picked, 1), [(1, Value::I64(7))]);
        assert_eq!(entries(&picked, 0).len(), 3);
    }

    #[test]
    fn bytes_grow_with_values_and_not_with_keys_times_rows() {
        let (mut columns, mut bytes) = (KeyColumns::default(), 0);
        for row in 0..4_000 {
            let came = column(&[Some(row)]);
            bytes += columns.append(row as usize, [(KeyId(row as u32), &came)].into_iter(), &[0]);
        }
        let held: usize = columns.0.values().map(|column| column.byte_size()).sum();
        assert!(held < 4_000 * 200 && held <= bytes, "{held} held, {bytes} counted");
        let mut file = Vec::new();
        columns.encode(&mut file).unwrap();
        assert!(file.len() < 4_000 * 64, "{}", file.len());
    }

    #[test]
    fn entries_move_with_their_rows() {
        let few = listed(vec![2, 40], column(&[Some(2), Some(40)]));
        let order: Vec<u32> = (0..64).rev().collect();
        let moved: Vec<_> = reordered(few, &order, None).iter().collect();
        assert_eq!(moved, [(23, Value::I64(40)), (61, Value::I64(2))]);
        let many = PropertyColumn { rows: None, values: column(&[Some(0), None, Some(2)]) };
        let places = [10, 20, 30];
        let moved: Vec<_> = reordered(many, &[2, 1, 0], Some(&places)).iter().collect();
        assert_eq!(moved, [(10, Value::I64(2)), (30, Value::I64(0))]);
    }
}
