//! Columns that grow by rows of other columns, keeping their type where both have the same.

use millrace_model::{Column, Entries};

/// Appends the entries of `from` at `rows`, in that order.
pub(crate) fn append(column: &mut Column, from: &Column, rows: &[u32]) {
    if column.is_empty() {
        *column = from.take(rows);
        return;
    }
    let mark = |row: &u32| from.is_null(*row as usize) || from.is_absent(*row as usize);
    let marked = (from.nulls.is_some() || from.absents.is_some()) && rows.iter().any(mark);
    if marked || !append_typed(&mut column.entries, &from.entries, rows) {
        rows.iter().for_each(|&row| column.push_entry(from.get(row as usize)));
    }
}

/// Appends where both are arrays of one type; says whether they were.
fn append_typed(entries: &mut Entries, from: &Entries, rows: &[u32]) -> bool {
    match (entries, from) {
        (Entries::Vertex(entries), Entries::Vertex(from)) => extend(entries, from, rows),
        (Entries::Edge(entries), Entries::Edge(from)) => extend(entries, from, rows),
        (Entries::Bool(entries), Entries::Bool(from)) => extend(entries, from, rows),
        (Entries::I64(entries), Entries::I64(from)) => extend(entries, from, rows),
        (Entries::F64(entries), Entries::F64(from)) => extend(entries, from, rows),
        (Entries::String(entries), Entries::String(from)) if entries.fits(from.byte_size()) => {
            rows.iter().for_each(|&row| entries.push(from.get(row as usize)));
        }
        (Entries::Value(entries), Entries::Value(from)) => {
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
