//! The names under which values and facets are stored: `name`, `name@de`, `name|facet`, `name@de|facet`.

use std::collections::HashMap;
use std::sync::Arc;

use millrace_model::{PropertyName, Value};
use millrace_plan::Name;

use crate::changes::Facet;
use crate::schema::Predicate;

/// Up to so many members names are compared one by one.
const MEMBERS_FEW: usize = 16;

/// The facets of a value as they are stored: those of the value that was there go with it.
pub(super) fn stored_facets(
    name: &str,
    known: &Predicate,
    language: Option<&str>,
    facets: &[Facet],
) -> Vec<(Arc<str>, Value)> {
    let gone = known.facets.iter().filter(|(tag, _)| tag.as_deref() == language);
    let gone = gone.map(|(_, facet)| (stored_name(name, language, Some(facet)), Value::Null));
    let set = |(facet, value): &Facet| (stored_name(name, language, Some(facet)), value.clone());
    gone.chain(facets.iter().map(set)).collect()
}

/// The same as a map.
pub(super) fn all_facets(
    name: &str,
    known: &Predicate,
    language: Option<&str>,
    facets: &[Facet],
) -> Value {
    let mut all = Members::default();
    for (key, value) in stored_facets(name, known, language, facets) {
        all.put(&key, value);
    }
    Value::map(all.into_pairs())
}

/// The names under which a predicate has values and facets: of one language, or of all.
pub(super) fn stored_names<'a>(
    name: &'a str,
    known: &'a Predicate,
    language: Option<&'a str>,
) -> Vec<Arc<str>> {
    let is_meant = |tag: Option<&str>| language.is_none() || tag == language;
    let tags = std::iter::once(None).chain(known.languages.iter().map(|tag| Some(&**tag)));
    let mut names: Vec<Arc<str>> =
        tags.filter(|tag| is_meant(*tag)).map(|tag| stored_name(name, tag, None)).collect();
    let facets = known.facets.iter().filter(|(tag, _)| is_meant(tag.as_deref()));
    names.extend(facets.map(|(tag, facet)| stored_name(name, tag.as_deref(), Some(facet))));
    names
}

pub(super) fn stored_name(key: &str, language: Option<&str>, facet: Option<&str>) -> Name {
    if language.is_none() && facet.is_none() {
        return Arc::from(key);
    }
    let mut stored = String::new();
    PropertyName { key, language, facet }.push_to(&mut stored);
    stored.into()
}

/// Members by name, in the order of their coming; of one name the last one counts.
#[derive(Clone, Debug, Default)]
pub(super) struct Members {
    entries: Vec<(Value, Value)>,
    /// Where each name is, once there are many.
    numbers: HashMap<Arc<str>, usize>,
}

impl Members {
    /// Sets an entry.
    pub(super) fn put(&mut self, key: &Arc<str>, value: Value) {
        let own = match self.entries.len() {
            0..MEMBERS_FEW => self.entries.iter().position(|(own, _)| own.as_str() == Some(&**key)),
            count => {
                if count == MEMBERS_FEW {
                    let names = self.entries.iter().map(|(own, _)| own.as_str().map(Arc::from));
                    self.numbers = names.flatten().zip(0..).collect();
                }
                self.numbers.get(key).copied()
            }
        };
        if let Some(at) = own {
            self.entries[at].1 = value;
            return;
        }
        if MEMBERS_FEW <= self.entries.len() {
            self.numbers.insert(Arc::clone(key), self.entries.len());
        }
        self.entries.push((Value::String(Arc::clone(key)), value));
    }

    /// All of them.
    pub(super) fn into_pairs(self) -> Vec<(Value, Value)> {
        self.entries
    }
}

pub(super) fn facets_map(facets: &[Facet]) -> Value {
    let pair = |(key, value): &Facet| (Value::String(Arc::clone(key)), value.clone());
    Value::map(facets.iter().map(pair).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_one_name_the_last_value_counts_where_the_first_stood() {
        for count in [3, MEMBERS_FEW, MEMBERS_FEW + 1, 100] {
            let mut all = Members::default();
            for round in 0..2_i64 {
                (0..count).for_each(|own| all.put(&format!("n{own}").into(), Value::I64(round)));
            }
            let wanted =
                (0..count).map(|own| (Value::from(format!("n{own}").as_str()), Value::I64(1)));
            assert_eq!(all.into_pairs(), wanted.collect::<Vec<_>>());
        }
    }
}
