//! The names under which values and facets are stored: `name`, `name@de`, `name|facet`, `name@de|facet`.

use std::sync::Arc;

use millrace_model::{PropertyName, Value};
use millrace_plan::Name;

use crate::changes::Facet;
use crate::schema::Predicate;

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
    let mut all = Vec::new();
    for (key, value) in stored_facets(name, known, language, facets) {
        put(&mut all, &key, value);
    }
    Value::map(all)
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

/// Sets an entry; the last one counts.
pub(super) fn put(properties: &mut Vec<(Value, Value)>, key: &Arc<str>, value: Value) {
    let name = Value::String(Arc::clone(key));
    match properties.iter_mut().find(|(own, _)| *own == name) {
        Some((_, own)) => *own = value,
        None => properties.push((name, value)),
    }
}

pub(super) fn facets_map(facets: &[Facet]) -> Value {
    let pair = |(key, value): &Facet| (Value::String(Arc::clone(key)), value.clone());
    Value::map(facets.iter().map(pair).collect())
}
