//! The predicates and types of a graph, as its catalog has them.

use std::collections::{BTreeMap, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use millrace_model::{Catalog, Owner, PropertyName};

use super::{
    ALTERED_NOTE, HIDDEN_LABEL, Kind, OWN_NOTE, PREDICATE_NOTE, Predicate, TYPE_NOTE,
    TYPE_PREDICATE, cache,
};
use crate::tree::SchemaItem;

/// Bytes of an entry of a map or of a list beside what it has, about.
const ENTRY_BYTES: usize = 32;

/// A field of a type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TypeField {
    /// The predicate.
    pub predicate: Arc<str>,
    /// Whether it is walked from its object.
    pub is_reverse: bool,
}

/// The schema of a graph.
#[derive(Debug)]
pub struct GraphSchema {
    predicates: HashMap<Arc<str>, Predicate>,
    types: BTreeMap<Arc<str>, Vec<TypeField>>,
    labels: Vec<Arc<str>>,
    has_other_ids: bool,
    names_of_keys: Arc<[Arc<str>]>,
    /// Whether all its predicates have notes.
    is_own: bool,
}

impl GraphSchema {
    /// That of a catalog.
    pub fn of(catalog: &Arc<Catalog>) -> Arc<GraphSchema> {
        cache::of(catalog, || GraphSchema::read(catalog))
    }

    /// The same, made anew.
    pub(crate) fn read(catalog: &Catalog) -> GraphSchema {
        let mut predicates: HashMap<Arc<str>, Predicate> = HashMap::new();
        let mut parts: HashMap<Arc<str>, Predicate> = HashMap::new();
        for name in catalog.keys.iter() {
            let PropertyName { key, language, facet } = PropertyName::of(name);
            let own = parts
                .entry(Arc::from(key))
                .or_insert_with(|| Predicate::of_kind(Kind::Default, false));
            match (language, facet) {
                (language, Some(facet)) => {
                    own.facets.push((language.map(Arc::from), Arc::from(facet)));
                }
                (Some(language), None) => own.languages.push(Arc::from(language)),
                (None, None) => {}
            }
        }
        for index in catalog.maintained_of(Owner::AllVertices) {
            let [key] = index.keys.as_slice() else { continue };
            let Some(name) = catalog.keys.name(key.0) else { continue };
            let PropertyName { key, language, facet: None } = PropertyName::of(name) else {
                continue;
            };
            if let (Some(own), Some(language)) = (parts.get_mut(key), language) {
                own.languages_indexed.push(Arc::from(language));
            }
        }
        for (note, text) in catalog.notes.named_from(PREDICATE_NOTE) {
            let Some(name) = note.strip_prefix(PREDICATE_NOTE) else { continue };
            let Some(mut declared) = predicate_of(text) else { continue };
            if let Some(own) = parts.remove(name) {
                declared.languages = own.languages;
                declared.languages_indexed = own.languages_indexed;
                declared.facets = own.facets;
            }
            declared.is_altered = catalog.notes.contains_key(&format!("{ALTERED_NOTE}{name}"));
            predicates.insert(Arc::from(name), declared);
        }
        for name in catalog.edge_types.iter() {
            let own = || Predicate::of_kind(Kind::Uid, true);
            predicates.entry(Arc::from(&**name)).or_insert_with(own);
        }
        for (name, mut own) in parts {
            own.has_languages = !own.languages.is_empty();
            predicates.entry(name).or_insert(own);
        }
        for own in predicates.values_mut() {
            for tags in [&mut own.languages, &mut own.languages_indexed] {
                tags.sort();
                tags.dedup();
            }
            own.facets.sort();
            own.facets.dedup();
        }
        let types = catalog.notes.named_from(TYPE_NOTE).filter_map(|(note, text)| {
            Some((Arc::from(note.strip_prefix(TYPE_NOTE)?), fields_of(text)))
        });
        let labels = catalog.labels.iter().filter(|name| ***name != *HIDDEN_LABEL);
        let labels = labels.map(|name| Arc::from(&**name)).collect();
        let has_other_ids = catalog.indexes.iter().any(|index| index.is_of_external_ids());
        let names_of_keys = catalog.keys.iter().map(|name| Arc::from(&**name)).collect();
        let is_own = catalog.notes.contains_key(OWN_NOTE);
        GraphSchema {
            predicates,
            types: types.collect(),
            labels,
            has_other_ids,
            names_of_keys,
            is_own,
        }
    }

    /// Its bytes in memory, about.
    pub(super) fn byte_size(&self) -> usize {
        let text = |text: &Arc<str>| size_of::<Arc<str>>() + ENTRY_BYTES + text.len();
        let texts = |texts: &[Arc<str>]| texts.iter().map(text).sum::<usize>();
        let of_predicate = |(name, own): (&Arc<str>, &Predicate)| {
            let facets = own.facets.iter().map(|(_, facet)| 2 * text(facet)).sum::<usize>();
            let options = own.indexes.iter().map(|index| {
                let pairs = index.options.iter().map(|(key, value)| text(key) + text(value));
                text(&index.word) + pairs.sum::<usize>()
            });
            let languages = texts(&own.languages) + texts(&own.languages_indexed);
            text(name) + size_of::<Predicate>() + facets + languages + options.sum::<usize>()
        };
        let of_type = |(name, fields): (&Arc<str>, &Vec<TypeField>)| {
            text(name) + fields.iter().map(|own| text(&own.predicate)).sum::<usize>()
        };
        self.predicates.iter().map(of_predicate).sum::<usize>()
            + self.types.iter().map(of_type).sum::<usize>()
            + texts(&self.labels)
            + texts(&self.names_of_keys)
    }

    /// The predicate of a name; none: the graph does not have it.
    pub fn predicate(&self, name: &str) -> Option<Predicate> {
        if name == TYPE_PREDICATE {
            let mut types = Predicate::of_kind(Kind::String, true);
            types.indexes.push(super::IndexWord { word: "exact".into(), options: Vec::new() });
            types.is_declared = true;
            return Some(types);
        }
        self.predicates.get(name).cloned()
    }

    /// The same, unless it is a mere name: that of a facet, or of what was dropped, which the next use may give another type.
    pub(crate) fn shown_predicate(&self, name: &str) -> Option<Predicate> {
        self.predicate(name).filter(|own| self.is_shown(own))
    }

    /// Whether it is more than a mere name.
    pub(crate) fn is_shown(&self, own: &Predicate) -> bool {
        own.is_declared || !self.is_own
    }

    /// Whether some vertex has an id that is not its place in the store.
    pub fn has_other_ids(&self) -> bool {
        self.has_other_ids
    }

    /// The predicates that a client is shown.
    pub fn shown(&self) -> impl Iterator<Item = (&Arc<str>, &Predicate)> {
        self.predicates.iter().filter(|(_, own)| self.is_shown(own))
    }

    /// All predicates.
    pub fn predicates(&self) -> impl Iterator<Item = (&Arc<str>, &Predicate)> {
        self.predicates.iter()
    }

    /// The fields of a type.
    pub fn fields(&self, name: &str) -> Option<&[TypeField]> {
        self.types.get(name).map(Vec::as_slice)
    }

    /// All types, by name.
    pub fn types(&self) -> impl Iterator<Item = (&Arc<str>, &Vec<TypeField>)> {
        self.types.iter()
    }

    /// A hash of all types, by which plans that depend on them differ.
    pub fn types_hash(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.types.hash(&mut hasher);
        hasher.finish()
    }

    /// The names of keys, by their numbers.
    pub fn names_of_keys(&self) -> Arc<[Arc<str>]> {
        Arc::clone(&self.names_of_keys)
    }

    /// The names of labels, which are the types that nodes may have.
    pub fn labels(&self) -> &[Arc<str>] {
        &self.labels
    }
}

/// The predicate that the text of a note says.
fn predicate_of(text: &str) -> Option<Predicate> {
    let schema = crate::syntax::parse_schema(&format!("<x>: {text} .")).ok()?;
    match schema.items.first()? {
        SchemaItem::Predicate(statement) => Predicate::of_statement(statement),
        SchemaItem::Type(_) => None,
    }
}

/// The fields that the text of a type's note has, one a line.
fn fields_of(text: &str) -> Vec<TypeField> {
    let field = |line: &str| {
        let name = line.strip_prefix('~');
        TypeField { predicate: Arc::from(name.unwrap_or(line)), is_reverse: name.is_some() }
    };
    text.lines().filter(|line| !line.is_empty()).map(field).collect()
}
