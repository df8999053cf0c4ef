//! `apoc.meta.data`: a row for each property of a label or a type, and for each type of relationships of a label.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use millrace_model::schema::IndexDefinition;
use millrace_model::{Catalog, Column, Owner, Result, Value};
use millrace_plan::{Name, Signature, ValueType};

use super::survey::{Kind, Property, Survey, Wanted, apoc_type, integer, list};
use crate::context::{Arguments, Context, Procedure, Yielded};

/// See the file.
pub(super) struct Data;

/// What the catalog says of a property.
#[derive(Clone, Copy, Default)]
pub(super) struct Declared {
    pub(super) is_unique: bool,
    pub(super) is_indexed: bool,
    pub(super) is_required: bool,
}

/// Relationships of a type that nodes with a label have in one direction.
#[derive(Clone, Default)]
pub(super) struct Links {
    pub(super) count: u64,
    pub(super) are_several: bool,
    /// The labels at the other end.
    pub(super) others: BTreeSet<Name>,
}

impl Declared {
    pub(super) fn of(catalog: &Catalog, owner: Option<Owner>, key: &str) -> Declared {
        let (Some(owner), Some(key)) = (owner, catalog.key(key)) else {
            return Declared::default();
        };
        let indexes = || catalog.indexes.of_owner(owner);
        let alone = |own: &IndexDefinition| own.keys == [key];
        Declared {
            is_unique: indexes().any(|own| own.is_unique() && alone(own)),
            is_indexed: indexes().any(|own| own.keys.contains(&key)),
            is_required: catalog.property(owner, key).is_some_and(|own| own.required),
        }
    }
}

/// The label of a name, as an owner.
pub(super) fn label(catalog: &Catalog, name: &str) -> Option<Owner> {
    catalog.label(name).map(Owner::Label)
}

/// The type of a name, as an owner.
pub(super) fn edge_type(catalog: &Catalog, name: &str) -> Option<Owner> {
    catalog.edge_type(name).map(Owner::EdgeType)
}

/// The relationships that lead out of each label, or into it, by type.
pub(super) fn links(survey: &Survey, out: bool) -> BTreeMap<(Name, Name), Links> {
    let mut all: BTreeMap<(Name, Name), Links> = BTreeMap::new();
    for between in &survey.relationships {
        let (own, others) = match out {
            true => (&between.sources, &between.targets),
            false => (&between.targets, &between.sources),
        };
        for name in own {
            let links = all.entry((name.clone(), between.edge_type.clone())).or_default();
            links.count += between.kind.count;
            links.are_several |= out && between.are_several;
            links.others.extend(others.iter().cloned());
        }
    }
    all
}

/// The type of a property's values; ANY where they have several.
pub(super) fn type_of(property: &Property) -> &str {
    match property.types.as_slice() {
        [only] => apoc_type(only),
        _ => "ANY",
    }
}

fn text(text: &str) -> Value {
    Value::from(text)
}

/// The rows of the properties of a label or type.
fn of_properties(
    (name, owner): (&Name, Option<Owner>),
    (kind, others): (&Kind, &[Name]),
    element: &str,
    catalog: &Catalog,
) -> Vec<Vec<Value>> {
    let rows = kind.properties.iter().map(|(key, property)| {
        let declared = Declared::of(catalog, owner, key);
        let kind = type_of(property);
        vec![
            Value::String(name.clone()),
            Value::String(key.clone()),
            integer(property.count),
            Value::Bool(declared.is_unique),
            Value::Bool(declared.is_indexed),
            Value::Bool(declared.is_required),
            text(kind),
            Value::Bool(kind == "LIST"),
            Value::Null,
            Value::Null,
            Value::Null,
            list(&[]),
            list(others),
            text(element),
        ]
    });
    rows.collect()
}

/// The row of the relationships between a label and others.
fn of_links(name: &Name, key: &Name, links: &Links, element: &str) -> Vec<Value> {
    let others: Vec<Name> = links.others.iter().cloned().collect();
    let no = || Value::Bool(false);
    vec![
        Value::String(name.clone()),
        Value::String(key.clone()),
        integer(links.count),
        no(),
        no(),
        no(),
        text("RELATIONSHIP"),
        Value::Bool(links.are_several),
        Value::Null,
        Value::Null,
        Value::Null,
        list(&others),
        list(&[]),
        text(element),
    ]
}

impl Procedure for Data {
    fn signature(&self) -> Signature {
        let description = "The properties and relationships of labels and types, as a reading of the whole graph \
                           finds them; `sample`, `left` and `right` are null.";
        Signature::reading("apoc.meta.data", description)
            .optional("config", ValueType::Map)
            .yields("label", ValueType::Text)
            .yields("property", ValueType::Text)
            .yields("count", ValueType::Integer)
            .yields("unique", ValueType::Boolean)
            .yields("index", ValueType::Boolean)
            .yields("existence", ValueType::Boolean)
            .yields("type", ValueType::Text)
            .yields("array", ValueType::Boolean)
            .yields("sample", ValueType::List)
            .yields("left", ValueType::Integer)
            .yields("right", ValueType::Integer)
            .yields("other", ValueType::List)
            .yields("otherLabels", ValueType::List)
            .yields("elementType", ValueType::Text)
    }

    fn call(&self, columns: &[Arc<Column>], len: usize, context: &Context) -> Result<Yielded> {
        let (catalog, survey) = (context.catalog(), Survey::of_all(context)?);
        let (labels, types, out) = (survey.by_label(), survey.by_type(), links(&survey, true));
        let all = (0..len).map(|row| {
            let wanted = Wanted::of(&Arguments { columns, row }.value(0))?;
            let mut rows = Vec::new();
            for (name, (kind, others)) in labels.iter().filter(|(name, _)| wanted.has_label(name)) {
                let owner = label(&catalog, name);
                rows.extend(of_properties((name, owner), (kind, others), "node", &catalog));
            }
            for ((name, key), links) in &out {
                if wanted.has_label(name) && wanted.has_type(key) {
                    rows.push(of_links(name, key, links, "node"));
                }
            }
            for (name, kind) in types.iter().filter(|(name, _)| wanted.has_type(name)) {
                let owner = edge_type(&catalog, name);
                rows.extend(of_properties((name, owner), (kind, &[]), "relationship", &catalog));
            }
            for ((key, name), links) in &out {
                if wanted.has_label(key) && wanted.has_type(name) {
                    rows.push(of_links(name, key, links, "relationship"));
                }
            }
            Ok(rows)
        });
        Yielded::of_rows(self.signature().columns.len(), all)
    }
}
