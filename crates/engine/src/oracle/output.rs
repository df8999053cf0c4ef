//! Rows back into columns.

use std::sync::Arc;

use millrace_model::{Bags, Batch, Bits, Column, Entries, Result, Value};
use millrace_plan::ColumnId;

use super::entry::{Content, Entry, Row};

/// A batch with these columns of the rows.
pub(super) fn batch(rows: &[Row], columns: &[ColumnId]) -> Result<Batch> {
    let rows = rows.iter().map(|row| row.pick(columns)).collect::<Result<Vec<_>>>()?;
    Ok(batch_of(&rows, columns.len()))
}

fn batch_of(rows: &[Vec<Entry>], width: usize) -> Batch {
    let column = |index: usize| {
        let entries: Vec<&Entry> = rows.iter().map(|row| &row[index]).collect();
        Arc::new(column_of(&entries))
    };
    Batch { len: rows.len(), columns: (0..width).map(column).collect(), ..Batch::default() }
}

fn column_of(entries: &[&Entry]) -> Column {
    let first_opaque = entries.iter().find_map(|entry| match entry {
        Entry::Opaque(opaque) => Some(&opaque.content),
        Entry::Absent | Entry::Value(_) => None,
    });
    match first_opaque {
        Some(Content::Bag(_)) => bags(entries),
        Some(Content::Fields(_)) => fields(entries),
        None => {
            let mut column = Column::default();
            for entry in entries {
                column.push_entry((**entry != Entry::Absent).then(|| entry.value()));
            }
            column
        }
    }
}

fn bags(entries: &[&Entry]) -> Column {
    let (mut views, mut rows) = (Vec::new(), Vec::new());
    for entry in entries {
        let start = rows.len() as u32;
        if let Entry::Opaque(opaque) = entry
            && let Content::Bag(own) = &opaque.content
        {
            rows.extend(own.iter().cloned());
        }
        views.push((start, rows.len() as u32 - start));
    }
    let width = rows.first().map_or(0, Vec::len);
    let rows = Arc::new(batch_of(&rows, width));
    marked(Column::of(Entries::Bag(Bags { views, rows })), entries)
}

fn fields(entries: &[&Entry]) -> Column {
    let own = entries.iter().map(|entry| match entry {
        Entry::Opaque(opaque) => match &opaque.content {
            Content::Fields(fields) => fields.clone(),
            Content::Bag(_) => Arc::from([]),
        },
        Entry::Absent | Entry::Value(_) => Arc::from([]),
    });
    marked(Column::of(Entries::Fields(own.collect())), entries)
}

fn marked(column: Column, entries: &[&Entry]) -> Column {
    let mark = |wanted: &Entry| -> Option<Bits> {
        let bits: Bits = entries.iter().map(|entry| *entry == wanted).collect();
        (0 < bits.count()).then_some(bits)
    };
    Column { nulls: mark(&Entry::Value(Value::Null)), absents: mark(&Entry::Absent), ..column }
}
