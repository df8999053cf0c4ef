//! The entries of a vertex's property that is more than one plain value.
//!
//! A key may have several values, and each of them properties of its own. A single value without
//! properties of its own is stored as itself, never as entries, so that the usual graph stays as small
//! and as fast as it was. Code that changes entries gets the value to store from
//! [`PropertyValues::into_value`].

use std::sync::Arc;

use crate::column::{Column, Entries};
use crate::value::Value;

/// Properties that are only a key and a value.
pub type MetaProperties = Vec<(Arc<str>, Value)>;

/// One of a property's values.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PropertyEntry {
    /// Which of the property's values this is; it stays what it is while others come and go.
    pub ordinal: u32,
    /// The value; never entries itself.
    pub value: Value,
    /// Its own properties, in order of their setting, no key twice.
    pub meta: MetaProperties,
}

/// All values of a property, in order of their coming.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PropertyValues {
    /// The entries, by ordinal.
    entries: Vec<PropertyEntry>,
    /// The ordinal of the next.
    next: u32,
}

impl PropertyValues {
    /// Entries as they were kept; `None` if they could not have been.
    pub fn of_parts(entries: Vec<PropertyEntry>, next: u32) -> Option<PropertyValues> {
        let ascend = entries.is_sorted_by(|left, right| left.ordinal < right.ordinal);
        let below = entries.last().is_some_and(|last| last.ordinal < next);
        let plain = entries.iter().all(|entry| {
            let keys = entry.meta.iter().map(|(key, _)| key);
            let distinct = keys
                .clone()
                .enumerate()
                .all(|(place, key)| keys.clone().take(place).all(|before| before != key));
            distinct && entry.values().all(|value| !matches!(value, Value::Entries(_)))
        });
        let made = PropertyValues { entries, next };
        (ascend && below && plain && !made.is_one_plain_value()).then_some(made)
    }

    /// What a property has: a plain value is its only entry, null has none.
    pub fn of(value: &Value) -> PropertyValues {
        match value {
            Value::Null => PropertyValues::default(),
            Value::Entries(entries) => (**entries).clone(),
            plain => {
                let entry = PropertyEntry { ordinal: 0, value: plain.clone(), meta: Vec::new() };
                PropertyValues { entries: vec![entry], next: 1 }
            }
        }
    }

    /// The entries, in order.
    pub fn entries(&self) -> &[PropertyEntry] {
        &self.entries
    }

    /// The ordinal that the next entry has.
    pub fn next_ordinal(&self) -> u32 {
        self.next
    }

    /// The entry of an ordinal.
    pub fn entry(&self, ordinal: u32) -> Option<&PropertyEntry> {
        let place = self.entries.binary_search_by_key(&ordinal, |entry| entry.ordinal).ok()?;
        self.entries.get(place)
    }

    fn entry_mut(&mut self, ordinal: u32) -> Option<&mut PropertyEntry> {
        let place = self.entries.binary_search_by_key(&ordinal, |entry| entry.ordinal).ok()?;
        self.entries.get_mut(place)
    }

    /// Adds an entry at the end. A value that is entries gives each of its values.
    pub fn append(&mut self, value: &Value, meta: &[(Arc<str>, Value)]) {
        for value in each_value(value) {
            self.make_room();
            let mut entry = PropertyEntry { ordinal: self.next, ..PropertyEntry::default() };
            entry.value = value.clone();
            meta.iter().for_each(|(key, value)| entry.set_meta(key, value));
            self.entries.push(entry);
            self.next += 1;
        }
    }

    /// Numbers the entries anew where no ordinal is left.
    fn make_room(&mut self) {
        if self.next < u32::MAX {
            return;
        }
        for (entry, ordinal) in self.entries.iter_mut().zip(0..) {
            entry.ordinal = ordinal;
        }
        self.next = self.entries.len() as u32;
    }

    /// Adds an entry unless one has that value: its own properties are set then.
    pub fn append_new(&mut self, value: &Value, meta: &[(Arc<str>, Value)]) {
        for value in each_value(value) {
            let equal =
                |entry: &&mut PropertyEntry| crate::compare::order(&entry.value, value).is_eq();
            match self.entries.iter_mut().find(equal) {
                Some(known) => meta.iter().for_each(|(key, value)| known.set_meta(key, value)),
                None => self.append(value, meta),
            }
        }
    }

    /// Removes an entry, if it is there.
    pub fn remove(&mut self, ordinal: u32) {
        self.entries.retain(|entry| entry.ordinal != ordinal);
    }

    /// Sets a property of an entry, if it is there; null removes it.
    pub fn set_meta(&mut self, ordinal: u32, key: &Arc<str>, value: &Value) {
        if let Some(entry) = self.entry_mut(ordinal) {
            entry.set_meta(key, value);
        }
    }

    /// Sets a property of every entry.
    pub fn set_meta_of_all(&mut self, key: &Arc<str>, value: &Value) {
        self.entries.iter_mut().for_each(|entry| entry.set_meta(key, value));
    }

    /// The same with other values; `None` if one has none.
    pub fn map(&self, mut of: impl FnMut(&Value) -> Option<Value>) -> Option<PropertyValues> {
        let mut mapped = self.clone();
        for entry in &mut mapped.entries {
            entry.value = of(&entry.value)?;
        }
        Some(mapped)
    }

    /// What is kept of them: nothing of none, one plain value as itself.
    pub fn into_value(mut self) -> Option<Value> {
        if self.is_one_plain_value() {
            return self.entries.pop().map(|entry| entry.value);
        }
        (!self.entries.is_empty()).then(|| Value::Entries(Arc::new(self)))
    }

    /// An ordinal other than the first is kept, as a client may refer to the entry by it.
    fn is_one_plain_value(&self) -> bool {
        matches!(self.entries.as_slice(), [only] if only.ordinal == 0 && only.meta.is_empty())
    }
}

impl PropertyEntry {
    /// Its value and those of its own properties.
    pub fn values(&self) -> impl Iterator<Item = &Value> {
        std::iter::once(&self.value).chain(self.meta.iter().map(|(_, value)| value))
    }

    fn set_meta(&mut self, key: &Arc<str>, value: &Value) {
        if value.is_null() {
            return self.meta.retain(|(own, _)| own != key);
        }
        match self.meta.iter_mut().find(|(own, _)| own == key) {
            Some((_, own)) => *own = without_entries(value),
            None => self.meta.push((key.clone(), without_entries(value))),
        }
    }
}

/// Whether a row of a column of properties holds entries.
pub fn is_entries(column: &Column, row: usize) -> bool {
    matches!(values(column).get(row), Some(Value::Entries(_)))
}

/// Whether some row of a column of properties holds entries.
pub fn holds_entries(column: &Column) -> bool {
    values(column).iter().any(|value| matches!(value, Value::Entries(_)))
}

/// The rows of a column of mixed values; none of any other column, where no entries can be.
fn values(column: &Column) -> &[Value] {
    match &column.entries {
        Entries::Value(values) => values,
        Entries::Vertex(_)
        | Entries::Edge(_)
        | Entries::Bool(_)
        | Entries::I64(_)
        | Entries::F64(_)
        | Entries::String(_)
        | Entries::Path(_)
        | Entries::Bag(_)
        | Entries::Fields(_) => &[],
    }
}

/// The values of a property; a plain one is its own only one.
pub fn each_value(value: &Value) -> impl Iterator<Item = &Value> + Clone {
    let (plain, entries) = match value {
        Value::Entries(entries) => (None, entries.entries()),
        plain => (Some(plain), &[][..]),
    };
    plain.into_iter().chain(entries.iter().map(|entry| &entry.value))
}

/// The value of a property as a reader sees it that knows no entries: the only one, or a list.
pub fn without_entries(value: &Value) -> Value {
    match value {
        Value::Entries(entries) => match entries.entries() {
            [only] => only.value.clone(),
            several => Value::list(several.iter().map(|entry| entry.value.clone()).collect()),
        },
        plain => plain.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(values: &[i64]) -> PropertyValues {
        let mut entries = PropertyValues::default();
        values.iter().for_each(|value| entries.append(&Value::I64(*value), &[]));
        entries
    }

    fn values(value: &Value) -> Vec<i64> {
        each_value(value).filter_map(Value::as_int).collect()
    }

    #[test]
    fn one_value_that_nothing_is_said_of_is_kept_as_itself() {
        assert_eq!(of(&[]).into_value(), None);
        assert_eq!(of(&[7]).into_value(), Some(Value::I64(7)));
        let mut own = of(&[7]);
        own.set_meta(0, &"by".into(), &"me".into());
        let kept = own.clone().into_value().expect("one");
        assert!(matches!(kept, Value::Entries(_)));
        assert_eq!(without_entries(&kept), Value::I64(7));
        own.set_meta(0, &"by".into(), &Value::Null);
        assert_eq!(own.into_value(), Some(Value::I64(7)));
    }

    #[test]
    fn an_ordinal_names_one_entry_while_others_go() {
        let mut entries = of(&[1, 2, 3]);
        entries.remove(0);
        entries.remove(2);
        let kept = entries.into_value().expect("one");
        assert_eq!(values(&kept), [2]);
        let mut entries = PropertyValues::of(&kept);
        assert_eq!(entries.entry(1).map(|entry| entry.value.clone()), Some(Value::I64(2)));
        entries.append(&Value::I64(4), &[]);
        assert_eq!(entries.entries().last().map(|entry| entry.ordinal), Some(3));
        entries.remove(1);
        entries.remove(3);
        assert_eq!(entries.into_value(), None);
    }

    #[test]
    fn an_equal_value_gets_more_meta_properties_and_is_not_added() {
        let since = |year: i64| [(Arc::from("since"), Value::I64(year))];
        let mut entries = of(&[1, 2]);
        entries.append_new(&Value::F64(2.0), &since(1999));
        entries.append_new(&Value::I64(3), &since(2000));
        let kept = entries.into_value().expect("three");
        assert_eq!(values(&kept), [1, 2, 3]);
        let entries = PropertyValues::of(&kept);
        assert_eq!(entries.entry(1).map(|entry| entry.meta.clone()), Some(since(1999).to_vec()));
    }

    #[test]
    fn what_could_not_have_been_kept_is_refused() {
        let of_parts = |entries: &PropertyValues, next| {
            PropertyValues::of_parts(entries.entries().to_vec(), next)
        };
        let kept = of(&[1, 2]);
        assert_eq!(of_parts(&kept, 2), Some(kept.clone()));
        assert_eq!(of_parts(&kept, 1), None);
        assert_eq!(of_parts(&of(&[1]), 1), None);
        assert_eq!(of_parts(&of(&[]), 0), None);
        let mut nested = kept.entries().to_vec();
        nested[0].value = kept.into_value().expect("two");
        assert_eq!(PropertyValues::of_parts(nested, 2), None);
    }
}
