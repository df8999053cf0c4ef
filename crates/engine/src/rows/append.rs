//! One column behind another: typed where both are, mixed values where they are not.

use std::sync::Arc;

use millrace_model::{Bags, Batch, Bits, Column, Entries, Paths, Value};

use super::collector::Collector;

/// A column of `len` nulls.
pub(crate) fn nulls(len: usize) -> Column {
    let marks = Bits::from_words(vec![u64::MAX; len.div_ceil(64)], len);
    Column { entries: Entries::Value(vec![Value::Null; len]), nulls: Some(marks), absents: None }
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
    if !extend(&mut column.entries, &other.entries) {
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
fn extend(entries: &mut Entries, other: &Entries) -> bool {
    match (entries, other) {
        (Entries::Vertex(entries), Entries::Vertex(other)) => entries.extend_from_slice(other),
        (Entries::Edge(entries), Entries::Edge(other)) => entries.extend_from_slice(other),
        (Entries::Bool(entries), Entries::Bool(other)) => entries.extend_from_slice(other),
        (Entries::I64(entries), Entries::I64(other)) => entries.extend_from_slice(other),
        (Entries::F64(entries), Entries::F64(other)) => entries.extend_from_slice(other),
        (Entries::String(entries), Entries::String(other)) if entries.fits(other.byte_size()) => {
            other.iter().for_each(|text| entries.push(text));
        }
        (Entries::Value(entries), Entries::Value(other)) => entries.extend_from_slice(other),
        (Entries::Path(paths), Entries::Path(other)) if Arc::ptr_eq(&paths.trail, &other.trail) => {
            paths.last.extend_from_slice(&other.last);
        }
        (Entries::Bag(bags), Entries::Bag(other)) => extend_bags(bags, other),
        (Entries::Fields(entries), Entries::Fields(other)) => entries.extend_from_slice(other),
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
        column.entries = defaults_like(&other.entries, before);
        extend(&mut column.entries, &other.entries);
    } else if (0..other.len()).all(|index| missing(other, index)) {
        let defaults = defaults_like(&column.entries, other.len());
        extend(&mut column.entries, &defaults);
    } else {
        let values = |entries: &Entries| {
            (0..entries.len()).map(|index| entries.value(index)).collect::<Vec<_>>()
        };
        let mut mixed = values(&column.entries);
        mixed.extend(values(&other.entries));
        column.entries = Entries::Value(mixed);
    }
}

/// As many defaults of the same type; a bag's default is an empty view.
fn defaults_like(entries: &Entries, len: usize) -> Entries {
    match entries {
        Entries::Vertex(_) => Entries::Vertex(vec![Default::default(); len]),
        Entries::Edge(_) => Entries::Edge(vec![Default::default(); len]),
        Entries::Bool(_) => Entries::Bool(vec![false; len]),
        Entries::I64(_) => Entries::I64(vec![0; len]),
        Entries::F64(_) => Entries::F64(vec![0.0; len]),
        Entries::String(_) => Entries::String(std::iter::repeat_n("", len).collect()),
        Entries::Value(_) => Entries::Value(vec![Value::Null; len]),
        Entries::Path(paths) => {
            Entries::Path(Paths { trail: paths.trail.clone(), last: vec![0; len] })
        }
        Entries::Bag(bags) => {
            Entries::Bag(Bags { views: vec![(0, 0); len], rows: empty_like(&bags.rows) })
        }
        Entries::Fields(_) => Entries::Fields(vec![Arc::from([]); len]),
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
    fn types_are_kept_where_they_agree_and_widths_where_they_do_not() {
        let mut column = nulls(1);
        append(&mut column, &Column::vertices(vec![VertexId(7)]));
        append(&mut column, &nulls(1));
        assert!(column.as_vertices().is_some(), "nulls do not spoil the type");
        append(&mut column, &Column::of(Entries::I64(vec![5])));
        let expected = [Value::Null, Value::Vertex(VertexId(7)), Value::Null, Value::I64(5)];
        assert_eq!(read(&column), expected.map(Some));
    }

    #[test]
    fn bags_of_two_batches_share_one_child() {
        let bag = |vertex, len| {
            let rows = Arc::new(Batch::of(vec![Column::vertices(vec![VertexId(vertex); 2])]));
            Column::of(Entries::Bag(Bags { views: vec![(0, len)], rows }))
        };
        let mut column = bag(1, 2);
        append(&mut column, &bag(9, 1));
        let Entries::Bag(bags) = &column.entries else { panic!("bags stay bags") };
        assert_eq!(bags.views, [(0, 2), (2, 1)]);
        assert_eq!(bags.rows.columns[0].get(2), Some(Value::Vertex(VertexId(9))));
    }
}
