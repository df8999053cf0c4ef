//! How many bytes a batch holds, for the memory budget: near enough, and cheap to find.

use std::ops::Range;

use millrace_model::column::{Bags, Field};
use millrace_model::{Batch, Column, ColumnValues, EdgeId, Value, VertexId};

/// The bytes of a batch, its bags' rows included.
pub fn batch_bytes(batch: &Batch) -> u64 {
    rows_bytes(batch, 0..batch.len) as u64
}

fn rows_bytes(batch: &Batch, rows: Range<usize>) -> usize {
    let columns = batch.columns.iter().map(|column| column_bytes(column, rows.clone()));
    let weight = batch.weights.as_ref().map_or(0, |_| size_of::<u64>());
    let ordinal = batch.ordinals.as_ref().map_or(0, |_| size_of::<u32>());
    columns.sum::<usize>() + rows.len() * (weight + ordinal)
}

fn column_bytes(column: &Column, rows: Range<usize>) -> usize {
    let each = |bytes: usize| bytes * rows.len();
    match &column.values {
        ColumnValues::Vertex(_) => each(size_of::<VertexId>()),
        ColumnValues::Edge(_) => each(size_of::<EdgeId>()),
        ColumnValues::Bool(_) => each(size_of::<bool>()),
        ColumnValues::I64(_) => each(size_of::<i64>()),
        ColumnValues::F64(_) => each(size_of::<f64>()),
        ColumnValues::String(entries) => entries.byte_size_of(rows),
        ColumnValues::Value(entries) => entries[rows].iter().map(Value::byte_size).sum(),
        // The steps belong to the run, which counts them.
        ColumnValues::Path(paths) => paths.last[rows].iter().map(size_of_val).sum(),
        ColumnValues::Bag(bags) => bags_bytes(bags, rows),
        ColumnValues::Fields(entries) => {
            entries[rows].iter().map(|fields| fields_bytes(fields)).sum()
        }
    }
}

/// Many batches have views into the same rows: each counts the rows in its views, at most all rows.
fn bags_bytes(bags: &Bags, rows: Range<usize>) -> usize {
    let views = &bags.views[rows];
    let viewed: u64 = views.iter().map(|(_, len)| u64::from(*len)).sum();
    let view_bytes = |(at, len): &(u32, u32)| {
        let (at, len) = (*at as usize, *len as usize);
        rows_bytes(&bags.rows, at..at + len)
    };
    size_of_val(views)
        + match viewed < bags.rows.len as u64 {
            true => views.iter().map(view_bytes).sum(),
            false => rows_bytes(&bags.rows, 0..bags.rows.len),
        }
}

fn fields_bytes(fields: &[Field]) -> usize {
    16 + size_of_val(fields) + fields.iter().map(|field| field.value.heap_size()).sum::<usize>()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    const ROWS: u32 = 1_000;

    /// Bags of a child of texts and values.
    fn bags(views: Vec<(u32, u32)>) -> Batch {
        let texts: Vec<String> = (0..ROWS).map(|row| format!("text {row}")).collect();
        let values = texts.iter().map(|text| Value::from(text.as_str()));
        let columns = vec![
            Arc::new(Column::of(ColumnValues::String(texts.iter().map(String::as_str).collect()))),
            Arc::new(Column::of(ColumnValues::Value(values.collect()))),
        ];
        let rows = Arc::new(Batch { len: ROWS as usize, columns, ..Batch::default() });
        let len = views.len();
        let columns = vec![Arc::new(Column::of(ColumnValues::Bag(Bags { views, rows })))];
        Batch { len, columns, ..Batch::default() }
    }

    #[test]
    fn batches_with_views_into_the_same_rows_count_them_once_together() {
        let whole = batch_bytes(&bags(vec![(0, ROWS)])) - 8;
        assert!(u64::from(ROWS) * 30 < whole, "{whole}");
        let single = (0..ROWS).map(|row| batch_bytes(&bags(vec![(row, 1)])) - 8);
        assert!(single.sum::<u64>().abs_diff(whole) < 16);
        let often = batch_bytes(&bags(vec![(0, ROWS - 1); 50]));
        assert!(often.abs_diff(whole + 50 * 8) < 16, "no more than there is: {often}");
    }
}
