//! Values of predicates whose schema says whether a vertex has one or several. A value with facets comes as a property
//! value with meta-properties: of several values each keeps its own; of one they become properties beside it.

use super::PropertyParts;
use millrace_model::{ColumnValues, PropertyValues, Value};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A facet of the one value of an owner.
pub(crate) struct FacetOf {
    pub(crate) owner: u32,
    pub(crate) key: Arc<str>,
    pub(crate) value: Value,
}

impl PropertyParts {
    /// Renumbers the owners and keeps the last value of each; its facets are put into `facets`.
    pub(crate) fn decide_one(
        &mut self,
        renumber: impl Fn(u32) -> Option<u32>,
        facets: &mut Vec<FacetOf>,
    ) {
        self.settle(renumber);
        let may_have_facets =
            |part: &millrace_model::Column| matches!(part.values, ColumnValues::Value(_));
        if !self.parts.iter().any(may_have_facets) {
            return;
        }
        for index in 0..self.rows.len() {
            let (row, owner) = (self.rows[index], self.owners[self.rows[index] as usize]);
            let Value::PropertyValues(several) = self.value_of(row) else { continue };
            let Some(own) = several.values().first() else { continue };
            let meta = own.meta.iter().cloned();
            facets.extend(meta.map(|(key, value)| FacetOf { owner, key, value }));
            self.rows[index] = self.owners.len() as u32;
            self.push_value(owner, own.value.clone());
        }
    }

    /// Renumbers the owners and keeps all distinct values of each, in their order. A value that comes again has the
    /// facets of the last time.
    pub(crate) fn decide_several(&mut self, renumber: impl Fn(u32) -> Option<u32>) {
        let keys = self.sorted_rows(renumber);
        let mut rows = Vec::with_capacity(keys.len());
        for group in keys.chunk_by(|(one, _), (other, _)| one == other) {
            let [(owner, first), others @ ..] = group else { continue };
            if others.is_empty() {
                rows.push(*first);
                continue;
            }
            let values: Vec<Value> = group.iter().map(|(_, row)| self.value_of(*row)).collect();
            let Some(value) = with_values(None, &values) else { continue };
            rows.push(self.owners.len() as u32);
            self.push_value(*owner, value);
        }
        self.rows = rows;
    }
}

/// A property with more values: one that is there already gets the new facets in place of its own.
pub(crate) fn with_values(earlier: Option<&Value>, more: &[Value]) -> Option<Value> {
    let (mut all, mut indexes) = (Vec::new(), FxHashMap::default());
    for property in earlier.into_iter().chain(more) {
        for own in PropertyValues::of(property).values() {
            let index = *indexes.entry(own.value.clone()).or_insert(all.len());
            match all.get_mut(index) {
                None => all.push((own.value.clone(), own.meta.clone())),
                Some((_, meta)) => meta.clone_from(&own.meta),
            }
        }
    }
    let mut several = PropertyValues::default();
    all.iter().for_each(|(value, meta)| several.append(value, meta));
    several.into_value()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str, facets: &[(&str, i64)]) -> Value {
        let meta: Vec<(Arc<str>, Value)> =
            facets.iter().map(|(key, value)| (Arc::from(*key), Value::I64(*value))).collect();
        let mut several = PropertyValues::default();
        several.append(&Value::from(text), &meta);
        several.into_value().unwrap()
    }

    fn parts(values: &[(u32, Value)]) -> PropertyParts {
        let mut parts = PropertyParts::default();
        values.iter().for_each(|(owner, value)| parts.push_value(*owner, value.clone()));
        parts
    }

    #[test]
    fn of_one_value_the_last_stays_with_its_own_facets() {
        let mut facets = Vec::new();
        let mut parts = parts(&[
            (1, value("a", &[("k", 1)])),
            (0, value("b", &[("k", 2)])),
            (1, value("c", &[])),
        ]);
        parts.decide_one(Some, &mut facets);
        let column = parts.column(0..2).unwrap();
        assert_eq!([column.get(0), column.get(1)], ["b", "c"].map(|text| Some(text.into())));
        let facets: Vec<_> =
            facets.iter().map(|own| (own.owner, &*own.key, own.value.as_int())).collect();
        assert_eq!(facets, [(0, "k", Some(2))]);
    }

    #[test]
    fn several_values_keep_their_facets_and_come_once() {
        let mut parts = parts(&[
            (0, value("a", &[("k", 1)])),
            (1, value("z", &[])),
            (0, value("b", &[])),
            (0, value("a", &[("l", 2)])),
        ]);
        parts.decide_several(Some);
        let column = parts.column(0..2).unwrap();
        let Some(Value::PropertyValues(several)) = column.get(0) else { panic!("{column:?}") };
        let shown: Vec<_> =
            several.values().iter().map(|own| (own.value.clone(), own.meta.len())).collect();
        assert_eq!(shown, [("a".into(), 1), ("b".into(), 0)]);
        assert_eq!(&*several.values()[0].meta[0].0, "l");
        assert_eq!(column.get(1), Some("z".into()));
    }
}
