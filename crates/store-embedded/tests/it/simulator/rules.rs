//! Definitions of properties: the demand of each schema change, and the elements that break it.
//!
//! Values that break a type are rare, and values that are missing are not. So some schema changes
//! fail on the data, some hold and are broken later, and some are satisfied by the transaction that
//! makes them.

use millrace_model::schema::PropertyDefinition;
use millrace_model::{Catalog, PropertyType};

use super::model::Model;
use super::schema::{Key, Names, Of, Sort, sort};

/// A schema change of a property.
#[derive(Debug)]
pub(super) struct Rule {
    pub(super) of: Of,
    pub(super) key: Key,
    kind: PropertyType,
    is_required: bool,
}

/// No two are of one owner and key.
pub(super) const RULES: [Rule; 6] = [
    Rule { of: Of::Label(0), key: Key::Age, kind: PropertyType::Integer, is_required: false },
    Rule { of: Of::Label(0), key: Key::Name, kind: PropertyType::String, is_required: true },
    Rule { of: Of::Label(1), key: Key::Age, kind: PropertyType::Any, is_required: true },
    Rule { of: Of::Vertices, key: Key::Age, kind: PropertyType::Integer, is_required: false },
    Rule { of: Of::Type(0), key: Key::Weight, kind: PropertyType::Integer, is_required: false },
    Rule { of: Of::Type(1), key: Key::Weight, kind: PropertyType::Integer, is_required: true },
];

impl Rule {
    /// The elements that are not as it demands.
    pub(super) fn breaches(&self, model: &Model) -> Vec<u64> {
        let breaks = |value: Option<i64>| match value {
            None => self.is_required,
            Some(number) => {
                self.kind == PropertyType::Integer && sort(self.key, number) != Sort::Number
            }
        };
        let owned = model.owned(self.of, &[self.key]).into_iter();
        owned.filter(|(_, values)| breaks(values[0])).map(|(id, _)| id).collect()
    }
}

impl Names {
    /// The schema change of one of [`RULES`].
    pub(super) fn rule(&self, rule: usize) -> PropertyDefinition {
        let Rule { of, key, kind, is_required } = &RULES[rule];
        let (owner, key) = (self.owner(*of), self.key(*key));
        PropertyDefinition { owner, key, kind: *kind, required: *is_required }
    }

    /// Which of [`RULES`] a catalog has.
    pub(super) fn rules_of(&self, catalog: &Catalog) -> impl Iterator<Item = usize> {
        (0..RULES.len()).filter(|rule| catalog.properties.contains(&self.rule(*rule)))
    }
}
