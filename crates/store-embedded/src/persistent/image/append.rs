//! Columns that grow by rows of other columns, keeping their type where both have the same.

use millrace_model::{Column, ColumnValues};

/// Appends the entries of `from` at `rows`, in that order.
pub(crate) fn append(column: &mut Column, from: &Column, rows: &[u32]) {
    if column.is_empty() {
        *column = from.take(rows);
        return;
    }
    let mark = |row: &u32| from.is_null(*row as usize) || from.is_absent(*row as usize);
    let marked = (from.nulls.is_some() || from.absents.is_some()) && rows.iter().any(mark);
    if marked || !append_typed(&mut column.values, &from.values, rows) {
        rows.iter().for_each(|&row| column.push_entry(from.get(row as usize)));
    }
}

/// Appends where both are arrays of one type; says whether they were.
fn append_typed(entries: &mut ColumnValues, from: &ColumnValues, rows: &[u32]) -> bool {
    match (entries, from) {
        (ColumnValues::Vertex(entries), ColumnValues::Vertex(from)) => extend(entries, from, rows),
        (ColumnValues::Edge(entries), ColumnValues::Edge(from)) => extend(entries, from, rows),
        (ColumnValues::Bool(entries), ColumnValues::Bool(from)) => extend(entries, from, rows),
        (ColumnValues::I64(entries), ColumnValues::I64(from)) => extend(entries, from, rows),
        (ColumnValues::F64(entries), ColumnValues::F64(from)) => extend(entries, from, rows),
        (ColumnValues::String(entries), ColumnValues::String(from))
            if entries.fits(from.byte_size()) =>
        {
            rows.iter().for_each(|&row| entries.push(from.get(row as usize)));
        }
        (ColumnValues::Value(entries), ColumnValues::Value(from)) => {
            entries.extend(rows.iter().map(|&row| from[row as usize].clone()));
        }
        _ => return false,
    }
    true
}

fn extend<T: Copy>(entries: &mut Vec<T>, from: &[T], rows: &[u32]) {
    entries.extend(rows.iter().map(|&row| from[row as usize]));
}

/// Appends absent entries until the column has `len`.
pub(crate) fn pad_absent(column: &mut Column, len: usize) {
    while column.len() < len {
        column.push_absent();
    }
}
