//! The keys under which an index holds an element: one, or one for each of a property's values.
//!
//! Of several properties of several values an index holds all that can be put together, each once.
//! Nearly every element has one key, and for that one nothing here makes a value. An index may give
//! an element with several keys more than once.
//!
//! An index of kind `Made` holds keys that are made from each value (`reads/ordered_keys.rs`).

use millrace_model::compare::order;
use millrace_model::property_values::{each_value, is_multi_valued};
use millrace_model::{Column, Value};

use crate::base::key_hash::entries_equal;

/// Rows of key columns as keys: a row of several keys is there more than once.
pub struct Expanded {
    /// The keys.
    pub columns: Vec<Column>,
    /// The row each is of, ascending.
    pub rows: Vec<u32>,
}

/// Whether a row may have more than one key: one of its properties is multi-valued.
pub fn any_multi_valued(columns: &[&Column], row: usize) -> bool {
    columns.iter().any(|column| is_multi_valued(column, row))
}

/// Gives the keys of a row, each as a row of columns; a row without a key is given as it is.
pub fn each_key(columns: &[&Column], row: usize, mut visit: impl FnMut(&[&Column], usize)) {
    if !any_multi_valued(columns, row) {
        return visit(columns, row);
    }
    let Some(values) = columns.iter().map(|column| column.get(row)).collect::<Option<_>>() else {
        return;
    };
    for key in keys_of(values) {
        let key: Vec<Column> = key.into_iter().map(|value| Column::from_values([value])).collect();
        visit(&key.iter().collect::<Vec<_>>(), 0);
    }
}

/// The keys of the values of one element, in order and none twice; null gives none.
pub fn keys_of(values: Vec<Value>) -> Vec<Vec<Value>> {
    if values.iter().any(Value::is_null) {
        return Vec::new();
    }
    if !values.iter().any(|value| matches!(value, Value::PropertyValues(_))) {
        return vec![values];
    }
    let mut keys: Vec<Vec<Value>> = vec![Vec::with_capacity(values.len())];
    for value in &values {
        let mut own: Vec<&Value> = each_value(value).filter(|value| !value.is_null()).collect();
        own.sort();
        own.dedup_by(|left, right| order(left, right).is_eq());
        let with = |key: &Vec<Value>| {
            own.iter()
                .map(|value| [key.as_slice(), &[(*value).clone()]].concat())
                .collect::<Vec<_>>()
        };
        keys = keys.iter().flat_map(with).collect();
    }
    keys
}

/// All keys of some rows; `None` if no row has more than one.
pub fn expanded(columns: &[&Column], rows: usize) -> Option<Expanded> {
    if !(0..rows).any(|row| any_multi_valued(columns, row)) {
        return None;
    }
    let mut all = Expanded { columns: vec![Column::default(); columns.len()], rows: Vec::new() };
    for row in 0..rows {
        each_key(columns, row, |key, place| {
            all.rows.push(row as u32);
            for (column, own) in all.columns.iter_mut().zip(key) {
                column.push_entry(own.get(place));
            }
        });
    }
    Some(all)
}

/// Whether two elements have a key in common.
pub fn share_key(columns: &[&Column], left: usize, right: usize) -> bool {
    if !any_multi_valued(columns, left) && !any_multi_valued(columns, right) {
        return columns.iter().all(|column| entries_equal(column, left, column, right));
    }
    let keys = |row| {
        let values: Option<Vec<Value>> = columns.iter().map(|column| column.get(row)).collect();
        values.map(keys_of).unwrap_or_default()
    };
    let others = keys(right);
    let equal = |own: &Vec<Value>, other: &Vec<Value>| {
        own.iter().zip(other).all(|(left, right)| order(left, right).is_eq())
    };
    keys(left).iter().any(|own| others.iter().any(|other| equal(own, other)))
}

/// Whether one of an element's values equals a value that is sought, by the order's equality.
pub fn entry_holds(held: &Column, place: usize, sought: &Column, row: usize) -> bool {
    if !any_multi_valued(&[held], place) {
        return entries_equal(held, place, sought, row);
    }
    let (held, sought) = (held.values.value(place), sought.values.value(row));
    each_value(&held).any(|value| order(value, &sought).is_eq())
}

#[cfg(test)]
mod tests {
    use millrace_model::PropertyValues;

    use super::*;

    fn several(values: &[i64]) -> Value {
        let mut property = PropertyValues::default();
        values.iter().for_each(|value| property.append(&Value::I64(*value), &[]));
        property.into_value().expect("some")
    }

    #[test]
    fn an_element_has_each_combination_of_its_values_once_as_a_key() {
        let int = Value::I64;
        assert_eq!(keys_of(vec![int(1), int(2)]), [[int(1), int(2)]]);
        assert!(keys_of(vec![int(1), Value::Null]).is_empty());
        let keys = keys_of(vec![several(&[2, 1, 2]), int(5), several(&[7, 8])]);
        let expected = [[1, 5, 7], [1, 5, 8], [2, 5, 7], [2, 5, 8]];
        assert_eq!(keys, expected.map(|key| key.map(Value::I64).to_vec()));
    }

    #[test]
    fn rows_of_several_keys_are_there_more_than_once() {
        let plain = Column::from_values([1i64, 2].map(Value::I64));
        assert!(expanded(&[&plain], 2).is_none());
        let mixed = Column::from_values([Value::I64(1), several(&[3, 4]), Value::Null]);
        let all = expanded(&[&mixed], 3).expect("the second has two");
        assert_eq!(all.rows, [0, 1, 1, 2]);
        assert_eq!(all.columns[0].get(2), Some(Value::I64(4)));
        assert!(entry_holds(&mixed, 1, &Column::from_values([Value::F64(4.0)]), 0));
        assert!(!entry_holds(&mixed, 1, &Column::from_values([Value::F64(5.0)]), 0));
    }
}
