//! Properties in languages: the values of bare keys, with their facets.

use millrace_model::column::Field;
use millrace_model::{PropertyName, PropertyValues};
use millrace_plan::{Language, Languages, Name};

use super::Oracle;

impl Oracle<'_> {
    /// The values that are wanted of an element's properties.
    pub(super) fn in_languages(
        &self,
        all: &[Field],
        keys: Option<&[Name]>,
        languages: &Languages,
    ) -> Vec<Field> {
        let catalog = self.context.catalog();
        let name = |field: &Field| catalog.keys.name(field.key.0).cloned().unwrap_or_default();
        let mut wanted = Vec::new();
        for field in all {
            let (own, mut value) = (name(field), PropertyValues::of(&field.value));
            let own = PropertyName::of(&own);
            let is_key = keys.is_none_or(|keys| keys.iter().any(|key| **key == *own.key));
            // The languages of all values of its key, none before any.
            let names: Vec<Name> = all.iter().map(name).collect();
            let of_key = names.iter().map(|name| PropertyName::of(name));
            let of_key = of_key.filter(|other| other.key == own.key && other.facet.is_none());
            let mut there: Vec<Option<&str>> = of_key.map(|other| other.language).collect();
            there.sort_unstable();
            let is_chosen = match languages {
                Languages::Untagged => own.language.is_none(),
                Languages::All => true,
                Languages::First(wanted) => first(wanted, &there) == Some(own.language),
            };
            if !is_key || !is_chosen || own.facet.is_some() {
                continue;
            }
            let mut facets: Vec<(Name, &Field)> = Vec::new();
            for other in all {
                let other_name = name(other);
                let parts = PropertyName::of(&other_name);
                if (PropertyName { facet: None, ..parts }) == own {
                    facets.extend(parts.facet.map(|facet| (Name::from(facet), other)));
                }
            }
            facets.sort_by_key(|(facet, _)| facet.clone());
            facets.iter().for_each(|(facet, of)| value.set_meta_of_all(facet, &of.value));
            let value = value.into_value().unwrap_or_default();
            wanted.push(Field { key: field.key, value });
        }
        wanted
    }
}

/// The first of the languages that is there.
fn first<'a>(wanted: &[Language], there: &[Option<&'a str>]) -> Option<Option<&'a str>> {
    wanted.iter().find_map(|language| match language {
        Language::Tag(tag) => there.iter().find(|there| **there == Some(tag)).copied(),
        Language::Any => there.first().copied(),
    })
}
