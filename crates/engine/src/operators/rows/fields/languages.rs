//! Which of an element's fields are returned where languages are asked for.
//!
//! The meaning of a name is found once for each key of the graph, not once for each field. A facet is
//! not a field of its own; it is returned with the value that it belongs to, or not at all.

use std::collections::hash_map::Entry;
use std::sync::Arc;

use millrace_model::column::Field;
use millrace_model::{Catalog, KeyId, PropertyName, PropertyValues};
use millrace_plan::{Language, Languages, Name};
use rustc_hash::FxHashMap;

pub(crate) struct Spoken {
    /// The bare keys; `None`: all.
    keys: Option<Vec<Name>>,
    languages: Languages,
    /// Of which catalog the rest is.
    generation: u64,
    /// The parsed names of keys; `None` for those that are not wanted.
    known: FxHashMap<KeyId, Option<Said>>,
    /// Numbers of bare keys, and of those with a language.
    numbers: FxHashMap<(Name, Option<Name>), u32>,
}

/// A parsed property name.
#[derive(Clone)]
struct Said {
    /// The bare key.
    key: u32,
    /// The key with the language: the value.
    value: u32,
    rank: Rank,
    facet: Option<Name>,
}

/// How good a language is: smaller is better. Of equal ones that of the first tag as text.
type Rank = (usize, Option<Name>);

impl Spoken {
    pub(super) fn new(keys: Option<&[Name]>, languages: &Languages) -> Spoken {
        let (keys, languages) = (keys.map(<[Name]>::to_vec), languages.clone());
        let (known, numbers) = (FxHashMap::default(), FxHashMap::default());
        Spoken { keys, languages, generation: 0, known, numbers }
    }

    /// Drops the names of another catalog.
    pub(super) fn begin(&mut self, generation: u64) {
        if self.generation != generation {
            self.generation = generation;
            self.known.clear();
            self.numbers.clear();
        }
    }

    /// Those of an element's fields that are wanted, with the facets of their values.
    pub(super) fn choose(&mut self, fields: &[Field], catalog: &Catalog) -> Arc<[Field]> {
        let said = fields.iter().filter_map(|field| Some((field, self.said(field.key, catalog)?)));
        let (facets, values): (Vec<_>, Vec<_>) = said.partition(|(_, said)| said.facet.is_some());
        let one_of_a_key = matches!(self.languages, Languages::First(_));
        let is_chosen = |said: &Said| {
            let mut others = values.iter().map(|(_, other)| other);
            !one_of_a_key || others.all(|other| other.key != said.key || said.rank <= other.rank)
        };
        let chosen = values.iter().filter(|(_, said)| is_chosen(said));
        chosen.map(|(field, said)| with_facets(field, said, &facets)).collect()
    }

    fn said(&mut self, key: KeyId, catalog: &Catalog) -> Option<Said> {
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        let name = catalog.keys.name(key.0);
        let said = name.and_then(|name| self.read(PropertyName::of(name)));
        self.known.insert(key, said.clone());
        said
    }

    fn read(&mut self, name: PropertyName<'_>) -> Option<Said> {
        let PropertyName { key, language, facet } = name;
        if self.keys.as_ref().is_some_and(|keys| keys.iter().all(|wanted| **wanted != *key)) {
            return None;
        }
        let rank = self.rank(language)?;
        let key = Name::from(key);
        let value = self.number(key.clone(), language.map(Name::from));
        Some(Said { key: self.number(key, None), value, rank, facet: facet.map(Name::from) })
    }

    fn number(&mut self, key: Name, language: Option<Name>) -> u32 {
        let next = self.numbers.len() as u32;
        match self.numbers.entry((key, language)) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(new) => *new.insert(next),
        }
    }

    /// How good a language is; `None`: it is not wanted.
    fn rank(&self, language: Option<&str>) -> Option<Rank> {
        let languages = match &self.languages {
            Languages::All => return Some((0, None)),
            Languages::Untagged => return language.is_none().then_some((0, None)),
            Languages::First(languages) => languages,
        };
        let is_it = |wanted: &Language| match wanted {
            Language::Tag(tag) => language == Some(tag),
            Language::Any => true,
        };
        languages.iter().position(is_it).map(|place| (place, language.map(Name::from)))
    }
}

/// A field with its facets attached to its value, in order of their names.
fn with_facets(field: &Field, said: &Said, facets: &[(&Field, Said)]) -> Field {
    let own = facets.iter().filter(|(_, facet)| facet.value == said.value);
    let mut own: Vec<_> = own.map(|(facet, of)| (&of.facet, &facet.value)).collect();
    if own.is_empty() {
        return field.clone();
    }
    own.sort_by_key(|(name, _)| *name);
    let mut property = PropertyValues::of(&field.value);
    for (name, value) in own {
        name.iter().for_each(|name| property.set_meta_of_all(name, value));
    }
    Field { key: field.key, value: property.into_value().unwrap_or_default() }
}
