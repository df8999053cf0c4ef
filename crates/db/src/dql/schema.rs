//! The text of a schema as what a load needs of it. Dgraph's own predicates and types (`dgraph.…`), which exports have,
//! are left out: they are no user's.

use std::collections::BTreeSet;
use std::sync::Arc;

use millrace_dql::parse_schema;
use millrace_dql::tree::{PredicateSchema, SchemaItem, TypeSchema};
use millrace_ingest::declared::{DeclaredKind, DeclaredPredicate, DeclaredSchema};
use millrace_model::{Catalog, CatalogChange, PropertyName, Result};

use super::indexes::{PredicateIndexes, indexes_of, wrong};
use crate::limits::LANGUAGES_INDEXED_MAX;

/// How the names of notes on predicates begin; their text is the statement of the schema behind the name.
pub const PREDICATE_NOTES: &str = "definition.dql.predicate.";

/// How the names of notes on types begin; their text is a predicate a line.
pub const TYPE_NOTES: &str = "definition.dql.type.";

/// Directives that a schema may have.
const DIRECTIVES: [&str; 7] =
    ["index", "reverse", "count", "lang", "upsert", "unique", "noconflict"];

/// A schema of DQL.
#[derive(Clone, Debug)]
pub struct DqlSchema {
    predicates: Vec<(PredicateSchema, DeclaredPredicate)>,
    types: Vec<TypeSchema>,
    declared: Arc<DeclaredSchema>,
}

impl DqlSchema {
    /// Reads a schema, as `/alter` takes it and exports have it.
    pub fn parse(text: &str) -> Result<DqlSchema> {
        let (mut predicates, mut types) = (Vec::new(), Vec::new());
        let (mut namespaces, mut names) = (BTreeSet::new(), BTreeSet::new());
        for item in parse_schema(text)?.items {
            let (namespace, name) = match &item {
                SchemaItem::Predicate(own) => (&own.namespace, &own.predicate.text),
                SchemaItem::Type(own) => (&own.namespace, &own.name.text),
            };
            namespaces.extend(namespace.as_ref().map(|own| own.text.clone()));
            if DeclaredSchema::is_reserved(name) || name == "dgraph.type" {
                continue;
            }
            match item {
                SchemaItem::Predicate(own) => {
                    if !names.insert(own.predicate.text.clone()) {
                        return Err(wrong(format!(
                            "the schema declares '{}' twice",
                            own.predicate.text
                        )));
                    }
                    let declared = declared(&own)?;
                    predicates.push((own, declared));
                }
                SchemaItem::Type(own) => types.push(own),
            }
        }
        let namespace = namespace_of(&namespaces)?;
        let all = predicates.iter().map(|(_, declared)| declared.clone());
        let declared = Arc::new(DeclaredSchema::new(all, namespace));
        let schema = DqlSchema { predicates, types, declared };
        // A tokenizer that is wrong is found before anything is loaded.
        schema.predicates.iter().try_for_each(|(own, _)| indexes_of(own, &[]).map(drop))?;
        Ok(schema)
    }

    /// The names of its predicates with an index.
    pub fn indexed(&self) -> Vec<String> {
        let is_indexed = |own: &&(PredicateSchema, DeclaredPredicate)| {
            own.0.directives.iter().any(|directive| directive.name.text == "index")
        };
        let indexed = self.predicates.iter().filter(is_indexed);
        indexed.map(|(own, _)| own.predicate.text.to_string()).collect()
    }

    /// Its predicates, for a load.
    pub fn declared(&self) -> Arc<DeclaredSchema> {
        Arc::clone(&self.declared)
    }

    /// The notes of the catalog that keep it, and those of predicates that are in the data alone.
    pub fn notes(&self, undeclared: &[DeclaredPredicate]) -> Vec<CatalogChange> {
        let note = |prefix: &str, name: &str, text: String| {
            CatalogChange::SetNote(format!("{prefix}{name}").into(), Some(text.into()))
        };
        let predicates = self.predicates.iter().map(|(own, declared)| {
            note(PREDICATE_NOTES, &own.predicate.text, statement(own, declared))
        });
        let more = undeclared.iter().map(|own| note(PREDICATE_NOTES, &own.name, value_text(own)));
        let types = self.types.iter().map(|own| {
            let fields: Vec<&str> = own.fields.iter().map(|field| &*field.predicate.text).collect();
            note(TYPE_NOTES, &own.name.text, fields.join("\n"))
        });
        predicates.chain(more).chain(types).collect()
    }

    /// The indexes of all predicates, with those of each language that a graph has of one.
    pub fn indexes(&self, catalog: &Catalog) -> Result<PredicateIndexes> {
        let mut all = PredicateIndexes::default();
        for (own, declared) in &self.predicates {
            let tags = match declared.has_languages {
                true => languages_of(catalog, &declared.name),
                false => Vec::new(),
            };
            let indexed = tags.get(..LANGUAGES_INDEXED_MAX).unwrap_or(&tags);
            let found = indexes_of(own, indexed)?;
            if indexed.len() < tags.len() && !found.indexes.is_empty() {
                all.left_out.push(format!(
                    "'{}' has values in {} languages, and indexes in the first {LANGUAGES_INDEXED_MAX} of them",
                    declared.name,
                    tags.len()
                ));
            }
            all.indexes.extend(found.indexes);
            all.left_out.extend(found.left_out);
        }
        Ok(all)
    }
}

/// The languages in which a graph has values of a key.
pub(super) fn languages_of<'c>(catalog: &'c Catalog, key: &str) -> Vec<&'c str> {
    let language = |name: &'c Arc<str>| {
        let own = PropertyName::of(name);
        own.language.filter(|_| own.key == key && own.facet.is_none())
    };
    catalog.keys.iter().filter_map(language).collect()
}

/// A predicate as a load has it.
fn declared(own: &PredicateSchema) -> Result<DeclaredPredicate> {
    let (name, type_name) = (&own.predicate.text, &own.value_type.name.text);
    let kind = DeclaredKind::of_name(type_name).ok_or_else(|| {
        let error = wrong(format!("'{name}' is of type {type_name}, and there is no such type"));
        error.with_help(
            "use default, string, int, float, bool, datetime, geo, password, bigfloat, float32vector or uid",
        )
    })?;
    let unknown = own.directives.iter().find(|own| !DIRECTIVES.contains(&&*own.name.text));
    if let Some(directive) = unknown {
        let detail = format!("'{name}' has @{}, which is no directive", directive.name.text);
        return Err(wrong(detail).with_help(format!("use one of {}", DIRECTIVES.join(", "))));
    }
    let has_languages = own.directives.iter().any(|directive| directive.name.text == "lang");
    let is_list = own.value_type.is_list;
    if has_languages && (is_list || !matches!(kind, DeclaredKind::String | DeclaredKind::Default)) {
        return Err(wrong(format!("'{name}' has @lang, which is for type string alone")));
    }
    if is_list && kind == DeclaredKind::Vector {
        let error = wrong(format!("'{name}' is a list of vectors, and a node has one vector"));
        return Err(error.with_help("write float32vector without brackets"));
    }
    Ok(DeclaredPredicate { name: name.as_str().into(), kind, is_list, has_languages })
}

/// The one namespace that a schema is of.
fn namespace_of(namespaces: &BTreeSet<String>) -> Result<u64> {
    if 1 < namespaces.len() {
        let named: Vec<&str> = namespaces.iter().map(|own| &**own).collect();
        let detail = format!("the schema is of several namespaces: {}", named.join(", "));
        return Err(wrong(detail).with_help("a graph is one namespace: export each by itself"));
    }
    let Some(namespace) = namespaces.first() else { return Ok(0) };
    let digits = namespace.strip_prefix("0x");
    let number = digits.and_then(|digits| u64::from_str_radix(digits, 16).ok());
    number.ok_or_else(|| wrong(format!("'{namespace}' is no namespace, as 0x0 is")))
}

/// A predicate's statement without its name: `string @index(term, exact) @lang`.
fn statement(own: &PredicateSchema, declared: &DeclaredPredicate) -> String {
    let directives: String = own.directives.iter().map(|own| format!(" {own}")).collect();
    value_type(declared) + &directives
}

/// The same of a predicate that no schema has.
fn value_text(own: &DeclaredPredicate) -> String {
    let lang = if own.has_languages { " @lang" } else { "" };
    value_type(own) + lang
}

fn value_type(declared: &DeclaredPredicate) -> String {
    let name = declared.kind.name();
    if declared.is_list { format!("[{name}]") } else { name.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(schema: &DqlSchema, undeclared: &[DeclaredPredicate]) -> Vec<(String, String)> {
        let text = |change: &CatalogChange| match change {
            CatalogChange::SetNote(name, Some(text)) => (name.to_string(), text.to_string()),
            other => panic!("{other:?}"),
        };
        schema.notes(undeclared).iter().map(text).collect()
    }

    #[test]
    fn a_schema_becomes_notes_without_what_is_dgraphs_own() {
        let schema = DqlSchema::parse(
            "[0x0] <name>:string @index(term, exact) @lang .\n[0x0] <born>:dateTime .\n\
             [0x0] <dgraph.type>:[string] @index(exact) .\n[0x0] <dgraph.xid>:string @upsert .\n\
             [0x0] type <Person> {\n\tname\n\t<~friend>\n}\n[0x0] type <dgraph.graphql> {\n\tdgraph.graphql.xid\n}\n",
        )
        .unwrap();
        let (kind, is_list) = (DeclaredKind::Uid, true);
        let friend =
            DeclaredPredicate { name: "friend".into(), kind, is_list, has_languages: false };
        let expected = [
            ("definition.dql.predicate.name", "string @index(term, exact) @lang"),
            ("definition.dql.predicate.born", "datetime"),
            ("definition.dql.predicate.friend", "[uid]"),
            ("definition.dql.type.Person", "name\n~friend"),
        ];
        let expected = expected.map(|(name, text)| (name.to_owned(), text.to_owned()));
        assert_eq!(texts(&schema, &[friend]), expected);
    }

    #[test]
    fn a_wrong_schema_is_refused_with_the_remedy() {
        for (text, words) in [
            ("p: text .", "no such type"),
            ("p: string @sorted .", "@sorted, which is no directive"),
            ("p: int @lang .", "for type string alone"),
            ("p: int .\np: string .", "'p' twice"),
            ("[0x0] p: int .\n[0x1] q: int .", "several namespaces: 0x0, 0x1"),
            ("p: int @index(term) .", "is for string"),
            ("p: [float32vector] .", "a node has one vector"),
            ("p int .", ""),
        ] {
            let error = DqlSchema::parse(text).expect_err(text).to_string();
            assert!(error.contains(words), "{text}: {error}");
        }
    }
}
