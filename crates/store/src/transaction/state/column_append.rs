//! Appending whole columns to the open columns of a write set, and counting their bytes.
//!
//! Typed where both sides agree; else entry by entry, which widens the column.

use millrace_model::{Bits, Column, ColumnValues, Value};

/// Appends all entries of `source`.
pub(in crate::transaction) fn append(target: &mut Column, source: &Column) {
    if target.is_empty() {
        *target = source.clone();
        return;
    }
    let first = target.len();
    match (&mut target.values, &source.values) {
        (ColumnValues::Vertex(target), ColumnValues::Vertex(source)) => {
            target.extend_from_slice(source);
        }
        (ColumnValues::Edge(target), ColumnValues::Edge(source)) => {
            target.extend_from_slice(source);
        }
        (ColumnValues::Bool(target), ColumnValues::Bool(source)) => {
            target.extend_from_slice(source);
        }
        (ColumnValues::I64(target), ColumnValues::I64(source)) => target.extend_from_slice(source),
        (ColumnValues::F64(target), ColumnValues::F64(source)) => target.extend_from_slice(source),
        (ColumnValues::String(target), ColumnValues::String(source))
            if target.fits(source.byte_size()) =>
        {
            source.iter().for_each(|text| target.push(text));
        }
        _ => {
            (0..source.len()).for_each(|row| target.push_entry(source.get(row)));
            return;
        }
    }
    append_marks(&mut target.nulls, source.nulls.as_ref(), first);
    append_marks(&mut target.absents, source.absents.as_ref(), first);
}

/// Appends one entry of `source`.
pub(in crate::transaction) fn append_row(target: &mut Column, source: &Column, row: usize) {
    if !source.is_null(row) && !source.is_absent(row) {
        match (&mut target.values, &source.values) {
            (ColumnValues::I64(target), ColumnValues::I64(source)) => {
                return target.push(source[row]);
            }
            (ColumnValues::String(target), ColumnValues::String(source))
                if target.fits(source.get(row).len()) =>
            {
                return target.push(source.get(row));
            }
            _ => {}
        }
    }
    target.push_entry(source.get(row));
}

/// About how many bytes the entries take.
pub(in crate::transaction) fn byte_size(column: &Column) -> usize {
    match &column.values {
        ColumnValues::Bool(entries) => entries.len(),
        ColumnValues::String(entries) => entries.byte_size(),
        ColumnValues::Value(entries) => entries.iter().map(Value::byte_size).sum(),
        other => other.len() * 8,
    }
}

fn append_marks(target: &mut Option<Bits>, source: Option<&Bits>, first: usize) {
    if let Some(source) = source {
        let target = target.get_or_insert_default();
        source.ones().for_each(|row| {
            target.insert(first + row);
        });
    }
}

#[cfg(test)]
mod tests {
    use millrace_model::Value;

    use super::*;

    #[test]
    fn appended_columns_read_as_their_entries_one_after_the_other() {
        let samples = [
            vec![Some(Value::I64(1)), None, Some(Value::Null)],
            vec![Some(Value::from("a")), Some(Value::from(""))],
            vec![Some(Value::I64(7))],
            vec![None, None],
            vec![Some(Value::F64(1.5)), Some(Value::Bool(true)), Some(Value::I32(4))],
        ];
        for left in &samples {
            for right in &samples {
                let column = |entries: &[Option<Value>]| {
                    let mut column = Column::default();
                    entries.iter().for_each(|entry| column.push_entry(entry.clone()));
                    column
                };
                let expected: Vec<_> = left.iter().chain(right).cloned().collect();
                let (mut whole, mut single) = (column(left), column(left));
                append(&mut whole, &column(right));
                (0..right.len()).for_each(|row| append_row(&mut single, &column(right), row));
                for appended in [whole, single] {
                    let read: Vec<_> = (0..appended.len()).map(|row| appended.get(row)).collect();
                    assert_eq!(read, expected);
                }
            }
        }
    }
}
