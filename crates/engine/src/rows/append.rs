//! One column behind another: typed where both are, mixed values where they are not.

use std::sync::Arc;

use millrace_model::{Bags, Batch, Bits, Column, ColumnValues, Paths, Value};

use super::collector::Collector;

/// A column of `len` nulls.
pub(crate) fn nulls(len: usize) -> Column {
    let marks = Bits::from_words(vec![u64::MAX; len.div_ceil(64)], len);
    Column {
        values: ColumnValues::Value(vec![Value::Null; len]),
        nulls: Some(marks),
        absents: None,
    }
}

/// Appends the entries of `other`.
pub(crate) fn append(column: &mut Column, other: &Column) {
    let (before, added) = (column.len(), other.len());
    if added == 0 {
        return;
    }
    if before == 0 {
        *column = other.clone();
        return;
    }
    mark(&mut column.nulls, other.nulls.as_ref(), before, added);
    mark(&mut column.absents, other.absents.as_ref(), before, added);
    if !extend(&mut column.values, &other.values) {
        extend_mixed(column, other, before);
    }
}

fn mark(bits: &mut Option<Bits>, other: Option<&Bits>, before: usize, added: usize) {
    if let Some(other) = other {
        let bits = bits.get_or_insert_default();
        bits.grow(before + added);
        for index in other.ones() {
            bits.insert(before + index);
        }
    }
}

/// Extends entries by others of the same type; says whether they were.
fn extend(entries: &mut ColumnValues, other: &ColumnValues) -> bool {
    match (entries, other) {
        (ColumnValues::Vertex(entries), ColumnValues::Vertex(other)) => {
            entries.extend_from_slice(other);
        }
        (ColumnValues::Edge(entries), ColumnValues::Edge(other)) => {
            entries.extend_from_slice(other);
        }
        (ColumnValues::Bool(entries), ColumnValues::Bool(other)) => {
            entries.extend_from_slice(other);
        }
        (ColumnValues::I64(entries), ColumnValues::I64(other)) => entries.extend_from_slice(other),
        (ColumnValues::F64(entries), ColumnValues::F64(other)) => entries.extend_from_slice(other),
        (ColumnValues::String(entries), ColumnValues::String(other))
            if entries.fits(other.byte_size()) =>
        {
            other.iter().for_each(|text| entries.push(text));
        }
        (ColumnValues::Value(entries), ColumnValues::Value(other)) => {
            entries.extend_from_slice(other);
        }
        (ColumnValues::Path(paths), ColumnValues::Path(other))
            if Arc::ptr_eq(&paths.trail, &other.trail) =>
        {
            paths.last.extend_from_slice(&other.last);
        }
        (ColumnValues::Bag(bags), ColumnValues::Bag(other)) => extend_bags(bags, other),
        (ColumnValues::Fields(entries), ColumnValues::Fields(other)) => {
            entries.extend_from_slice(other);
        }
        _ => return false,
    }
    true
}

fn extend_bags(bags: &mut Bags, other: &Bags) {
    if Arc::ptr_eq(&bags.rows, &other.rows) {
        bags.views.extend_from_slice(&other.views);
        return;
    }
    let shift = super::row(bags.rows.len);
    let mut rows = Collector::starting_with(std::mem::take(Arc::make_mut(&mut bags.rows)));
    rows.add(&other.rows);
    bags.rows = Arc::new(rows.finish(other.rows.columns.len()));
    bags.views.extend(other.views.iter().map(|&(offset, len)| (offset + shift, len)));
}

/// Appends entries of another type. Entries that are all missing take the other's type.
fn extend_mixed(column: &mut Column, other: &Column, before: usize) {
    let missing = |column: &Column, index| column.is_null(index) || column.is_absent(index);
    if (0..before).all(|index| missing(column, index)) {
        column.values = defaults_like(&other.values, before);
        extend(&mut column.values, &other.values);
    } else if (0..other.len()).all(|index| missing(other, index)) {
        let defaults = defaults_like(&column.values, other.len());
        extend(&mut column.values, &defaults);
    } else {
        let values = |entries: &ColumnValues| {
            (0..entries.len()).map(|index| entries.value(index)).collect::<Vec<_>>()
        };
        let mut mixed = values(&column.values);
        mixed.extend(values(&other.values));
        column.values = ColumnValues::Value(mixed);
    }
}

/// As many defaults of the same type; a bag's default is an empty view.
fn defaults_like(entries: &ColumnValues, len: usize) -> ColumnValues {
    match entries {
        ColumnValues::Vertex(_) => ColumnValues::Vertex(vec![Default::default(); len]),
        ColumnValues::Edge(_) => ColumnValues::Edge(vec![Default::default(); len]),
        ColumnValues::Bool(_) => ColumnValues::Bool(vec![false; len]),
        ColumnValues::I64(_) => ColumnValues::I64(vec![0; len]),
        ColumnValues::F64(_) => ColumnValues::F64(vec![0.0; len]),
        ColumnValues::String(_) => ColumnValues::String(std::iter::repeat_n("", len).collect()),
        ColumnValues::Value(_) => ColumnValues::Value(vec![Value::Null; len]),
        ColumnValues::Path(paths) => {
            ColumnValues::Path(Paths { trail: paths.trail.clone(), last: vec![0; len] })
        }
        ColumnValues::Bag(bags) => {
            ColumnValues::Bag(Bags { views: vec![(0, 0); len], rows: empty_like(&bags.rows) })
        }
        ColumnValues::Fields(_) => ColumnValues::Fields(vec![Arc::from([]); len]),
    }
}

fn empty_like(rows: &Arc<Batch>) -> Arc<Batch> {
    Arc::new(rows.take(&[]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use millrace_model::VertexId;

    fn read(column: &Column) -> Vec<Option<Value>> {
        (0..column.len()).map(|index| column.get(index)).collect()
    }

    #[test]
    fn types_stay_where_they_agree_and_widths_where_they_do_not() {
        let mut column = nulls(1);
        append(&mut column, &Column::vertices(vec![VertexId(7)]));
        append(&mut column, &nulls(1));
        assert!(column.as_vertices().is_some(), "nulls do not spoil the type");
        append(&mut column, &Column::of(ColumnValues::I64(vec![5])));
        let expected = [Value::Null, Value::Vertex(VertexId(7)), Value::Null, Value::I64(5)];
        assert_eq!(read(&column), expected.map(Some));
    }

    #[test]
    fn bags_of_two_batches_share_one_child() {
        let bag = |vertex, len| {
            let rows = Arc::new(Batch::of(vec![Column::vertices(vec![VertexId(vertex); 2])]));
            Column::of(ColumnValues::Bag(Bags { views: vec![(0, len)], rows }))
        };
        let mut column = bag(1, 2);
        append(&mut column, &bag(9, 1));
        let ColumnValues::Bag(bags) = &column.values else { panic!("bags stay bags") };
        assert_eq!(bags.views, [(0, 2), (2, 1)]);
        assert_eq!(bags.rows.columns[0].get(2), Some(Value::Vertex(VertexId(9))));
    }
}
