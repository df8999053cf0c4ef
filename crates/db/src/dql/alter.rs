//! `dql.alter`: the schema of a graph changes. What data has to go with it is removed by the plan that calls.

use std::collections::BTreeSet;
use std::sync::Arc;

use millrace_dql::schema::{
    self, ALTERED_NOTE, GraphSchema, Kind, OWN_NOTE, PREDICATE_NOTE, Predicate, TYPE_NOTE,
};
use millrace_dql::tree::{PredicateSchema, SchemaItem};
use millrace_engine::Context;
use millrace_engine::procedures::{Arguments, Procedure, Yielded};
use millrace_model::schema::{IndexDefinition, IndexKind, KeyMethod};
use millrace_model::{
    Catalog, CatalogChange, Column, Error, ErrorKind, IndexId, KeyId, Owner, PropertyName, Result,
};
use millrace_plan::{Signature, ValueType};
use millrace_store::{NameKind, non_blocking};

use super::indexes::indexes_of;
use super::schema::languages_of;
use crate::limits::LANGUAGES_INDEXED_MAX;
use crate::settings::{DeclaredIndex, IndexForm};

/// The procedure.
pub(super) struct Alter;

impl Procedure for Alter {
    fn signature(&self) -> Signature {
        let description = "Changes the schema of DQL: `schema` with its text, `predicate` or `type` with \
                           a name. Data is not removed.";
        Signature::reading("dql.alter", description)
            .argument("operation", ValueType::Text)
            .argument("argument", ValueType::Text)
            .writing()
    }

    fn call(&self, columns: &[Arc<Column>], len: usize, context: &Context) -> Result<Yielded> {
        non_blocking::would_block()?;
        for row in 0..len {
            let arguments = Arguments { columns, row };
            let (operation, argument) = (arguments.must_text(0)?, arguments.must_text(1)?);
            match &*operation {
                "schema" => set_schema(&argument, context)?,
                "predicate" => drop_predicate(&argument, context)?,
                "type" => drop_type(&argument, context)?,
                other => {
                    let detail = format!("there is no operation `{other}`");
                    return Err(Error::new(ErrorKind::BadQuery, detail));
                }
            }
        }
        Ok(Yielded::void(len))
    }
}

/// Sets the predicates and types of a text.
fn set_schema(text: &str, context: &Context) -> Result<()> {
    let mut items = millrace_dql::parse_schema(text)?.items;
    items.retain(|item| !schema::is_of_dgraph(item));
    let mut changes: Vec<CatalogChange> = first_names(&context.catalog()).into_iter().collect();
    // A key that is new with the statements says nothing of what was there.
    let before = GraphSchema::of(&context.catalog());
    intern_keys(&items, context)?;
    let mut types = BTreeSet::new();
    for item in &items {
        match item {
            SchemaItem::Predicate(statement) => {
                let name = &statement.predicate.text;
                let predicate = Predicate::checked(statement, text)?;
                let known = before.predicate(name);
                let is_list = known.as_ref().is_some_and(|own| own.is_declared && own.is_list);
                if is_list && !predicate.is_list {
                    let detail = format!(
                        "Type can't be changed from list to scalar for attr: [{name}] without dropping it first."
                    );
                    return Err(Error::new(ErrorKind::BadQuery, detail));
                }
                let declared = known.as_ref().filter(|own| own.is_declared);
                let was_secret = declared.map(|own| own.kind == Kind::Password);
                if was_secret.is_some_and(|own| own != (predicate.kind == Kind::Password)) {
                    let detail = format!(
                        "Schema change not allowed for attr: [{name}]: a password stays one, and nothing else becomes one"
                    );
                    let help = "drop the predicate first (`drop_attr`)";
                    return Err(Error::new(ErrorKind::BadQuery, detail).with_help(help));
                }
                if known.is_some_and(|known| known.kind != predicate.kind && !known.is_edge()) {
                    let note = format!("{ALTERED_NOTE}{name}").into();
                    changes.push(CatalogChange::SetNote(note, Some(Arc::from("altered"))));
                }
                let note = format!("{PREDICATE_NOTE}{name}").into();
                changes.push(CatalogChange::SetNote(note, Some(predicate.to_string().into())));
                changes.extend(index_changes(name, Some(statement), context)?);
            }
            SchemaItem::Type(own) => {
                schema::check_type(own, text)?;
                if !types.insert(own.name.text.as_str()) {
                    let detail = format!("the type {} stands in the schema twice", own.name.text);
                    return Err(Error::new(ErrorKind::BadQuery, detail));
                }
                let note = format!("{TYPE_NOTE}{}", own.name.text).into();
                let fields: Vec<&str> =
                    own.fields.iter().map(|field| field.predicate.text.as_str()).collect();
                changes.push(CatalogChange::SetNote(note, Some(fields.join("\n").into())));
            }
        }
    }
    context.transaction()?.change_schema(&changes).map(drop)
}

/// The note on a graph that has no names yet: DQL makes the first.
pub(super) fn first_names(catalog: &Catalog) -> Option<CatalogChange> {
    let is_empty = catalog.keys.is_empty() && catalog.edge_types.is_empty();
    is_empty.then(own_note)
}

/// The same on a graph that was loaded with a schema, with the notes of its predicates: if all its edge types have one, it
/// is of no other language.
pub(crate) fn loaded_names(catalog: &Catalog, notes: &[CatalogChange]) -> Option<CatalogChange> {
    let named = notes.iter().filter_map(|change| match change {
        CatalogChange::SetNote(name, Some(_)) => name.strip_prefix(PREDICATE_NOTE),
        _ => None,
    });
    let named: BTreeSet<&str> = named.collect();
    let is_own = !catalog.notes.contains_key(OWN_NOTE)
        && catalog.edge_types.iter().all(|name| named.contains(&**name));
    is_own.then(own_note)
}

fn own_note() -> CatalogChange {
    CatalogChange::SetNote(Arc::from(OWN_NOTE), Some(Arc::from("")))
}

/// The notes of a graph that are left where its schema goes, and the one that says so.
pub(crate) fn notes_without_schema(catalog: &Catalog) -> Vec<CatalogChange> {
    let is_schema = |name: &str| {
        [PREDICATE_NOTE, TYPE_NOTE, ALTERED_NOTE].iter().any(|prefix| name.starts_with(prefix))
    };
    let left = catalog.notes.iter().filter(|(name, _)| !is_schema(name));
    let set = |(name, text): (&Arc<str>, &Arc<str>)| {
        CatalogChange::SetNote(Arc::clone(name), Some(Arc::clone(text)))
    };
    left.map(set).chain([own_note()]).collect()
}

/// Whether an index is one of a predicate's statement. Those of labels, and unique ones without `@unique`, belong to others.
pub(crate) fn serves_predicate(catalog: &Arc<Catalog>, index: &IndexDefinition) -> bool {
    let [key] = index.keys.as_slice() else { return false };
    let Some(name) = catalog.keys.name(key.0) else { return false };
    let own = PropertyName::of(name);
    let known = GraphSchema::of(catalog).predicate(own.key).filter(|known| known.is_declared);
    let is_of_dql = |unique: bool| index.kind != IndexKind::Unique || unique;
    index.owner == Owner::AllVertices
        && own.facet.is_none()
        && known.is_some_and(|known| is_of_dql(known.is_unique))
}

fn drop_predicate(name: &str, context: &Context) -> Result<()> {
    let notes = [PREDICATE_NOTE, ALTERED_NOTE].map(|prefix| format!("{prefix}{name}").into());
    let mut changes: Vec<CatalogChange> =
        notes.map(|note| CatalogChange::SetNote(note, None)).into();
    changes.extend(index_changes(name, None, context)?);
    context.transaction()?.change_schema(&changes).map(drop)
}

fn drop_type(name: &str, context: &Context) -> Result<()> {
    let change = CatalogChange::SetNote(format!("{TYPE_NOTE}{name}").into(), None);
    context.transaction()?.change_schema(&[change]).map(drop)
}

/// The changes that give a predicate the indexes of its statement, in the languages that it has values in, and no others.
/// Those of labels, and unique ones without `@unique`, belong to others.
fn index_changes(
    name: &str,
    statement: Option<&PredicateSchema>,
    context: &Context,
) -> Result<Vec<CatalogChange>> {
    let catalog = context.catalog();
    let wanted = match statement {
        Some(own) => indexes_in_languages(own, &catalog)?,
        None => Vec::new(),
    };
    let Wanted { keep, changes } = wanted_indexes(&wanted, context)?;
    let own_key = |key: &KeyId| {
        let stored = catalog.keys.name(key.0).map(|stored| PropertyName::of(stored));
        stored.is_some_and(|own| own.key == name && own.facet.is_none())
    };
    let was_unique = GraphSchema::of(&catalog).predicate(name).is_some_and(|own| own.is_unique);
    let is_left = |known: &&IndexDefinition| {
        let is_single = matches!(known.keys.as_slice(), [key] if own_key(key));
        let is_of_dql = known.kind != IndexKind::Unique || was_unique;
        is_single && is_of_dql && !keep.contains(&known.id)
    };
    let left = catalog.maintained_of(Owner::AllVertices).filter(is_left);
    let mut all: Vec<CatalogChange> =
        left.map(|known| CatalogChange::DropIndex(known.id)).collect();
    all.extend(changes);
    Ok(all)
}

/// The indexes of a statement, in the languages that its predicate has values in.
fn indexes_in_languages(own: &PredicateSchema, catalog: &Catalog) -> Result<Vec<DeclaredIndex>> {
    let has_languages = own.directives.iter().any(|directive| directive.name.text == "lang");
    let languages = match has_languages {
        true => languages_of(catalog, &own.predicate.text),
        false => Vec::new(),
    };
    let languages = languages.get(..LANGUAGES_INDEXED_MAX).unwrap_or(&languages);
    Ok(indexes_of(own, languages)?.indexes)
}

/// Gives the keys of all indexes their numbers together: each new name makes a new catalog, and its schema is read anew.
fn intern_keys(items: &[SchemaItem], context: &Context) -> Result<()> {
    let catalog = context.catalog();
    let of_item = |item: &SchemaItem| match item {
        // What is wrong with a statement is said where its own change is made.
        SchemaItem::Predicate(own) => indexes_in_languages(own, &catalog).unwrap_or_default(),
        SchemaItem::Type(_) => Vec::new(),
    };
    let indexes: Vec<DeclaredIndex> = items.iter().flat_map(of_item).collect();
    let names: BTreeSet<&str> =
        indexes.iter().flat_map(|index| &index.keys).map(|key| &**key).collect();
    let names: Vec<(NameKind, &str)> =
        names.into_iter().map(|name| (NameKind::Key, name)).collect();
    context.transaction()?.intern(&names).map(drop)
}

/// Indexes that are wanted, by what is there.
pub(super) struct Wanted {
    /// Those that are there.
    keep: Vec<IndexId>,
    /// The changes that make the others.
    pub(super) changes: Vec<CatalogChange>,
}

/// Which of some indexes are there, and the changes that make the others.
pub(super) fn wanted_indexes(wanted: &[DeclaredIndex], context: &Context) -> Result<Wanted> {
    let (mut keep, mut changes) = (Vec::new(), Vec::new());
    for index in wanted {
        for key in &index.keys {
            let key = intern(key, context)?;
            let own = context.catalog();
            let definition = match &index.form {
                IndexForm::Kind(kind) => IndexDefinition::new(Owner::AllVertices, vec![key], *kind),
                IndexForm::Method(method) => {
                    IndexDefinition::made(Owner::AllVertices, vec![key], KeyMethod(method.clone()))
                }
            };
            let is_same = |known: &&IndexDefinition| {
                known.keys == [key]
                    && known.kind == definition.kind
                    && known.method == definition.method
            };
            match own.maintained_of(Owner::AllVertices).find(is_same) {
                Some(known) => keep.push(known.id),
                None => changes.push(CatalogChange::CreateIndex(definition)),
            }
        }
    }
    Ok(Wanted { keep, changes })
}

fn intern(name: &str, context: &Context) -> Result<KeyId> {
    let numbers = context.transaction()?.intern(&[(NameKind::Key, name)])?;
    let number = numbers.first().copied();
    number.map(KeyId).ok_or_else(|| Error::new(ErrorKind::Bug, "a name without a number"))
}
