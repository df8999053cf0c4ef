//! How many bytes a batch holds, for the memory budget: near enough, and cheap to find.

use std::ops::Range;
use std::sync::Arc;

use millrace_model::column::{Bags, Field};
use millrace_model::{
    Batch, Column, ColumnValues, CountedOnce, EdgeId, Value, VertexId, query_limits,
};

/// The bytes of a batch, its bags' rows included; memory that its values share counts once.
pub fn batch_bytes(batch: &Batch) -> u64 {
    batch_bytes_once(batch, &mut CountedOnce::default())
}

/// The same without memory that was counted before, with batches that are held as well.
pub(crate) fn batch_bytes_once(batch: &Batch, counted: &mut CountedOnce) -> u64 {
    (header_bytes(batch) + rows_bytes(batch, 0..batch.len, counted)) as u64
}

/// The bytes of a batch without its rows, of which many batches of few rows mostly consist: twice its size, as the
/// lists of batches grow by doubling.
fn header_bytes(batch: &Batch) -> usize {
    2 * size_of::<Batch>() + batch.columns.len() * size_of::<Arc<Column>>()
}

/// The bytes of a hash table of entries of this size. One that is three quarters full will soon be there twice, the
/// second time at double size, so that counts before it grows; never less with more entries.
pub(crate) fn table_bytes(len: usize, capacity: usize, entry: usize) -> u64 {
    // A slot has a byte of its own beside its entry, and seven of eight slots are filled at most.
    let bytes = capacity / 7 * 8 * (entry + 1);
    match len < capacity / 4 * 3 {
        true => bytes as u64 / 2 * 3,
        false => bytes as u64 * 3,
    }
}

/// The same where the values themselves are held by others.
pub(crate) fn shallow_bytes(batch: &Batch) -> u64 {
    let mut counted = CountedOnce::default();
    let column = |column: &Arc<Column>| match &column.values {
        ColumnValues::Value(values) => size_of_val(&values[..]),
        _ => column_bytes(column, 0..batch.len, &mut counted),
    };
    batch.columns.iter().map(column).sum::<usize>() as u64
}

/// The bytes of a new column, but for what others hold as well.
pub(crate) fn own_bytes(column: &Arc<Column>) -> u64 {
    if 1 < Arc::strong_count(column) {
        return 0;
    }
    column_bytes(column, 0..column.len(), &mut CountedOnce::own_only()) as u64
}

fn rows_bytes(batch: &Batch, rows: Range<usize>, counted: &mut CountedOnce) -> usize {
    let columns = batch.columns.iter().map(|column| column_bytes(column, rows.clone(), counted));
    let weight = batch.weights.as_ref().map_or(0, |_| size_of::<u64>());
    let ordinal = batch.ordinals.as_ref().map_or(0, |_| size_of::<u32>());
    columns.sum::<usize>() + rows.len() * (weight + ordinal)
}

fn column_bytes(column: &Column, rows: Range<usize>, counted: &mut CountedOnce) -> usize {
    let each = |bytes: usize| bytes * rows.len();
    match &column.values {
        ColumnValues::Vertex(_) => each(size_of::<VertexId>()),
        ColumnValues::Edge(_) => each(size_of::<EdgeId>()),
        ColumnValues::Bool(_) => each(size_of::<bool>()),
        ColumnValues::I64(_) => each(size_of::<i64>()),
        ColumnValues::F64(_) => each(size_of::<f64>()),
        ColumnValues::String(entries) => entries.byte_size_of(rows),
        ColumnValues::Value(entries) => values_bytes(&entries[rows], counted),
        // The steps belong to the run, which counts them.
        ColumnValues::Path(paths) => paths.last[rows].iter().map(size_of_val).sum(),
        ColumnValues::Bag(bags) => bags_bytes(bags, rows, counted),
        ColumnValues::Fields(entries) => {
            entries[rows].iter().map(|fields| fields_bytes(fields, counted)).sum()
        }
    }
}

/// Many batches have views into the same rows: each counts the rows in its views, at most all rows.
fn bags_bytes(bags: &Bags, rows: Range<usize>, counted: &mut CountedOnce) -> usize {
    let views = &bags.views[rows];
    let viewed: u64 = views.iter().map(|(_, len)| u64::from(*len)).sum();
    let mut view_bytes = |(at, len): &(u32, u32)| {
        let (at, len) = (*at as usize, *len as usize);
        rows_bytes(&bags.rows, at..at + len, counted)
    };
    size_of_val(views)
        + match viewed < bags.rows.len as u64 {
            true => views.iter().map(&mut view_bytes).sum(),
            false => rows_bytes(&bags.rows, 0..bags.rows.len, counted),
        }
}

fn values_bytes(values: &[Value], counted: &mut CountedOnce) -> usize {
    let mut bytes = 0;
    for value in values {
        // The run's next question raises the error.
        if query_limits::is_over(query_limits::work_of(value)) {
            break;
        }
        bytes += counted.byte_size(value);
    }
    bytes
}

fn fields_bytes(fields: &[Field], counted: &mut CountedOnce) -> usize {
    let heaps = fields.iter().map(|field| counted.heap_size(&field.value));
    16 + size_of_val(fields) + heaps.sum::<usize>()
}

#[cfg(test)]
mod tests {
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
    fn a_table_counts_its_next_size_before_it_grows() {
        let mut table = std::collections::HashSet::new();
        for key in 0..100_000_u64 {
            let (len, capacity) = (table.len(), table.capacity());
            let counted = table_bytes(len, capacity, size_of::<u64>());
            table.insert(key);
            assert!(counted <= table_bytes(table.len(), table.capacity(), size_of::<u64>()));
            if capacity < table.capacity() && 3 < capacity {
                let both = (capacity + table.capacity()) / 7 * 8 * (size_of::<u64>() + 1);
                assert!(both as u64 <= counted, "{len} of {capacity}");
            }
        }
    }

    #[test]
    fn batches_with_views_into_the_same_rows_count_them_once_together() {
        let of_rows = |batch: Batch| batch_bytes(&batch) - header_bytes(&batch) as u64;
        let whole = of_rows(bags(vec![(0, ROWS)])) - 8;
        assert!(u64::from(ROWS) * 30 < whole, "{whole}");
        let single = (0..ROWS).map(|row| of_rows(bags(vec![(row, 1)])) - 8);
        assert!(single.sum::<u64>().abs_diff(whole) < 16);
        let often = of_rows(bags(vec![(0, ROWS - 1); 50]));
        assert!(often.abs_diff(whole + 50 * 8) < 16, "no more than there is: {often}");
    }
}
