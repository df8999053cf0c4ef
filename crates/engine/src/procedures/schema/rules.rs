//! The rules of a catalog, and the changes of the catalog that make or end one.

use std::collections::BTreeSet;

use millrace_model::schema::{IndexDefinition, IndexKind, PropertyDefinition};
use millrace_model::{
    Catalog, CatalogChange, EdgeTypeId, Error, ErrorKind, IndexId, KeyId, LabelId, Owner,
    PropertyType, Result,
};
use millrace_plan::{Name, OwnerName, WriteCounts};
use millrace_store::{NameKind, constraint, non_blocking};

use super::made::Made;
use super::rule::{
    Rule, What, beginning, beginning_of_several, hash, is_generated, owner_name, owner_of,
};
use crate::context::Context;

/// Notes of this name in front hold rules.
const NOTES: &str = constraint::RULE_NOTES;

/// A rule with its name.
#[derive(Clone, Debug)]
pub(super) struct Named {
    pub(super) name: Name,
    pub(super) rule: Rule,
}

/// The rules that hold, by name.
pub(super) fn rules(catalog: &Catalog) -> Vec<Named> {
    let of_indexes = catalog.maintained_indexes().map(|index| index.owner);
    let owners = of_indexes.chain(catalog.enforced_properties().map(|property| property.owner));
    let owners: BTreeSet<Owner> = owners.collect();
    let mut found: Vec<Named> =
        owners.into_iter().flat_map(|owner| rules_of(catalog, owner)).collect();
    found.sort_by(|one, other| one.name.cmp(&other.name));
    // A rule of several labels is one of each of them.
    found.dedup_by(|one, other| one.name == other.name);
    found
}

/// The rules of an owner that hold.
pub(super) fn rules_of(catalog: &Catalog, owner: Owner) -> Vec<Named> {
    let Some(name) = owner_name(catalog, owner) else { return Vec::new() };
    let mut found = Vec::new();
    // Few kinds can hold for one owner, and the notes of all are many.
    let of_made = made_of(catalog, owner).into_iter().map(What::Made);
    for what in What::plain().chain(of_made).filter(|what| can_hold(catalog, owner, *what)) {
        let notes = |beginning: String| {
            let notes = catalog.notes.with_text_from(&beginning);
            notes.filter_map(|(note, text)| noted(catalog, note, text)).collect::<Vec<_>>()
        };
        found.extend(notes(beginning(what, &name)));
        if let What::Made(Made::Fulltext(_)) = what {
            let is_relationship = matches!(name, OwnerName::EdgeType(_));
            let several = notes(beginning_of_several(what, is_relationship)).into_iter();
            found.extend(several.filter(|named| named.rule.owners.contains(&name)));
        }
    }
    let unnamed: Vec<Rule> = definitions(catalog, owner)
        .filter(|rule| !found.iter().any(|named| covers(&named.rule, rule)))
        .collect();
    found.extend(unnamed.into_iter().map(|rule| Named { name: rule.generated_name(), rule }));
    found
}

/// What the indexes of made keys of an owner find, each once.
fn made_of(catalog: &Catalog, owner: Owner) -> Vec<Made> {
    let mut found: Vec<Made> = Vec::new();
    for index in catalog.maintained_of(owner) {
        let made = index.method.as_ref().and_then(Made::of_method);
        found.extend(made.filter(|made| !found.contains(made)));
    }
    found
}

/// The rule of a name, if it holds. Only a name that may be a generated one is looked for among the rules without notes.
pub(super) fn rule_named(catalog: &Catalog, name: &str) -> Option<Named> {
    let note = Name::from(format!("{NOTES}{name}"));
    let known = catalog.notes.get(&note).and_then(|text| noted(catalog, &note, text));
    let unnamed = || rules(catalog).into_iter().find(|named| *named.name == *name);
    known.or_else(|| is_generated(name).then(unnamed).flatten())
}

/// The rules that one may be at odds with: those of its owner, and the one of its name. A generated name is taken by
/// its own rule, which is among these, or by that of a note.
pub(super) fn rules_beside(catalog: &Catalog, named: &Named) -> Vec<Named> {
    let mut beside = rules_of_all(catalog, &named.rule);
    if beside.iter().all(|own| own.name != named.name) {
        let note = Name::from(format!("{NOTES}{}", named.name));
        let other = match named.name == named.rule.generated_name() {
            true => catalog.notes.get(&note).and_then(|text| noted(catalog, &note, text)),
            false => rule_named(catalog, &named.name),
        };
        beside.extend(other);
    }
    beside
}

/// The rules of each label or type of a rule.
pub(super) fn rules_of_all(catalog: &Catalog, rule: &Rule) -> Vec<Named> {
    let owners = rule.owners.iter().filter_map(|owner| owner_of(catalog, owner));
    let mut found: Vec<Named> = owners.flat_map(|owner| rules_of(catalog, owner)).collect();
    found.sort_by(|one, other| one.name.cmp(&other.name));
    found.dedup_by(|one, other| one.name == other.name);
    found
}

/// The rule of a note, if it is one and holds.
fn noted(catalog: &Catalog, note: &str, text: &str) -> Option<Named> {
    let name = Name::from(note.strip_prefix(NOTES)?);
    let rule = Rule::parse(text)?;
    holds(catalog, &rule).then_some(Named { name, rule })
}

/// Each definition of an owner as a rule.
fn definitions(catalog: &Catalog, owner: Owner) -> impl Iterator<Item = Rule> {
    let key = |key: &KeyId| catalog.keys.name(key.0).cloned();
    let indexes = catalog.maintained_of(owner).filter(|index| !index.is_of_external_ids());
    let indexes = indexes.filter_map(move |index| {
        let what = match index.kind {
            IndexKind::Unique => What::Unique,
            IndexKind::Exact => What::Exact,
            IndexKind::Range => What::Range,
            IndexKind::Made => What::Made(Made::of_method(index.method.as_ref()?)?),
        };
        let keys = index.keys.iter().map(key).collect::<Option<_>>()?;
        Some(Rule::of(what, owner_name(catalog, index.owner)?, keys))
    });
    let properties = catalog.enforced_of(owner).flat_map(move |property| {
        let of = |what| {
            let (owner, key) = (owner_name(catalog, property.owner)?, key(&property.key)?);
            Some(Rule::of(what, owner, vec![key]))
        };
        let exists = property.required.then(|| of(What::Exists)).flatten();
        let is_typed = property.kind != PropertyType::Any;
        exists.into_iter().chain(is_typed.then(|| of(What::Type(property.kind))).flatten())
    });
    indexes.chain(properties)
}

/// Whether a rule needs the definition that another one stands for.
fn covers(rule: &Rule, defined: &Rule) -> bool {
    if !defined.owners.iter().all(|owner| rule.owners.contains(owner)) {
        return false;
    }
    match defined.what {
        What::Exists => rule.what.requires() && rule.keys.contains(&defined.keys[0]),
        What::Type(_) => rule.what == defined.what && rule.keys == defined.keys,
        What::Exact | What::Range | What::Made(_) | What::Unique | What::Key => {
            has_index_of(rule.what, defined.what) && rule.keys == defined.keys
        }
    }
}

/// Whether two kinds need the same index.
fn has_index_of(one: What, other: What) -> bool {
    (one.index(), one.method()) == (other.index(), other.method())
}

/// Whether the catalog has the definitions that a rule needs.
fn holds(catalog: &Catalog, rule: &Rule) -> bool {
    let holds_of =
        |owner| owner_of(catalog, owner).is_some_and(|own| holds_for(catalog, own, rule));
    rule.owners.iter().all(holds_of)
}

fn holds_for(catalog: &Catalog, owner: Owner, rule: &Rule) -> bool {
    let Some(keys) = rule.keys.iter().map(|key| catalog.key(key)).collect::<Option<Vec<_>>>()
    else {
        return false;
    };
    let has_index =
        rule.what.index().is_none() || index_of(catalog, owner, &keys, rule.what).is_some();
    let has_property = |key: &KeyId| {
        let property = property_of(catalog, owner, *key);
        match rule.what {
            What::Key | What::Exists => property.is_some_and(|own| own.required),
            What::Type(kind) => property.is_some_and(|own| own.kind == kind),
            What::Exact | What::Range | What::Made(_) | What::Unique => true,
        }
    };
    has_index && keys.iter().all(has_property)
}

/// Whether an owner has definitions of the kinds that a rule of this kind needs.
fn can_hold(catalog: &Catalog, owner: Owner, what: What) -> bool {
    let has_index = |kind| {
        // Most owners have no made index, and methods are texts.
        let is_meant = |index: &IndexDefinition| {
            index.kind == kind && (kind != IndexKind::Made || index.method == what.method())
        };
        catalog.maintained_of(owner).any(is_meant)
    };
    let has_property =
        |is_meant: &dyn Fn(&PropertyDefinition) -> bool| catalog.enforced_of(owner).any(is_meant);
    what.index().is_none_or(has_index)
        && match what {
            What::Key | What::Exists => has_property(&|own| own.required),
            What::Type(kind) => has_property(&|own| own.kind == kind),
            What::Exact | What::Range | What::Made(_) | What::Unique => true,
        }
}

/// The indexes of a rule, one of each label or type; none if it needs none, or the catalog lacks one.
pub(super) fn indexes_of(catalog: &Catalog, rule: &Rule) -> Vec<IndexId> {
    let keys = rule.keys.iter().map(|key| catalog.key(key)).collect::<Option<Vec<_>>>();
    let of = |owner| index_of(catalog, owner_of(catalog, owner)?, keys.as_ref()?, rule.what);
    rule.owners.iter().map(of).collect::<Option<_>>().unwrap_or_default()
}

/// Whether the index of a rule is for use already; `None` if it needs none.
pub(super) fn index_state(catalog: &Catalog, rule: &Rule) -> Option<bool> {
    let indexes = indexes_of(catalog, rule);
    let is_ready = |id| catalog.indexes.get(id).is_some();
    (!indexes.is_empty()).then(|| indexes.iter().all(is_ready))
}

fn index_of(catalog: &Catalog, owner: Owner, keys: &[KeyId], what: What) -> Option<IndexId> {
    let (kind, method) = (what.index()?, what.method());
    let is_meant = |index: &&IndexDefinition| {
        (&*index.keys, index.kind, &index.method) == (keys, kind, &method)
    };
    catalog.maintained_of(owner).find(is_meant).map(|index| index.id)
}

fn property_of(catalog: &Catalog, owner: Owner, key: KeyId) -> Option<&PropertyDefinition> {
    catalog.enforced_of(owner).find(|property| property.key == key)
}

/// Makes a rule: its note, and the definitions that are not there yet.
pub(super) fn make(named: &Named, context: &Context) -> Result<()> {
    non_blocking::would_block()?;
    let Named { name, rule } = named;
    let owners = rule.owners.iter().map(|owner| match owner {
        OwnerName::Label(name) => {
            intern(NameKind::Label, name, context).map(|own| Owner::Label(LabelId(own)))
        }
        OwnerName::EdgeType(name) => {
            intern(NameKind::EdgeType, name, context).map(|own| Owner::EdgeType(EdgeTypeId(own)))
        }
        OwnerName::AllVertices => Ok(Owner::AllVertices),
    });
    let owners = owners.collect::<Result<Vec<_>>>()?;
    let keys = rule.keys.iter().map(|key| intern(NameKind::Key, key, context).map(KeyId));
    let keys = keys.collect::<Result<Vec<_>>>()?;
    let catalog = context.catalog();
    let note = Name::from(format!("{NOTES}{name}"));
    // A note marks no conflict: of two that make one name at once, the second must see the first.
    context.transaction()?.claim([u64::from(hash(&note))])?;
    let text: Name = rule.text().into();
    // A build that a crash ended leaves its name behind.
    let same = catalog.notes.with_text_from(&text);
    let left = same.filter(|(other, own)| **own == text && **other != note);
    let left = left.map(|(other, _)| CatalogChange::SetNote(other.clone(), None));
    let mut changes: Vec<CatalogChange> = left.collect();
    changes.push(CatalogChange::SetNote(note, Some(text.clone())));
    for owner in owners {
        changes.extend(keys.iter().filter_map(|key| new_property(&catalog, rule, owner, *key)));
        if let Some(kind) = rule.what.index()
            && index_of(&catalog, owner, &keys, rule.what).is_none()
        {
            let keys = keys.clone();
            changes.push(CatalogChange::CreateIndex(match rule.what.method() {
                Some(method) => IndexDefinition::made(owner, keys, method),
                None => IndexDefinition::new(owner, keys, kind),
            }));
        }
    }
    context.transaction()?.change_schema(&changes).map_err(|error| match error.kind {
        ErrorKind::Constraint => {
            let shown = rule.described(name);
            let why = match &error.violation {
                Some(violation) => violation.to_string(),
                None => error.detail.clone(),
            };
            let detail = format!(
                "Unable to create {shown}:\n{why}. Note that only the first found violation is shown."
            );
            Error { detail, violation: None, ..error }.with_name("ConstraintCreationFailed")
        }
        ErrorKind::BadInput | ErrorKind::LimitReached if !rule.what.is_constraint() => {
            constraint::of_build(name, error)
        }
        _ => error,
    })?;
    context.count_writes(match rule.what.is_constraint() {
        true => WriteCounts { constraints_added: 1, ..WriteCounts::default() },
        false => WriteCounts { indexes_added: 1, ..WriteCounts::default() },
    });
    context.refresh_catalog();
    Ok(())
}

/// The property that a rule needs and the catalog lacks.
fn new_property(catalog: &Catalog, rule: &Rule, owner: Owner, key: KeyId) -> Option<CatalogChange> {
    let before = property_of(catalog, owner, key);
    let (kind, required) =
        before.map_or((PropertyType::Any, false), |own| (own.kind, own.required));
    let kind = if let What::Type(kind) = rule.what { kind } else { kind };
    let required = required || rule.what.requires();
    let now = PropertyDefinition { owner, key, kind, required };
    let is_needed = rule.what.requires() || matches!(rule.what, What::Type(_));
    (is_needed && before != Some(&now)).then_some(CatalogChange::CreateProperty(now))
}

/// Ends a rule: its note, and the definitions that no other rule needs.
pub(super) fn end(named: &Named, context: &Context) -> Result<()> {
    non_blocking::would_block()?;
    let Named { name, rule } = named;
    let catalog = context.catalog();
    let of_owners = rules_of_all(&catalog, rule).into_iter();
    let others: Vec<Rule> = of_owners.filter(|own| own.name != *name).map(|own| own.rule).collect();
    let mut changes = Vec::new();
    let note = Name::from(format!("{NOTES}{name}"));
    if catalog.notes.contains_key(&note) {
        changes.push(CatalogChange::SetNote(note, None));
    }
    for owner in &rule.owners {
        changes.extend(ended_index(&catalog, rule, owner, &others));
        let keys = rule.keys.iter().filter_map(|name| Some((name, catalog.key(name)?)));
        changes.extend(keys.filter_map(|key| ended_property(&catalog, rule, owner, key, &others)));
    }
    context.transaction()?.change_schema(&changes)?;
    context.count_writes(match rule.what.is_constraint() {
        true => WriteCounts { constraints_removed: 1, ..WriteCounts::default() },
        false => WriteCounts { indexes_removed: 1, ..WriteCounts::default() },
    });
    context.refresh_catalog();
    Ok(())
}

fn ended_index(
    catalog: &Catalog,
    rule: &Rule,
    owner: &OwnerName,
    others: &[Rule],
) -> Option<CatalogChange> {
    let own = Rule::of(rule.what, owner.clone(), rule.keys.clone());
    let is_needed = others.iter().any(|other| covers(other, &own));
    let keys = rule.keys.iter().map(|key| catalog.key(key)).collect::<Option<Vec<_>>>()?;
    let id = index_of(catalog, owner_of(catalog, owner)?, &keys, rule.what)?;
    (!is_needed).then_some(CatalogChange::DropIndex(id))
}

fn ended_property(
    catalog: &Catalog,
    rule: &Rule,
    owner_name: &OwnerName,
    (name, key): (&Name, KeyId),
    others: &[Rule],
) -> Option<CatalogChange> {
    let owner = owner_of(catalog, owner_name)?;
    let before = property_of(catalog, owner, key)?;
    let is_own = |other: &&Rule| other.owners.contains(owner_name) && other.keys.contains(name);
    let others: Vec<&Rule> = others.iter().filter(is_own).collect();
    let kind = others.iter().find_map(|other| match other.what {
        What::Type(kind) => Some(kind),
        What::Exact | What::Range | What::Made(_) | What::Unique | What::Key | What::Exists => None,
    });
    let required = others.iter().any(|other| other.what.requires());
    let now = PropertyDefinition { owner, key, kind: kind.unwrap_or(PropertyType::Any), required };
    let touches = rule.what.requires() || matches!(rule.what, What::Type(_));
    if !touches || *before == now {
        return None;
    }
    Some(match kind.is_none() && !required {
        true => CatalogChange::DropProperty(owner, key),
        false => CatalogChange::CreateProperty(now),
    })
}

fn intern(kind: NameKind, name: &Name, context: &Context) -> Result<u32> {
    let numbers = context.transaction()?.intern(&[(kind, name)])?;
    context.refresh_catalog();
    let bug = || Error::new(ErrorKind::Bug, "a store numbers each name it is asked for");
    numbers.first().copied().ok_or_else(bug)
}
