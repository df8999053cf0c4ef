//! The values of a multi-valued property.
//!
//! A key may have several values, and each of them meta-properties. A single value without
//! meta-properties is stored as itself, never as property values, so that the usual graph stays
//! small and fast. Code that changes property values gets the value to store from
//! [`PropertyValues::into_value`].

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::value::Value;

/// Properties that are only a key and a value.
pub type MetaProperties = Vec<(Arc<str>, Value)>;

/// One of a property's values.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PropertyValue {
    /// The number of this value among the property's; it stays while others come and go.
    pub ordinal: u32,
    /// The value; never property values itself.
    pub value: Value,
    /// Its own properties, in order of their setting, no key twice.
    pub meta: MetaProperties,
}

/// All values of a property, in order of their coming.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PropertyValues {
    /// The values, by ordinal.
    values: Vec<PropertyValue>,
    /// The ordinal of the next.
    next: u32,
}

impl PropertyValues {
    /// Property values as they were stored; `None` if they could not have been.
    pub fn of_parts(values: Vec<PropertyValue>, next: u32) -> Option<PropertyValues> {
        let ascend = values.is_sorted_by(|left, right| left.ordinal < right.ordinal);
        let below = values.last().is_some_and(|last| last.ordinal < next);
        let plain = values.iter().all(|own| {
            let keys = own.meta.iter().map(|(key, _)| key);
            let distinct = keys
                .clone()
                .enumerate()
                .all(|(place, key)| keys.clone().take(place).all(|before| before != key));
            distinct && own.all_values().all(|value| !matches!(value, Value::PropertyValues(_)))
        });
        let made = PropertyValues { values, next };
        (ascend && below && plain && !made.is_one_plain_value()).then_some(made)
    }

    /// The values of a property: a plain value is the only one, null has none.
    pub fn of(value: &Value) -> PropertyValues {
        match value {
            Value::Null => PropertyValues::default(),
            Value::PropertyValues(several) => (**several).clone(),
            plain => {
                let only = PropertyValue { ordinal: 0, value: plain.clone(), meta: Vec::new() };
                PropertyValues { values: vec![only], next: 1 }
            }
        }
    }

    /// The values, in order.
    pub fn values(&self) -> &[PropertyValue] {
        &self.values
    }

    /// The ordinal of the next value.
    pub fn next_ordinal(&self) -> u32 {
        self.next
    }

    /// The value of an ordinal.
    pub fn get(&self, ordinal: u32) -> Option<&PropertyValue> {
        let place = self.values.binary_search_by_key(&ordinal, |own| own.ordinal).ok()?;
        self.values.get(place)
    }

    fn get_mut(&mut self, ordinal: u32) -> Option<&mut PropertyValue> {
        let place = self.values.binary_search_by_key(&ordinal, |own| own.ordinal).ok()?;
        self.values.get_mut(place)
    }

    /// Adds a value at the end; of property values, each.
    pub fn append(&mut self, value: &Value, meta: &[(Arc<str>, Value)]) {
        for value in each_value(value) {
            self.make_room();
            let mut own = PropertyValue { ordinal: self.next, ..PropertyValue::default() };
            own.value = value.clone();
            meta.iter().for_each(|(key, value)| own.set_meta(key, value));
            self.values.push(own);
            self.next += 1;
        }
    }

    /// Numbers the values anew where no ordinal is left.
    fn make_room(&mut self) {
        if self.next < u32::MAX {
            return;
        }
        for (own, ordinal) in self.values.iter_mut().zip(0..) {
            own.ordinal = ordinal;
        }
        self.next = self.values.len() as u32;
    }

    /// Adds a value unless an equal one is there: its meta-properties are set then.
    pub(crate) fn append_unless(
        &mut self,
        value: &Value,
        meta: &[(Arc<str>, Value)],
        is_equal: impl Fn(&Value, &Value) -> bool,
    ) {
        for value in each_value(value) {
            let equal = |own: &&mut PropertyValue| is_equal(&own.value, value);
            match self.values.iter_mut().find(equal) {
                Some(known) => meta.iter().for_each(|(key, value)| known.set_meta(key, value)),
                None => self.append(value, meta),
            }
        }
    }

    /// Sets values with their meta-properties: each is there once and has these alone, of one that is named several times
    /// the last. A value that was there stays where it is, new ones come behind.
    pub fn set_values<'v>(
        &mut self,
        values: impl IntoIterator<Item = (&'v Value, MetaProperties)>,
    ) {
        let mut order = Vec::new();
        let mut last: HashMap<&Value, MetaProperties> = HashMap::new();
        for (value, meta) in values {
            if last.insert(value, meta).is_none() {
                order.push(value);
            }
        }
        let mut seen = HashSet::new();
        self.values.retain_mut(|own| match last.get_key_value(&own.value) {
            Some((value, meta)) if seen.insert(*value) => {
                own.set_all_meta(meta);
                true
            }
            Some(_) => false,
            None => true,
        });
        for value in order.into_iter().filter(|value| !seen.contains(value)) {
            self.append(value, &last[value]);
        }
    }

    /// Removes all values that are identical to some.
    pub fn remove_values(&mut self, values: &[Value]) {
        let gone: HashSet<&Value> = values.iter().collect();
        self.values.retain(|own| !gone.contains(&own.value));
    }

    /// Removes a value, if it is there.
    pub fn remove(&mut self, ordinal: u32) {
        self.values.retain(|own| own.ordinal != ordinal);
    }

    /// Sets a meta-property of a value, if it is there; null removes it.
    pub fn set_meta(&mut self, ordinal: u32, key: &Arc<str>, value: &Value) {
        if let Some(own) = self.get_mut(ordinal) {
            own.set_meta(key, value);
        }
    }

    /// Sets a meta-property of every value.
    pub fn set_meta_of_all(&mut self, key: &Arc<str>, value: &Value) {
        self.values.iter_mut().for_each(|own| own.set_meta(key, value));
    }

    /// The same with other values; `None` if one has none.
    pub fn map(&self, mut of: impl FnMut(&Value) -> Option<Value>) -> Option<PropertyValues> {
        let mut mapped = self.clone();
        for own in &mut mapped.values {
            own.value = of(&own.value)?;
        }
        Some(mapped)
    }

    /// The value to store: nothing for none, one plain value as itself.
    pub fn into_value(mut self) -> Option<Value> {
        if self.is_one_plain_value() {
            return self.values.pop().map(|own| own.value);
        }
        (!self.values.is_empty()).then(|| Value::PropertyValues(Arc::new(self)))
    }

    /// An ordinal other than the first is stored, as a client may refer to the value by it.
    fn is_one_plain_value(&self) -> bool {
        matches!(self.values.as_slice(), [only] if only.ordinal == 0 && only.meta.is_empty())
    }
}

impl PropertyValue {
    /// Its value and those of its meta-properties.
    pub fn all_values(&self) -> impl Iterator<Item = &Value> {
        std::iter::once(&self.value).chain(self.meta.iter().map(|(_, value)| value))
    }

    fn set_all_meta(&mut self, meta: &[(Arc<str>, Value)]) {
        self.meta.clear();
        meta.iter().for_each(|(key, value)| self.set_meta(key, value));
    }

    fn set_meta(&mut self, key: &Arc<str>, value: &Value) {
        if value.is_null() {
            return self.meta.retain(|(own, _)| own != key);
        }
        match self.meta.iter_mut().find(|(own, _)| own == key) {
            Some((_, own)) => *own = plain_value(value),
            None => self.meta.push((key.clone(), plain_value(value))),
        }
    }
}

/// The values of a property; a plain one is its own only one.
pub fn each_value(value: &Value) -> impl Iterator<Item = &Value> + Clone {
    let (plain, several) = match value {
        Value::PropertyValues(several) => (None, several.values()),
        plain => (Some(plain), &[][..]),
    };
    plain.into_iter().chain(several.iter().map(|own| &own.value))
}

/// The value of a property for a reader without multi-valued properties: the only one, or a list.
pub fn plain_value(value: &Value) -> Value {
    match value {
        Value::PropertyValues(property) => match property.values() {
            [only] => only.value.clone(),
            several => Value::list(several.iter().map(|own| own.value.clone()).collect()),
        },
        plain => plain.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(values: &[i64]) -> PropertyValues {
        let mut property = PropertyValues::default();
        values.iter().for_each(|value| property.append(&Value::I64(*value), &[]));
        property
    }

    fn values(value: &Value) -> Vec<i64> {
        each_value(value).filter_map(Value::as_int).collect()
    }

    #[test]
    fn one_value_without_meta_properties_is_stored_as_itself() {
        assert_eq!(of(&[]).into_value(), None);
        assert_eq!(of(&[7]).into_value(), Some(Value::I64(7)));
        let mut own = of(&[7]);
        own.set_meta(0, &"by".into(), &"me".into());
        let stored = own.clone().into_value().expect("one");
        assert!(matches!(stored, Value::PropertyValues(_)));
        assert_eq!(plain_value(&stored), Value::I64(7));
        own.set_meta(0, &"by".into(), &Value::Null);
        assert_eq!(own.into_value(), Some(Value::I64(7)));
    }

    #[test]
    fn an_ordinal_names_one_value_while_others_go() {
        let mut property = of(&[1, 2, 3]);
        property.remove(0);
        property.remove(2);
        let stored = property.into_value().expect("one");
        assert_eq!(values(&stored), [2]);
        let mut property = PropertyValues::of(&stored);
        assert_eq!(property.get(1).map(|own| own.value.clone()), Some(Value::I64(2)));
        property.append(&Value::I64(4), &[]);
        assert_eq!(property.values().last().map(|own| own.ordinal), Some(3));
        property.remove(1);
        property.remove(3);
        assert_eq!(property.into_value(), None);
    }

    #[test]
    fn an_equal_value_gets_more_meta_properties_and_is_not_added() {
        let since = |year: i64| [(Arc::from("since"), Value::I64(year))];
        let mut property = of(&[1, 2]);
        property.append_new(&Value::F64(2.0), &since(1999));
        property.append_new(&Value::I64(3), &since(2000));
        let stored = property.into_value().expect("three");
        assert_eq!(values(&stored), [1, 2, 3]);
        let property = PropertyValues::of(&stored);
        assert_eq!(property.get(1).map(|own| own.meta.clone()), Some(since(1999).to_vec()));
    }

    #[test]
    fn many_values_are_set_and_removed_in_one_pass() {
        let since = |year: i64| vec![(Arc::from("since"), Value::I64(year))];
        let mut property = of(&[1, 2, 1, 3]);
        let [one, three, four] = [1, 3, 4].map(Value::I64);
        let set = [(&four, since(1)), (&one, since(2)), (&three, Vec::new()), (&four, since(3))];
        property.set_values(set);
        let parts: Vec<_> = property
            .values()
            .iter()
            .map(|own| (own.ordinal, own.value.as_int().expect("a number"), own.meta.clone()))
            .collect();
        let expected = [(0, 1, since(2)), (1, 2, Vec::new()), (3, 3, Vec::new()), (4, 4, since(3))];
        assert_eq!(parts, expected);
        property.set_values([(&one, Vec::new())]);
        assert!(property.get(0).is_some_and(|own| own.meta.is_empty()), "its facets are gone");
        property.remove_values(&[one.clone(), four, Value::I64(9), Value::F64(2.0)]);
        assert_eq!(values(&property.clone().into_value().expect("two")), [2, 3]);
        property.remove_values(&[Value::I64(2), three]);
        assert_eq!(property.into_value(), None);
        let mut fresh = PropertyValues::default();
        fresh.set_values([(&one, Vec::new()), (&one, Vec::new())]);
        assert_eq!(fresh.into_value(), Some(Value::I64(1)), "a repeated value is one plain value");
    }

    #[test]
    fn impossible_property_values_are_refused() {
        let of_parts = |property: &PropertyValues, next| {
            PropertyValues::of_parts(property.values().to_vec(), next)
        };
        let stored = of(&[1, 2]);
        assert_eq!(of_parts(&stored, 2), Some(stored.clone()));
        assert_eq!(of_parts(&stored, 1), None);
        assert_eq!(of_parts(&of(&[1]), 1), None);
        assert_eq!(of_parts(&of(&[]), 0), None);
        let mut nested = stored.values().to_vec();
        nested[0].value = stored.into_value().expect("two");
        assert_eq!(PropertyValues::of_parts(nested, 2), None);
    }
}
