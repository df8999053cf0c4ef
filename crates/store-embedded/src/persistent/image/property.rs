//! The values of one key, by row: a local for vertices, a row of the type's edges for edges.
//!
//! Dense: entry `row` of the column. Sparse (under 1/16 full): rows ascending beside the entries.
//! A row that is absent in the column, beyond its end or not listed has no such property.

use std::ops::Range;

use millrace_model::{Bits, Column, ColumnValues, Value};

use crate::base::codec::{Malformed, Reader, decode_column, encode_column, put_u32s};
use crate::base::error::Result;
use crate::base::limits::SPARSE_FRACTION;
use crate::persistent::image::section::SectionBody;

/// Values of one key.
#[derive(Clone, Debug)]
pub struct PropertyColumn {
    /// The row of each entry, ascending; `None` if entry `i` is row `i`.
    pub rows: Option<Vec<u32>>,
    /// The entries.
    pub values: Column,
}

impl PropertyColumn {
    /// A column of (row, value), rows ascending, in the form that suits how full it is.
    pub fn of_ascending(entries: impl IntoIterator<Item = (u32, Value)>) -> PropertyColumn {
        let (mut rows, mut values) = (Vec::new(), Column::default());
        for (row, value) in entries {
            rows.push(row);
            values.push(value);
        }
        debug_assert!(rows.is_sorted_by(|left, right| left < right), "rows ascend");
        PropertyColumn { rows: Some(rows), values }.suited()
    }

    /// The place of a row's entry in `values`; `None` if it has none.
    #[inline]
    pub fn place(&self, row: u32) -> Option<usize> {
        let place = match &self.rows {
            None => (row as usize) < self.values.len(),
            Some(rows) => return rows.binary_search(&row).ok().filter(|&at| !self.is_absent(at)),
        };
        (place && !self.is_absent(row as usize)).then_some(row as usize)
    }

    /// The value of a row; `None` if it has none.
    pub fn get(&self, row: u32) -> Option<Value> {
        self.place(row).and_then(|place| self.values.get(place))
    }

    /// Appends the entries of a range of rows to a column, absent where they have none.
    pub fn append_range_to(&self, rows: Range<u32>, column: &mut Column) {
        match &self.rows {
            None => {
                let len = self.values.len() as u32;
                let (start, end) = (rows.start.min(len), rows.end.min(len));
                column.append_range(&self.values, start as usize..end as usize);
                column.append_absents(rows.len() - (end - start) as usize);
            }
            Some(listed) => {
                let place = |row: u32| listed.partition_point(|own| *own < row);
                let mut next = rows.start;
                let first = place(rows.start);
                for (row, at) in listed[first..place(rows.end)].iter().zip(first..) {
                    column.append_absents((row - next) as usize);
                    column.append_range(&self.values, at..at + 1);
                    next = row + 1;
                }
                column.append_absents((rows.end - next) as usize);
            }
        }
    }

    /// Appends the entries of rows to a column, absent where they have none.
    pub fn append_to(&self, rows: &[u32], column: &mut Column) {
        let len = self.values.len() as u32;
        if self.rows.is_none() && rows.iter().all(|row| *row < len) {
            return column.append_rows(&self.values, rows);
        }
        let (mut places, mut missing) = (Vec::new(), 0);
        for row in rows {
            match self.place(*row) {
                Some(place) => {
                    column.append_absents(std::mem::take(&mut missing));
                    places.push(place as u32);
                }
                None => {
                    column.append_rows(&self.values, &std::mem::take(&mut places));
                    missing += 1;
                }
            }
        }
        column.append_rows(&self.values, &places);
        column.append_absents(missing);
    }

    /// Row and value of each entry, rows ascending.
    pub fn iter(&self) -> impl Iterator<Item = (u32, Value)> + '_ {
        (0..self.values.len()).filter_map(|place| {
            let row = self.rows.as_ref().map_or(place as u32, |rows| rows[place]);
            Some((row, self.values.get(place)?))
        })
    }

    /// How many rows have a value.
    pub fn count(&self) -> usize {
        self.values.len() - self.values.absents.as_ref().map_or(0, Bits::count)
    }

    /// This column after changes, rows ascending; `None` takes the property away.
    pub fn patched(
        &self,
        changes: impl IntoIterator<Item = (u32, Option<Value>)>,
    ) -> PropertyColumn {
        let mut old = self.iter().peekable();
        let mut rows = Vec::with_capacity(self.count());
        let mut values = Column::default();
        let mut push = |row, value| {
            rows.push(row);
            values.push(value);
        };
        for (row, change) in changes {
            while let Some((row, value)) = old.next_if(|(before, _)| *before < row) {
                push(row, value);
            }
            old.next_if(|(same, _)| *same == row);
            if let Some(value) = change {
                push(row, value);
            }
        }
        old.for_each(|(row, value)| push(row, value));
        PropertyColumn { rows: Some(rows), values }.suited()
    }

    /// The same, dense or sparse as suits how full it is.
    pub(crate) fn suited(self) -> PropertyColumn {
        let span = match &self.rows {
            Some(rows) => rows.last().map_or(0, |&last| last as usize + 1),
            None => self.values.len(),
        };
        let dense = self.count() * SPARSE_FRACTION >= span;
        match (self.rows, dense) {
            (None, true) => PropertyColumn { rows: None, values: self.values },
            (None, false) => {
                let present = |&place: &u32| !self.values.is_absent(place as usize);
                let rows: Vec<u32> = (0..span as u32).filter(present).collect();
                let mut values = self.values.take(&rows);
                values.absents = None;
                PropertyColumn { rows: Some(rows), values }
            }
            (Some(rows), true) if rows.len() == span => {
                PropertyColumn { rows: None, values: self.values }
            }
            (Some(rows), true) => {
                PropertyColumn { rows: None, values: spread(&rows, &self.values) }
            }
            (Some(rows), false) => PropertyColumn { rows: Some(rows), values: self.values },
        }
    }

    #[inline]
    fn is_absent(&self, place: usize) -> bool {
        self.values.is_absent(place)
    }
}

/// Puts entries at their rows, with absent ones between them.
fn spread(rows: &[u32], values: &Column) -> Column {
    let mut column = Column::default();
    for (place, &row) in rows.iter().enumerate() {
        while column.len() < row as usize {
            column.push_absent();
        }
        column.push_entry(values.get(place));
    }
    column
}

/// Bytes that a column holds in memory, about: memory shared by values is counted for each of them.
pub(crate) fn column_byte_size(column: &Column) -> usize {
    let entries = match &column.values {
        ColumnValues::Vertex(entries) => entries.capacity() * 8,
        ColumnValues::Edge(entries) => entries.capacity() * 8,
        ColumnValues::Bool(entries) => entries.capacity(),
        ColumnValues::I64(entries) => entries.capacity() * 8,
        ColumnValues::F64(entries) => entries.capacity() * 8,
        ColumnValues::String(texts) => texts.byte_size(),
        ColumnValues::Value(values) => values.iter().map(Value::byte_size).sum(),
        ColumnValues::Path(paths) => paths.last.capacity() * 4,
        ColumnValues::Bag(bags) => bags.views.capacity() * 8,
        ColumnValues::Fields(fields) => fields.capacity() * 16,
    };
    let marks = |bits: &Option<Bits>| bits.as_ref().map_or(0, |bits| bits.words().len() * 8);
    entries + marks(&column.nulls) + marks(&column.absents)
}

impl SectionBody for PropertyColumn {
    fn encode(&self, bytes: &mut Vec<u8>) -> Result<()> {
        match &self.rows {
            None => bytes.push(0),
            Some(rows) => {
                bytes.push(1);
                put_u32s(bytes, rows);
            }
        }
        encode_column(bytes, &self.values)
    }

    fn decode(reader: &mut Reader<'_>) -> std::result::Result<PropertyColumn, Malformed> {
        let rows = match reader.u8()? {
            0 => None,
            1 => Some(reader.u32s()?),
            _ => return Err(reader.malformed("a property column has an unknown form")),
        };
        let values = decode_column(reader)?;
        let fits = rows.as_ref().is_none_or(|rows| {
            rows.len() == values.len() && rows.is_sorted_by(|left, right| left < right)
        });
        if !fits {
            return Err(reader.malformed("the rows of a property column do not fit its entries"));
        }
        Ok(PropertyColumn { rows, values })
    }

    fn byte_size(&self) -> usize {
        let rows = self.rows.as_ref().map_or(0, |rows| rows.capacity() * 4);
        size_of::<PropertyColumn>() + rows + column_byte_size(&self.values)
    }
}
