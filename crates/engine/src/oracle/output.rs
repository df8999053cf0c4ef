//! Rows back into columns.

use std::sync::Arc;

use millrace_model::{Bags, Batch, Bits, Column, ColumnValues, Result, Value};
use millrace_plan::ColumnId;

use super::cell::{Cell, Content, Row};

/// A batch with these columns of the rows.
pub(super) fn batch(rows: &[Row], columns: &[ColumnId]) -> Result<Batch> {
    let rows = rows.iter().map(|row| row.pick(columns)).collect::<Result<Vec<_>>>()?;
    Ok(batch_of(&rows, columns.len()))
}

fn batch_of(rows: &[Vec<Cell>], width: usize) -> Batch {
    let column = |index: usize| {
        let cells: Vec<&Cell> = rows.iter().map(|row| &row[index]).collect();
        Arc::new(column_of(&cells))
    };
    Batch { len: rows.len(), columns: (0..width).map(column).collect(), ..Batch::default() }
}

fn column_of(cells: &[&Cell]) -> Column {
    let first_opaque = cells.iter().find_map(|cell| match cell {
        Cell::Opaque(opaque) => Some(&opaque.content),
        Cell::Absent | Cell::Value(_) => None,
    });
    match first_opaque {
        Some(Content::Bag(_)) => bags(cells),
        Some(Content::Fields(_)) => fields(cells),
        None => {
            let mut column = Column::default();
            for cell in cells {
                column.push_entry((**cell != Cell::Absent).then(|| cell.value()));
            }
            column
        }
    }
}

fn bags(cells: &[&Cell]) -> Column {
    let (mut views, mut rows) = (Vec::new(), Vec::new());
    for cell in cells {
        let start = rows.len() as u32;
        if let Cell::Opaque(opaque) = cell
            && let Content::Bag(own) = &opaque.content
        {
            rows.extend(own.iter().cloned());
        }
        views.push((start, rows.len() as u32 - start));
    }
    let width = rows.first().map_or(0, Vec::len);
    let rows = Arc::new(batch_of(&rows, width));
    marked(Column::of(ColumnValues::Bag(Bags { views, rows })), cells)
}

fn fields(cells: &[&Cell]) -> Column {
    let own = cells.iter().map(|cell| match cell {
        Cell::Opaque(opaque) => match &opaque.content {
            Content::Fields(fields) => fields.clone(),
            Content::Bag(_) => Arc::from([]),
        },
        Cell::Absent | Cell::Value(_) => Arc::from([]),
    });
    marked(Column::of(ColumnValues::Fields(own.collect())), cells)
}

fn marked(column: Column, cells: &[&Cell]) -> Column {
    let mark = |wanted: &Cell| -> Option<Bits> {
        let bits: Bits = cells.iter().map(|cell| *cell == wanted).collect();
        (0 < bits.count()).then_some(bits)
    };
    Column { nulls: mark(&Cell::Value(Value::Null)), absents: mark(&Cell::Absent), ..column }
}
